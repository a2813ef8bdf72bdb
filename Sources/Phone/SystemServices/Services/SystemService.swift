internal import Readiness
internal import Permissions

/// A service that an app asks a person for: the six of seed 004's library, and Bluetooth for device discovery (seed 000).
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
