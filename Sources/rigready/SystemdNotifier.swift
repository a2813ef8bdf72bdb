import Linux
import LocalRig
import Glibc

/// Notifies the service manager that started this process.
///
/// Source: sd_notify(3), "Notes", whose protocol is stable: a datagram to the socket in `NOTIFY_SOCKET`.
struct SystemdNotifier {
    private let socket: String?
    /// The watchdog timeout in seconds; nil without a watchdog.
    let patience: Double?

    /// The manager that the environment names, if any.
    static var current: SystemdNotifier {
        let isOurs = Environment.value("WATCHDOG_PID").map { $0 == "\(ProbeProcess.identifier)" } ?? true
        let limit = isOurs ? Environment.value("WATCHDOG_USEC").flatMap(UInt64.init) : nil
        return SystemdNotifier(
            socket: Environment.value("NOTIFY_SOCKET"), patience: limit.flatMap { $0 > 0 ? Double($0) / 1e6 : nil })
    }

    var hasManager: Bool { socket != nil }

    /// Sends a state, such as `READY=1`; errors are ignored, since a missing manager is no error of the service.
    ///
    /// The manager accepts notifications of the process that it started alone, so a child gives them to its parent.
    func notify(_ state: String) {
        if !ProbeProcess.forward(notification: Array(state.utf8)) { send(Array(state.utf8)) }
    }

    func send(_ bytes: [UInt8]) {
        guard let socket, socket.hasPrefix("/") || socket.hasPrefix("@") else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // An abstract socket's name begins with a zero byte instead of the @.
        let name = (socket.hasPrefix("@") ? [0] : [UInt8(ascii: "/")]) + Array(socket.utf8.dropFirst())
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard name.count < room else { return }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in unsafe place.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size - room + name.count)
        let descriptor = Glibc.socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        _ = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe sendto(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT), address, length)
            }
        }
    }
}
