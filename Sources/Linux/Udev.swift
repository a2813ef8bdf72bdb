internal import CUdev
public import DriverKit
internal import Glibc
internal import Synchronization
public import SystemPackage

/// Device enumeration for the live world.
public enum Udev {
    /// The canonical paths of a subsystem's devices in bus order, whether udev has processed them or not.
    ///
    /// Reads only `/sys`, one link per device, while libudev walks every folder above each of them twice; opens no
    /// device. Throws if there is no `/sys` to enumerate, since an empty list would mean that there are no devices.
    /// Source: `Documentation/admin-guide/sysfs-rules.rst`.
    /// The paths are those below `/sys`, wherever sysfs is. The links of devices with the names `besides` are not read.
    public static func devices(
        in subsystem: String, besides names: Set<String> = [], sysfs: String = "/sys"
    ) throws(DriverError) -> [FilePath] {
        // A subsystem is a bus or a class.
        let paths =
            try links(in: "/bus/\(subsystem)/devices", of: sysfs, besides: names)
            + links(in: "/class/\(subsystem)", of: sysfs, besides: names)
        let hasTree = unsafe access("\(sysfs)/devices", F_OK) == 0
        if paths.isEmpty, names.isEmpty, !hasTree {
            throw DriverError(errno: .current, subject: "/sys/devices")
        }
        return paths.inBusOrder(\.self).map { FilePath($0) }
    }

    /// The destinations of the links in a folder of sysfs; empty if there is no such folder.
    private static func links(
        in place: String, of sysfs: String, besides names: Set<String>
    ) throws(DriverError) -> [String] {
        let folder = "/sys\(place)"
        // The folder, and each above it: where links lead from.
        var bases = [folder + "/"]
        while let slash = bases[bases.count - 1].dropLast().utf8.lastIndex(of: UInt8(ascii: "/")) {
            bases.append(String(bases[bases.count - 1][...slash]))
        }
        var paths: [String] = []
        do throws(DriverError) {
            let target = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(PATH_MAX), alignment: 1)
            defer { unsafe target.deallocate() }
            try unsafe readFolder(FilePath(sysfs + place), named: FilePath(folder)) { descriptor, name in
                if !names.isEmpty, unsafe names.contains(String(cString: name)) { return }
                guard let start = unsafe target.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
                let size = unsafe readlinkat(descriptor, name, start, target.count)
                // An entry that is not a link is no device, nor is one that was removed meanwhile.
                guard size > 0 else { return }
                let link = unsafe UnsafeRawBufferPointer(rebasing: target[..<size])
                paths.append(unsafe destination(of: link, among: bases))
            }
        } catch {
            guard error.errno == .noSuchFileOrDirectory else { throw error }
        }
        return paths
    }

    /// The destination of a link in the first of these folders, each of which is in the next: some folders up, then down
    /// to the device, as in all links of sysfs.
    @unsafe
    private static func destination(of link: UnsafeRawBufferPointer, among bases: [String]) -> String {
        let (slash, dot) = (UInt8(ascii: "/"), UInt8(ascii: "."))
        var up = 0
        while link.count >= up * 3 + 3, unsafe link[up * 3] == dot, unsafe link[up * 3 + 1] == dot,
            unsafe link[up * 3 + 2] == slash
        { up += 1 }
        let down = unsafe String(
            decoding: UnsafeRawBufferPointer(rebasing: link[(up * 3)...]), as: UTF8.self)
        return down.utf8.first == slash ? down : bases[min(up, bases.count - 1)] + down
    }

    /// The access control list of a node in the kernel's format; empty if it has none, or if that is unknown.
    ///
    /// Source: acl(5), getxattr(2). Never opens the node.
    public static func accessControlList(of node: FilePath) -> [UInt8] {
        // More entries than any seat or administrator sets.
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe getxattr(node.string, "system.posix_acl_access", &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }
}

/// Calls `body` with a folder's descriptor and each name in it, `.` and `..` as well; errors are about `name`.
///
/// Source: getdents64(2). `readdir` also asks for the folder's status and allocates 32 KiB, for each device of a rig.
@unsafe
func readFolder(
    _ folder: FilePath, named name: FilePath, _ body: (CInt, UnsafePointer<CChar>) -> Void
) throws(DriverError) {
    let descriptor = unsafe folder.withPlatformString { unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw DriverError(errno: .current, subject: name.string) }
    defer { close(descriptor) }
    // Where the fields of an entry are.
    let (sizeField, nameField) = (16, 19)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 8192, alignment: 8)
    defer { unsafe buffer.deallocate() }
    while true {
        let size = unsafe getdents64(descriptor, buffer.baseAddress, buffer.count)
        guard size >= 0 else { throw DriverError(errno: .current, subject: name.string) }
        guard size > 0, let start = UnsafeRawPointer(buffer.baseAddress) else { return }
        var entry = 0
        while entry < size {
            unsafe body(descriptor, (start + entry + nameField).assumingMemoryBound(to: CChar.self))
            entry += Int(unsafe start.loadUnaligned(fromByteOffset: entry + sizeField, as: UInt16.self))
        }
    }
}

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
        end = try rethrowing(
            as: { (error: DriverError) in DriverError(error.code, errno: error.errno, subject: subject) }, try Waker())
        let hasDaemon = unsafe access("/run/udev/control", F_OK) == 0
        guard let context = unsafe udev_new() else { throw DriverError(errno: .current, subject: subject) }
        guard let monitor = unsafe udev_monitor_new_from_netlink(context, hasDaemon ? "udev" : "kernel") else {
            let failure = Errno.current
            unsafe udev_unref(context)
            throw DriverError(errno: failure, subject: subject)
        }
        unsafe self.context = context
        unsafe self.monitor = monitor
        var status: CInt = 0
        for subsystem in subsystems.sorted() where status >= 0 {
            status = unsafe udev_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, nil)
        }
        if status >= 0 { status = unsafe udev_monitor_enable_receiving(monitor) }
        if status < 0 { throw DriverError(errno: Errno(rawValue: -status), subject: subject) }
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
