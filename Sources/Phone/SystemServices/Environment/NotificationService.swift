internal import DriverKit
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// Whether something on the session bus shows notifications; none is ever shown to find out.
///
/// Source: the Desktop Notifications Specification, which names the service.
public enum NotificationService: Sendable, Equatable {
    /// Somebody owns the name, or the bus starts its owner when it is asked.
    case running, startable
    /// The bus answers, and has no such name.
    case absent
    /// The bus refused this user.
    case refused(String)
    /// There is no bus, or it does not answer.
    case unreachable(String)
    /// It cannot be told from here.
    case unknown(String)

    /// The name on the bus.
    public static let name = "org.freedesktop.Notifications"

    /// Asks the session bus, for as long as `timeout` seconds.
    public static func live(timeout: Double = 2) -> NotificationService {
        guard let bus = try? SessionBus() else {
            return .unknown("libsystemd.so.0, which asks the bus, is not installed")
        }
        let reply = NotificationReply()
        let started = Worker.start {
            do throws(Errno) {
                reply.give(Self.found(in: try bus.names()))
            } catch {
                reply.give(Self.failed(error))
            }
        }
        guard started else { return .unknown("the system has no thread to spare") }
        return reply.wait(seconds: timeout) ?? .unreachable("the session bus does not answer")
    }

    static func found(in listing: SessionBus.Listing) -> NotificationService {
        if listing.owned.contains(name) { return .running }
        return listing.activatable.contains(name) ? .startable : .absent
    }

    static func failed(_ errno: Errno) -> NotificationService {
        switch errno {
        case .permissionDenied, .notPermitted: .refused("the session bus: \(errno.clause)")
        // What sd-bus says where neither variable names a bus.
        case Errno(rawValue: ENOMEDIUM): .unreachable("no session bus: DBUS_SESSION_BUS_ADDRESS is not set")
        default: .unreachable("the session bus: \(errno.clause)")
        }
    }

    /// The state that it gives the service.
    var state: ServiceState {
        switch self {
        case .running: ServiceState(.granted, evidence: "\(Self.name) is on the session bus")
        case .startable: ServiceState(.granted, evidence: "the session bus starts \(Self.name) when it is asked")
        case .absent:
            ServiceState(
                .absent, evidence: "nothing on the session bus is \(Self.name)",
                remedy: "start a notification service in this session, such as dunst or mako")
        case .refused(let why): ServiceState(.denied, evidence: why)
        case .unreachable(let why):
            ServiceState(.unreachable, evidence: why, remedy: "run it in a desktop session, or: dbus-run-session")
        case .unknown(let why): ServiceState(.unknown, evidence: why)
        }
    }
}

/// What one thread finds and another waits for.
private final class NotificationReply: Sendable {
    private let value = Mutex<NotificationService?>(nil)

    func give(_ found: NotificationService) { value.withLock { $0 = found } }

    /// Nil where nothing came in time.
    func wait(seconds: Double) -> NotificationService? {
        let deadline = Instant.now.advanced(bySeconds: seconds)
        while true {
            if let found = value.withLock({ $0 }) { return found }
            guard Instant.now < deadline else { return nil }
            usleep(2000)
        }
    }
}
