internal import DriverKit
internal import Glibc
internal import Readiness
internal import Synchronization
internal import SystemPackage

extension ServiceState {
    /// The state of the session bus's notification service; the bus is queried for up to `timeout` seconds.
    ///
    /// No notification is shown to find out. Source of the name: the Desktop Notifications Specification.
    public static func notifications(timeout: Double = 2) -> ServiceState {
        guard let bus = try? SessionBus() else {
            return ServiceState(
                .unknown, evidence: "libsystemd.so.0, which queries the bus, is not installed")
        }
        let reply = Reply()
        guard let done = try? Waker(),
            Worker.start({
                let state: ServiceState
                do throws(Errno) {
                    state = notifications(try bus.names())
                } catch {
                    state = notifications(failed: error)
                }
                reply.state.withLock { $0 = state }
                done.wake()
            })
        else { return ServiceState(.unknown, evidence: "no thread can be started") }
        done.wait(until: Instant.now.advanced(bySeconds: timeout))
        return reply.state.withLock(\.self) ?? unreachable("the session bus does not answer")
    }

    static func notifications(_ listing: SessionBus.Listing) -> ServiceState {
        let name = "org.freedesktop.Notifications"
        if listing.owned.contains(name) { return ServiceState(.granted, evidence: "\(name) is on the session bus") }
        if listing.activatable.contains(name) {
            return ServiceState(.granted, evidence: "the session bus starts \(name) on request")
        }
        return ServiceState(
            .absent, evidence: "the session bus has no \(name)",
            remedies: [.advice("start a notification service in this session, such as dunst or mako")])
    }

    static func notifications(failed errno: Errno) -> ServiceState {
        switch errno {
        case .permissionDenied, .notPermitted: ServiceState(.denied, evidence: "the session bus: \(errno.clause)")
        // The error of sd-bus if neither variable names a bus.
        case Errno(rawValue: ENOMEDIUM): unreachable("no session bus: DBUS_SESSION_BUS_ADDRESS is not set")
        default: unreachable("the session bus: \(errno.clause)")
        }
    }

    private static func unreachable(_ reason: String) -> ServiceState {
        ServiceState(
            .unreachable, evidence: reason, remedies: [.advice("run it in a desktop session, or: dbus-run-session")])
    }

    /// The result of a thread that may outlive the call.
    private final class Reply: Sendable {
        let state = Mutex<ServiceState?>(nil)
    }
}
