internal import Readiness
internal import DriverKit
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// Whether the session bus has a notification service; no notification is shown to find out.
///
/// Source: the Desktop Notifications Specification, which names the service.
public enum NotificationService: Sendable, Equatable {
    /// The name has an owner, or the bus starts one on request.
    case running, startable
    /// The bus answers, but has no such name.
    case absent
    /// The bus refused this user.
    case refused(String)
    /// There is no bus, or it does not answer.
    case unreachable(String)
    /// It is unknown.
    case unknown(String)

    /// The name on the bus.
    public static let name = "org.freedesktop.Notifications"

    /// Queries the session bus, for up to `timeout` seconds.
    public static func live(timeout: Double = 2) -> NotificationService {
        guard let bus = try? SessionBus() else {
            return .unknown("libsystemd.so.0, which queries the bus, is not installed")
        }
        let reply = NotificationReply()
        let started = Worker.start {
            do throws(Errno) {
                reply.give(Self.found(in: try bus.names()))
            } catch {
                reply.give(Self.failed(error))
            }
        }
        guard started else { return .unknown("no thread can be started") }
        return reply.wait(seconds: timeout) ?? .unreachable("the session bus does not answer")
    }

    static func found(in listing: SessionBus.Listing) -> NotificationService {
        if listing.owned.contains(name) { return .running }
        return listing.activatable.contains(name) ? .startable : .absent
    }

    static func failed(_ errno: Errno) -> NotificationService {
        switch errno {
        case .permissionDenied, .notPermitted: .refused("the session bus: \(errno.clause)")
        // The error of sd-bus if neither variable names a bus.
        case Errno(rawValue: ENOMEDIUM): .unreachable("no session bus: DBUS_SESSION_BUS_ADDRESS is not set")
        default: .unreachable("the session bus: \(errno.clause)")
        }
    }

    /// The resulting state of the service.
    var state: ServiceState {
        switch self {
        case .running: ServiceState(.granted, evidence: "\(Self.name) is on the session bus")
        case .startable: ServiceState(.granted, evidence: "the session bus starts \(Self.name) on request")
        case .absent:
            ServiceState(
                .absent, evidence: "the session bus has no \(Self.name)",
                remedies: [.advice("start a notification service in this session, such as dunst or mako")])
        case .refused(let why): ServiceState(.denied, evidence: why)
        case .unreachable(let why):
            ServiceState(
                .unreachable, evidence: why, remedies: [.advice("run it in a desktop session, or: dbus-run-session")])
        case .unknown(let why): ServiceState(.unknown, evidence: why)
        }
    }
}

/// A value that one thread sets and another waits for.
private final class NotificationReply: Sendable {
    private let value = Mutex<NotificationService?>(nil)

    func give(_ found: NotificationService) { value.withLock { $0 = found } }

    /// Nil if no value was set in time.
    func wait(seconds: Double) -> NotificationService? {
        let deadline = Instant.now.advanced(bySeconds: seconds)
        while true {
            if let found = value.withLock({ $0 }) { return found }
            guard Instant.now < deadline else { return nil }
            usleep(2000)
        }
    }
}
