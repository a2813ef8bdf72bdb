/// One thing that a service may require of a rig: a permission or a sensor.
///
/// The order is the table's, which is also the report order. Source: MOVE SDK, Permissions Handling:
/// Required Permissions.
public enum Requirement: UInt8, CaseIterable, Sendable, Hashable, Comparable, ReportNamed {
    case location, preciseLocation, backgroundLocation, motion, gyroscope, accelerometer, bluetooth, healthStore
    case stepsRead

    /// The name in reports and files, such as `preciseLocation`.
    public var id: String { Self.ids[Int(rawValue)] }

    // The names of the cases, in their order: to ask the language for them is slow.
    private static let ids = [
        "location", "preciseLocation", "backgroundLocation", "motion", "gyroscope", "accelerometer", "bluetooth",
        "healthStore", "stepsRead",
    ]

    /// The text for people, such as "precise location".
    public var title: String {
        switch self {
        case .motion: "motion access"
        case .bluetooth: "Bluetooth"
        case .healthStore: "step counter"
        case .stepsRead: "step count"
        default: id.spaced
        }
    }

    /// The kinds of sensor that it depends on.
    public var kinds: [SensorKind] {
        switch self {
        case .location, .preciseLocation, .backgroundLocation: [.locationReceiver]
        case .motion: [.accelerometer, .gyroscope]
        case .gyroscope: [.gyroscope]
        case .accelerometer: [.accelerometer]
        case .bluetooth: [.bluetoothAdapter]
        case .healthStore, .stepsRead: [.stepCounter]
        }
    }
}

/// A set of requirements, as a bit mask.
public struct RequirementSet: OptionSet, Sendable, Hashable {
    /// Bit `n` stands for the requirement with raw value `n`.
    public let rawValue: UInt16

    /// Creates a set from a mask; other bits are dropped.
    public init(rawValue: UInt16) { self.rawValue = rawValue & 0x1ff }

    /// Creates a set of one requirement.
    public init(_ requirement: Requirement) { self.init(rawValue: 1 << requirement.rawValue) }

    package init(_ requirements: some Sequence<Requirement>) {
        self = requirements.reduce(into: []) { $0.formUnion(RequirementSet($1)) }
    }

    /// Location of any accuracy.
    public static let location = Self(.location)
    /// Location of full accuracy.
    public static let preciseLocation = Self(.preciseLocation)
    /// Location while not in use.
    public static let backgroundLocation = Self(.backgroundLocation)
    /// Permission to capture motion.
    public static let motion = Self(.motion)
    /// A gyroscope that delivers.
    public static let gyroscope = Self(.gyroscope)
    /// An accelerometer that delivers.
    public static let accelerometer = Self(.accelerometer)
    /// A Bluetooth controller that is powered.
    public static let bluetooth = Self(.bluetooth)
    /// A step counter that counts.
    public static let healthStore = Self(.healthStore)
    /// A step count that may be read.
    public static let stepsRead = Self(.stepsRead)
    /// All nine.
    public static let all = Self(rawValue: 0x1ff)

    /// The members in table order.
    public var members: [Requirement] { Requirement.allCases.filter { contains(Self($0)) } }

    /// Whether the requirement is a member.
    public func contains(_ requirement: Requirement) -> Bool { contains(Self(requirement)) }
}
