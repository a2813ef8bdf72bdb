// Importing this module imports the health types, as RigHealth does.
internal import LocalRig
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

    /// Every service, in the order in which a person is asked, with general purposes and the usual types.
    private static let all: [SystemService] = [
        .geoLocationWhenUsing("To know where you are while you use the app."),
        .geoLocationAlways("To know where you are at any time."), .coreMotion, .bluetooth, .healthKit(.steps),
        .localNotifications([]), .microphone,
    ]

    /// Every name, in the order in which a person is asked.
    public static let ids = all.map(\.id)

    /// Finds a service by its name; health may be followed by types, as in `health=stepCount,write:height`, and reads
    /// steps without.
    ///
    /// Source: C3-PRO, System Service Permissions; the types are those of `HealthKitTypes.insert(named:)`.
    public init?(named name: String) {
        let parts = name.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let service = Self.all.first(where: { $0.id == parts[0] }) else { return nil }
        self = service
        guard parts.count > 1 else { return }
        guard case .healthKit = service else { return nil }
        var types = HealthKitTypes()
        for type in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
            guard types.insert(named: String(type)) else { return nil }
        }
        self = .healthKit(types)
    }

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
    var isAlways: Bool { if case .geoLocationAlways = self { true } else { false } }
    /// The permission of grants and policies; nil if there is none.
    var permission: Permission? { row.permission }

    /// How a person changes the decision later.
    public var howToChange: String { howToChange(grants: nil, answers: nil) }

    /// How a person changes the decision later, in the files that a command named.
    package func howToChange(grants: String?, answers: String?) -> String {
        func option(_ name: String, _ file: String?) -> String {
            file.map { " --\(name) \(ShellWord.shown($0))" } ?? ""
        }
        guard let permission else { return "rigready consent --again \(id)\(option("state", answers))" }
        let level = permission != .location ? "" : isAlways ? " --always" : " --when-in-use"
        let file = option("permissions", grants)
        return
            "rigready permissions grant \(permission)\(level)\(file), or rigready permissions revoke \(permission)\(file)"
    }

    /// What a request asks for; nil for a service without a permission.
    var request: PermissionRequest? { permission.map { PermissionRequest($0, always: isAlways) } }
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
