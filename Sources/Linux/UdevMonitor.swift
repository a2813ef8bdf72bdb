internal import CUdev
public import DriverKit
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// Receives udev's events: devices that come, change and go.
///
/// Each frame received is one event: its properties as lines `KEY=VALUE`, sorted, separated by `\n`. Without udev, the
/// kernel's own events are received instead. Needs no privilege; nothing can be sent. Source:
/// `udev_monitor_new_from_netlink(3)`.
@safe
public final class UdevMonitor: Channel, @unchecked Sendable {
    private let context: OpaquePointer
    private let monitor: OpaquePointer
    private let end: Waker
    /// Held while libudev works, which is not thread-safe.
    private let turn = Mutex(())

    /// Starts to listen to the events of some subsystems.
    public init(of subsystems: Set<String>) throws(DriverError) {
        let subject = Endpoint.uevents.description
        let hasDaemon = unsafe access("/run/udev/control", F_OK) == 0
        guard let context = unsafe udev_new() else { throw DriverError(errno: .current, subject: subject) }
        guard let monitor = unsafe udev_monitor_new_from_netlink(context, hasDaemon ? "udev" : "kernel") else {
            let failure = Errno.current
            unsafe udev_unref(context)
            throw DriverError(errno: failure, subject: subject)
        }
        var status: CInt = 0
        for subsystem in subsystems.sorted() where status >= 0 {
            status = unsafe udev_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, nil)
        }
        if status >= 0 { status = unsafe udev_monitor_enable_receiving(monitor) }
        guard status >= 0, let end = try? Waker() else {
            unsafe udev_monitor_unref(monitor)
            unsafe udev_unref(context)
            throw DriverError(errno: status < 0 ? Errno(rawValue: -status) : .current, subject: subject)
        }
        unsafe self.context = context
        unsafe self.monitor = monitor
        self.end = end
    }

    deinit {
        unsafe udev_monitor_unref(monitor)
        unsafe udev_unref(context)
    }

    /// Throws: udev accepts no frames here.
    public func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {
        throw DriverError(.unsupported, subject: Endpoint.uevents.description)
    }

    /// The next event; `malformed` if it is longer than `limit`, ENOBUFS if events were lost.
    public func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        let subject = Endpoint.uevents.description
        while true {
            let (found, failure) = turn.withLock { _ in
                Glibc.errno = 0
                return (next(), Errno.current)
            }
            // This is how the kernel reports that it dropped events.
            if failure == .noBufferSpace { throw DriverError(errno: failure, subject: subject) }
            if let frame = found {
                guard frame.count <= limit else {
                    throw DriverError(.malformed, subject: subject, detail: "an event of \(frame.count) bytes")
                }
                return frame
            }
            try end.wait(for: unsafe udev_monitor_get_fd(monitor), subject: subject, until: deadline)
        }
    }

    /// Wakes a waiting call; may be called from any thread.
    public func cancel() { end.wake() }

    /// The pending event; nil if there is none that passes the filter.
    private func next() -> [UInt8]? {
        guard let device = unsafe udev_monitor_receive_device(monitor) else { return nil }
        defer { unsafe udev_device_unref(device) }
        var lines: [String] = []
        var entry = unsafe udev_device_get_properties_list_entry(device)
        while let current = unsafe entry {
            unsafe entry = udev_list_entry_get_next(current)
            guard let name = unsafe udev_list_entry_get_name(current) else { continue }
            let value = unsafe udev_list_entry_get_value(current).map { unsafe String(cString: $0) } ?? ""
            let line = unsafe String(cString: name) + "=" + value
            lines.append(String(line.map { $0.isNewline ? " " : $0 }))
        }
        return Array(lines.sorted().joined(separator: "\n").utf8)
    }
}
