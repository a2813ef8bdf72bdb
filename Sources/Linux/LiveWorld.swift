public import DriverKit
internal import Glibc
internal import Synchronization
public import SystemPackage

/// This machine as a world.
public struct LiveWorld: World {
    private let drivers: [any Driver]
    private let subject: Account?
    /// Where sysfs is, if not at `/sys`.
    private let sysfs: String?

    /// Makes a live world for some drivers, which open their endpoints themselves.
    ///
    /// Access is computed for `account`; without one, the kernel reports that of this process. With `sysfs`, everything
    /// below `/sys` is read from that folder, such as the host's sysfs in a container; drivers, evidence and recordings
    /// still name it by `/sys`.
    public init(as account: Account? = nil, drivers: [any Driver], sysfs: String? = nil) {
        subject = account
        self.drivers = drivers
        self.sysfs = sysfs
    }

    /// The place of a path here: in the other folder, if it is below `/sys`.
    private func place(of path: FilePath) -> FilePath {
        guard let sysfs, case let text = path.string, text == "/sys" || text.hasPrefix("/sys/") else { return path }
        return FilePath(sysfs + text.dropFirst(4))
    }

    /// Reads CLOCK_BOOTTIME.
    public func now() -> Instant { .now }

    /// Reads the links in sysfs.
    public func devices(in subsystem: String) throws(DriverError) -> [FilePath] {
        try devices(in: subsystem, besides: [])
    }

    /// Reads the links of the other devices alone.
    public func devices(in subsystem: String, besides names: Set<String>) throws(DriverError) -> [FilePath] {
        try Udev.devices(in: subsystem, besides: names, sysfs: sysfs ?? "/sys")
    }

    /// Asks libkmod; throws `unsupported` if that library or the running kernel's module index is missing.
    public func modules(for alias: String) throws(DriverError) -> [String] { try KMod.modules(for: alias) }

    /// Reads `/dev/kmsg`.
    public func loggedRefusals() -> [String] { KernelLog.refusals() }

    /// Opens it through the driver that the endpoint belongs to.
    public func channel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> any Channel {
        if endpoint == .uevents {
            return try UdevMonitor(of: drivers.reduce(into: []) { $0.formUnion($1.eventSubsystems) })
        }
        if endpoint.kind == Endpoint.systemBusKind {
            return try SystemBusChannel(to: endpoint.address, subject: endpoint.description)
        }
        for driver in drivers {
            if let channel = try driver.openChannel(to: endpoint, until: deadline) { return channel }
        }
        throw DriverError(.unsupported, subject: endpoint.description, detail: "this build has no such driver")
    }

