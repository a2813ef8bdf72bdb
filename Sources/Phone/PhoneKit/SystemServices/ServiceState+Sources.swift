internal import CSystemd
public import DriverKit
internal import Glibc
internal import Linux
internal import Readiness
internal import SystemPackage

extension ServiceState {
    /// The state of the session bus's notification service; the bus is queried for up to `timeout` seconds.
    ///
    /// No notification is shown to find out. Source of the name: the Desktop Notifications Specification.
    public static func notifications(timeout: Double = 2) -> ServiceState {
        guard let bus = try? SessionBus() else {
            return ServiceState(.unknown, evidence: "libsystemd.so.0, which queries the bus, is not installed")
        }
        do throws(DriverError) {
            let deadline = Instant.now.advanced(bySeconds: timeout)
            switch try Worker.answer(until: deadline, { Result(catching: bus.names) }) {
            case .success(let names)?: return notifications(owned: names.owned, activatable: names.activatable)
            case .failure(let error)?: return notifications(failed: error)
            case nil: return unreachable("the session bus does not answer")
            }
        } catch {
            return ServiceState(.unknown, evidence: error.description)
        }
    }

    static func notifications(owned: Set<String>, activatable: Set<String>) -> ServiceState {
        let name = "org.freedesktop.Notifications"
        if owned.contains(name) { return ServiceState(.granted, evidence: "\(name) is on the session bus") }
        if activatable.contains(name) {
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
}

/// The session bus by libsystemd's sd-bus, loaded at first use.
@safe
struct SessionBus: @unchecked Sendable {
    private typealias Handle = OpaquePointer
    private typealias Names = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    private let open: opened_sd_bus_open_user
    private let list: opened_sd_bus_list_names
    private let release: opened_sd_bus_flush_close_unref

    /// Opens the library; throws if it is missing.
    init(library name: String = "libsystemd.so.0") throws(DriverError) {
        let library = try DynamicLibrary(name)
        unsafe open = try unsafe library.function("sd_bus_open_user")
        unsafe list = try unsafe library.function("sd_bus_list_names")
        unsafe release = try unsafe library.function("sd_bus_flush_close_unref")
    }

    /// Returns the names that have an owner on the bus, and those that it starts a service for on request; starts none.
    ///
    /// The bus is that of DBUS_SESSION_BUS_ADDRESS, else the user's own. May block as long as it does not answer: to be
    /// called on a thread that can be abandoned.
    func names() throws(Errno) -> (owned: Set<String>, activatable: Set<String>) {
        var bus: Handle?
        var status = unsafe open(&bus)
        guard status >= 0 else { throw Errno(rawValue: -status) }
        defer { _ = unsafe release(bus) }
        var owned: Names?
        var activatable: Names?
        status = unsafe list(bus, &owned, &activatable)
        guard status >= 0 else { throw Errno(rawValue: -status) }
        return unsafe (Self.take(owned), Self.take(activatable))
    }

    /// The texts of a null-terminated list, which is then freed.
    private static func take(_ list: Names?) -> Set<String> {
        guard let list = unsafe list else { return [] }
        var names: Set<String> = []
        var entry = unsafe list
        while let text = unsafe entry.pointee {
            unsafe names.insert(String(cString: text))
            unsafe free(text)
            unsafe entry += 1
        }
        unsafe free(list)
        return names
    }
}

extension ServiceState {
    /// The state of ALSA's capture devices: the access of this user to their nodes, none of which is opened.
    public static func microphone(in world: any World) -> ServiceState {
        let folder = FilePath("/dev/snd")
        let absent = ServiceState(
            .absent, evidence: "no card captures sound", remedies: [.advice("connect a microphone")])
        let names: [String]
        do throws(DriverError) {
            // `pcmC0D0c` captures, `pcmC0D0p` plays.
            names = try world.entries(of: folder).filter { $0.wholeMatch(of: /pcmC[0-9]+D[0-9]+c/) != nil }
        } catch {
            // Without a card there is no folder.
            return error.errno == .noSuchFileOrDirectory ? absent : ServiceState(.unknown, evidence: error.description)
        }
        var clause: String?
        var doubt: String?
        for name in names {
            do throws(DriverError) {
                let status = try world.status(of: folder.appending(name))
                if status.readable { return ServiceState(.granted, evidence: "/dev/snd/\(name) may be read") }
                clause = clause ?? status.clause
            } catch {
                // A device that was removed meanwhile is ignored.
                if error.errno != .noSuchFileOrDirectory { doubt = error.description }
            }
        }
        if let doubt { return ServiceState(.unknown, evidence: doubt) }
        guard let clause, let first = names.first else { return absent }
        return ServiceState(
            .denied, evidence: "/dev/snd/\(first): \(clause)",
            remedies: [.command("sudo usermod -aG audio \"$(id -un)\"", note: "then log in again")])
    }
}
