internal import Glibc
internal import SystemPackage

extension DescriptorChannel {
    /// Connects over TCP, trying each address of the name in turn until one answers or the deadline is past.
    ///
    /// Resolving a name may outlast the deadline, so it runs, like all of a driver, on a thread that can be abandoned.
    public static func connect(
        host: String, port: UInt16, subject: String, until deadline: Instant
    ) throws(DriverError) -> DescriptorChannel {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        let status = unsafe getaddrinfo(host, String(port), &hints, &first)
        guard status == 0, let list = unsafe first else {
            let words = unsafe String(cString: gai_strerror(status))
            throw DriverError(.refused, subject: subject, detail: "cannot resolve \(host): \(words)")
        }
        defer { unsafe freeaddrinfo(list) }
        var failure = DriverError(.timedOut, subject: subject)
        var next = unsafe Optional(list)
        while let address = unsafe next {
            do throws(DriverError) {
                let descriptor = try unsafe connect(address.pointee, subject: subject, until: deadline)
                return try DescriptorChannel(descriptor, subject: subject)
            } catch {
                failure = error
            }
            unsafe next = address.pointee.ai_next
        }
        throw failure
    }

    private static func connect(
        _ address: addrinfo, subject: String, until deadline: Instant
    ) throws(DriverError) -> FileDescriptor {
        let flags = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let number = unsafe socket(address.ai_family, flags, 0)
        guard number >= 0 else { throw DriverError(errno: .current, subject: subject) }
        let descriptor = FileDescriptor(rawValue: number)
        do throws(DriverError) {
            if unsafe Glibc.connect(number, address.ai_addr, address.ai_addrlen) != 0 {
                guard Errno.current == .nowInProgress else { throw DriverError(errno: .current, subject: subject) }
                var set = pollfd(fd: number, events: CShort(POLLOUT), revents: 0)
                let left = max(0, min(Instant.now.seconds(to: deadline) * 1000, 1e9))
                guard unsafe poll(&set, 1, CInt(left)) > 0 else { throw DriverError(.timedOut, subject: subject) }
                var outcome: CInt = 0
                var size = socklen_t(MemoryLayout<CInt>.size)
                unsafe getsockopt(number, SOL_SOCKET, SO_ERROR, &outcome, &size)
                guard outcome == 0 else { throw DriverError(errno: Errno(rawValue: outcome), subject: subject) }
            }
        } catch {
            try? descriptor.close()
            throw error
        }
        return descriptor
    }
}