    /// Lists with `getdents64`.
    public func entries(of folder: FilePath) throws(DriverError) -> [String] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1024)
        try unsafe readFolder(place(of: folder), named: folder) { _, name in
            let length = unsafe strlen(name)
            unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(start: name, count: length + 1))
        }
        return Self.lastListing.withLock { last in
            // Comparing arrays goes byte by byte.
            let isSame = unsafe last.bytes.count == bytes.count && memcmp(last.bytes, bytes, bytes.count) == 0
            if isSame { return last.names }
            let names = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            let sorted = names.filter { $0 != "." && $0 != ".." }.sorted()
            if bytes.count < 16 << 10 { last = (bytes, sorted) }
            return sorted
        }
    }

    /// The names of the last folder as read, and sorted: the folders of chips of one kind are alike.
    private static let lastListing = Mutex<(bytes: [UInt8], names: [String])>(([], []))

    /// Uses `open` and `read`; an attribute is read once, since each read may be a transfer on its bus.
    ///
    /// A read that signals keep interrupting is given up: see `ReadInterrupter`.
    public func contents(of file: FilePath, limit: Int) throws(DriverError) -> [UInt8] {
        // A file that is missing is a usual answer, for which the thrown error of `FileDescriptor.open` takes long.
        var number: CInt = -1
        let path = place(of: file)
        repeat {
            number = unsafe path.withPlatformString { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        } while number < 0 && Errno.current == .interrupted
        guard number >= 0 else { throw DriverError(errno: .current, subject: file.string) }
        do {
            let descriptor = FileDescriptor(rawValue: number)
            defer { try? descriptor.close() }
            var bytes: [UInt8] = []
            var interruptions = 0
            // A larger buffer would not be on the stack.
            try unsafe withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { buffer in
                // The kernel makes the text of an attribute, and of what is read of /proc, once and whole, at the first
                // read (seq_read_iter in Linux's fs/seq_file.c). So a short read is the end, as of any regular file.
                while bytes.count <= limit {
                    let room = unsafe UnsafeMutableRawBufferPointer(
                        rebasing: buffer[..<min(buffer.count, limit + 1 - bytes.count)])
                    let count: Int
                    do {
                        count = try unsafe descriptor.read(into: room, retryOnInterrupt: false)
                    } catch Errno.interrupted where interruptions < 3 {
                        interruptions += 1
                        continue
                    }
                    unsafe bytes.append(contentsOf: room[..<count])
                    if count < room.count { break }
                }
            }
            if bytes.count <= limit { return bytes }
        } catch {
            throw DriverError(errno: (error as? Errno) ?? .ioError, subject: file.string)
        }
        throw DriverError(.malformed, subject: file.string, detail: "longer than \(limit) bytes")
    }

    /// The given account, or this process's; the user database provides the groups of a new login.
    public func account() -> Account { (subject ?? .current).withLoginGroups }

    /// Uses `stat`, the access control list, and `access` with the effective ids or a computation for another account.
    ///
    /// Only a refusal makes a node unreadable; other errors are thrown.
    public func status(of node: FilePath) throws(DriverError) -> NodeStatus {
        try rethrowing(
            as: { (error: Errno) in DriverError(errno: error, subject: node.string) },
            try placedStatus(of: place(of: node)))
    }

    private func placedStatus(of node: FilePath) throws(Errno) -> NodeStatus {
        var status = try bareStatus(of: node)
        if let account = subject {
            status.readable = maySearch(node, account) && (status.right(of: account) != nil || account.user == 0)
        } else {
            status.refusal = try Self.refusal(of: node)
            status.readable = status.refusal == nil
        }
        if status.readable { status.right = status.right(of: subject ?? .current) ?? .capability }
        return status
    }

    private func bareStatus(of node: FilePath) throws(Errno) -> NodeStatus {
        let record = try Stat(node)
        return NodeStatus(
            owner: record.userID.rawValue, group: record.groupID.rawValue, mode: UInt16(record.permissions.rawValue),
            entries: AccessEntry.entries(parsing: Udev.accessControlList(of: node)), readable: false,
            changed: Int64(record.st_ctim.tv_sec) * 1_000_000_000 + Int64(record.st_ctim.tv_nsec))
    }

    /// The error number by which the kernel refuses to open the node for reading; nil if it would not.
    private static func refusal(of node: FilePath) throws(Errno) -> Errno? {
        // If the ids are equal, `access` gives the same result, and umockdev shows its devices only to `access`.
        let isOneself = getuid() == geteuid() && getgid() == getegid()
        let outcome =
            isOneself
            ? unsafe access(node.string, R_OK) : unsafe faccessat(AT_FDCWD, node.string, R_OK, AT_EACCESS)
        if outcome == 0 { return nil }
        let failure = Errno.current
        guard failure == .permissionDenied || failure == .notPermitted else { throw failure }
        return failure
    }

    /// Whether an account may traverse every folder above a node.
    private func maySearch(_ node: FilePath, _ account: Account) -> Bool {
        var folder = node.removingLastComponent()
        while !folder.components.isEmpty {
            guard let status = try? bareStatus(of: folder) else { return false }
            // Searching a folder needs the execute permission.
            guard status.right(of: account, to: 0o1) != nil || account.user == 0 else { return false }
            folder.removeLastComponent()
        }
        return true
    }
}
