internal import Permissions
internal import Readiness

/// A service that an app asks a person for: the six of C3-PRO's System Service Permissions,
/// and Bluetooth for device discovery.
public enum SystemService: Sendable, Equatable {
    /// Location while the app is in use, and why.
    case geoLocationWhenUsing(String)
    /// Location at any time, and why.
    case geoLocationAlways(String)
    /// Notifications of this machine, by category.
    case localNotifications(Set<NotificationCategory>)
    /// Capturing motion.
    case coreMotion
    /// Reading and writing health data of some types.
    indirect case healthKit(HealthKitTypes)
    /// Recording sound.
    case microphone
    /// Using Bluetooth.
    case bluetooth

    /// Every name, in the order in which a person is asked.
    public static let ids = [
        "location", "locationAlways", "motion", "bluetooth", "health", "notifications", "microphone",
    ]

    /// The table of the services: name, name in sentences, purpose, source on Linux, permission.
    private var row: (id: String, title: String, usage: String, backing: String, permission: Permission?) {
        switch self {
        case .geoLocationWhenUsing(let reason):
            ("location", "location while in use", reason, "gpsd, and the user's grant", .location)
        case .geoLocationAlways(let reason):
            ("locationAlways", "location always", reason, "gpsd, and the user's grant", .location)
        case .localNotifications:
            (
                "notifications", "notifications", "To tell you what happens while the app is not in view.",
                "a notification service on the session bus (org.freedesktop.Notifications)", nil
            )
        case .coreMotion:
            (
                "motion", "motion", "To tell driving, cycling and walking apart.",
                "the character devices of IIO motion sensors", .motion
            )
        case .healthKit:
            (
                "health", "health data", "To read the health data that you choose to share.",
                "an IIO step counter; other health data has no store on Linux", .health
            )
        case .microphone:
            (
                "microphone", "microphone", "To record sound when you ask for it.",
                "a capture device of ALSA (/dev/snd/pcmC…D…c)", nil
            )
        case .bluetooth:
            (
                "bluetooth", "Bluetooth", "To find the devices that belong to you nearby.",
                "the kernel's Bluetooth management socket", .bluetooth
            )
        }
    }

    /// The name in files and reports, such as `locationAlways`.
    public var id: String { row.id }
    /// The name in sentences.
    public var title: String { row.title }
    /// Its purpose: the app's own text if the case has one, else a general text.
    public var usage: String { row.usage }
    /// Its source on Linux.
    public var backing: String { row.backing }
    /// The permission of grants and policies; nil if there is none.
    var permission: Permission? { row.permission }

    /// How a person changes the decision later.
    public var howToChange: String {
        guard let permission else { return "rigready consent --again \(id)" }
        let level = permission != .location ? "" : id == "location" ? " --when-in-use" : " --always"
        return "rigready permissions grant \(permission)\(level), or revoke \(permission)"
    }

    /// What a request asks for; nil for a service without a permission.
    var request: PermissionRequest? {
        switch permission {
        case .location: .location(always: id == "locationAlways")
        case .motion: .motion
        case .health: .health
        case .bluetooth: .bluetooth
        case nil: nil
        }
    }
}

/// A kind of notification with its actions; Linux has none to register, but code for C3-PRO's library names them.
public struct NotificationCategory: Sendable, Hashable {
    /// The name of the kind.
    public var identifier: String
    /// The names of its actions.
    public private(set) var actions: [String]

    /// Makes a category.
    public init(identifier: String = "", actions: [String] = []) {
        self.identifier = identifier
        self.actions = actions
    }

    /// Replaces the actions.
    public mutating func setActions(_ actions: [String]) { self.actions = actions }
}

/// A quantity of health data, by HealthKit's identifier.
public struct HealthQuantity: RawRepresentable, Sendable, Hashable {
    /// HealthKit's identifier.
    public let rawValue: String
    /// Takes any identifier, since HealthKit has hundreds.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Steps walked: the only quantity that Linux can read.
    public static let stepCount = Self(rawValue: "HKQuantityTypeIdentifierStepCount")
    /// Height and mass of the body.
    public static let height = Self(rawValue: "HKQuantityTypeIdentifierHeight"),
        bodyMass = Self(rawValue: "HKQuantityTypeIdentifierBodyMass")
}

/// A characteristic of a person, by HealthKit's identifier.
public struct HealthCharacteristic: RawRepresentable, Sendable, Hashable {
    /// HealthKit's identifier.
    public let rawValue: String
    /// Takes any identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Biological sex and date of birth.
    public static let biologicalSex = Self(rawValue: "HKCharacteristicTypeIdentifierBiologicalSex"),
        dateOfBirth = Self(rawValue: "HKCharacteristicTypeIdentifierDateOfBirth")
}

/// The health data that an app requests.
public struct HealthKitTypes: Sendable, Equatable {
    /// Characteristics to read.
    public var readCharacteristics: Set<HealthCharacteristic>
    /// Quantities to read, and to write.
    public var readQuantities, writeQuantities: Set<HealthQuantity>

    /// Makes a choice of types.
    public init(
        readCharacteristics: Set<HealthCharacteristic> = [], readQuantities: Set<HealthQuantity> = [],
        writeQuantities: Set<HealthQuantity> = []
    ) {
        self.readCharacteristics = readCharacteristics
        self.readQuantities = readQuantities
        self.writeQuantities = writeQuantities
    }

    /// Reads only steps.
    public static let steps = HealthKitTypes(readQuantities: [.stepCount])

    /// Whether nothing is requested.
    public var isEmpty: Bool { readCharacteristics.isEmpty && readQuantities.isEmpty && writeQuantities.isEmpty }

    /// The types that Linux does not have, by identifier, in order: all but reading steps.
    public var unsupported: [String] {
        let quantities = readQuantities.subtracting([.stepCount]).map(\.rawValue)
        return (readCharacteristics.map(\.rawValue) + quantities + writeQuantities.map { "writing \($0.rawValue)" })
            .sorted()
    }
}
