internal import Readiness
internal import Permissions

/// A service of the system that an app asks a person for.
///
/// Six cases are those of seed 004's library; Bluetooth is added, since device discovery asks for it (seed 000).
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

    /// The name in files and reports, such as `locationAlways`.
    public var id: String {
        switch self {
        case .geoLocationWhenUsing: "location"
        case .geoLocationAlways: "locationAlways"
        case .localNotifications: "notifications"
        case .coreMotion: "motion"
        case .healthKit: "health"
        case .microphone: "microphone"
        case .bluetooth: "bluetooth"
        }
    }

    /// Every name, in the order in which a person is asked.
    public static let ids = [
        "location", "locationAlways", "motion", "bluetooth", "health", "notifications", "microphone",
    ]

    /// The name in sentences.
    public var title: String {
        switch self {
        case .geoLocationWhenUsing: "location while in use"
        case .geoLocationAlways: "location always"
        case .localNotifications: "notifications"
        case .coreMotion: "motion"
        case .healthKit: "health data"
        case .microphone: "microphone"
        case .bluetooth: "Bluetooth"
        }
    }

    /// Its purpose: the app's own text if the case has one, else a general text.
    public var usage: String {
        switch self {
        case .geoLocationWhenUsing(let reason), .geoLocationAlways(let reason): reason
        case .localNotifications: "To tell you what happens while the app is not in view."
        case .coreMotion: "To tell driving, cycling and walking apart."
        case .healthKit: "To read the health data that you choose to share."
        case .microphone: "To record sound when you ask for it."
        case .bluetooth: "To find the devices that belong to you nearby."
        }
    }

    /// Its source on Linux.
    public var backing: String {
        switch self {
        case .geoLocationWhenUsing, .geoLocationAlways: "gpsd, and the user's grant"
        case .localNotifications: "a notification service on the session bus (org.freedesktop.Notifications)"
        case .coreMotion: "the character devices of IIO motion sensors"
        case .healthKit: "an IIO step counter; other health data has no store on Linux"
        case .microphone: "a capture device of ALSA (/dev/snd/pcmC…D…c)"
        case .bluetooth: "the kernel's Bluetooth management socket"
        }
    }

    /// How a person changes the decision later.
    public var howToChange: String {
        switch self {
        case .geoLocationWhenUsing: "rigready permissions grant location --when-in-use, or revoke location"
        case .geoLocationAlways: "rigready permissions grant location --always, or revoke location"
        case .coreMotion: "rigready permissions grant motion, or revoke motion"
        case .healthKit: "rigready permissions grant health, or revoke health"
        case .bluetooth: "rigready permissions grant bluetooth, or revoke bluetooth"
        case .localNotifications, .microphone: "rigready consent --again \(id)"
        }
    }

    /// The permission of grants and policies; nil if there is none.
    var permission: Permission? {
        switch self {
        case .geoLocationWhenUsing, .geoLocationAlways: .location
        case .coreMotion: .motion
        case .healthKit: .health
        case .bluetooth: .bluetooth
        case .localNotifications, .microphone: nil
        }
    }
}
