internal import Glibc
public import SystemPackage

/// This machine.
public struct LiveWorld: World {
    private let list: @Sendable (String) throws(DriverError) -> [FilePath]
    private let lookup: @Sendable (String) throws(DriverError) -> [String]
    private let open: @Sendable (Endpoint, Instant) throws(DriverError) -> any Channel

    /// Makes a live world of the three things that need a C library, each kept in the folder of its driver.
    public init(
        devices: @escaping @Sendable (String) throws(DriverError) -> [FilePath],
        modules: @escaping @Sendable (String) throws(DriverError) -> [String],
        channel: @escaping @Sendable (Endpoint, Instant) throws(DriverError) -> any Channel
    ) {
        list = devices
        lookup = modules
        open = channel
    }

    /// CLOCK_BOOTTIME.
    public func now() -> Instant { .now }

    /// By libudev.
    public func devices(in subsystem: String) throws(DriverError) -> [FilePath] { try list(subsystem) }

    /// By libkmod; throws `unsupported` where that library or the running kernel's module index is missing.
    public func modules(for alias: String) throws(DriverError) -> [String] { try lookup(alias) }

    /// By the driver that the endpoint belongs to.
    public func channel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> any Channel {
        try open(endpoint, deadline)
    }

    /// By `readdir`.
    public func entries(of folder: FilePath) throws(DriverError) -> [String] {
        guard let stream = unsafe opendir(folder.string) else {
            throw DriverError(errno: .current, subject: folder.string)
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while true {
            Glibc.errno = 0
            guard let entry = unsafe readdir(stream) else { break }
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
                unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        guard Glibc.errno == 0 else { throw DriverError(errno: .current, subject: folder.string) }
        return names.sorted()
    }

    /// By `open` and `read`; an attribute is read once, since each read may be a transfer on its bus.
    public func contents(of file: FilePath, limit: Int) throws(DriverError) -> [UInt8] {
        do {
            let descriptor = try FileDescriptor.open(file, .readOnly, options: [.closeOnExec, .nonBlocking])
            defer { try? descriptor.close() }
            var bytes: [UInt8] = []
            // A sysfs attribute is at most a page and comes in one read; a short read is the end of any regular file.
            while bytes.count <= limit {
                let room = min(4096, limit + 1 - bytes.count)
                let chunk = try unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                    count = try unsafe descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))
                }
                bytes += chunk
                if chunk.count < room { break }
            }
            if bytes.count <= limit { return bytes }
        } catch {
            throw DriverError(errno: (error as? Errno) ?? .ioError, subject: file.string)
        }
        throw DriverError(.malformed, subject: file.string, detail: "longer than \(limit) bytes")
    }

    /// By `stat`, and `access` with the effective ids; only a refusal makes a node unreadable, other errors are thrown.
    public func status(of node: FilePath) throws(DriverError) -> NodeStatus {
        var record = stat()
        guard unsafe stat(node.string, &record) == 0 else { throw DriverError(errno: .current, subject: node.string) }
        // Where the ids are one, `access` says the same, and umockdev shows its devices to `access` alone.
        let isOneself = getuid() == geteuid() && getgid() == getegid()
        let outcome =
            isOneself
            ? unsafe access(node.string, R_OK) : unsafe faccessat(AT_FDCWD, node.string, R_OK, AT_EACCESS)
        let readable = outcome == 0
        if !readable {
            let error = DriverError(errno: .current, subject: node.string)
            if !error.isDenied { throw error }
        }
        return NodeStatus(
            owner: record.st_uid, group: record.st_gid, mode: UInt16(record.st_mode & 0o7777), readable: readable)
    }
}

extension Instant {
    /// The present.
    public static var now: Instant {
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}

extension Errno {
    /// What the last C call of this thread left in `errno`.
    public static var current: Errno { Errno(rawValue: Glibc.errno) }
}
