public import DriverKit
internal import Glibc
public import SystemPackage

/// A conversation over a kernel descriptor: a socket, or a device such as `/dev/rfkill`.
///
/// Owns the descriptor, which must be non-blocking: every wait has a deadline and ends on `cancel`.
public final class DescriptorChannel: Channel {
    private let descriptor: FileDescriptor
    let end: Waker
    private let subject: String

    /// Takes over a non-blocking descriptor; `subject` is the peer's name in errors.
    public init(_ descriptor: FileDescriptor, subject: String) throws(DriverError) {
        do throws(DriverError) {
            end = try Waker()
        } catch {
            try? descriptor.close()
            throw error
        }
        self.descriptor = descriptor
        self.subject = subject
    }

    deinit { try? descriptor.close() }

    /// Sends one frame whole; `refused` with EPIPE or ECONNRESET if the peer is gone.
    public func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {
        var sent = 0
        while sent < frame.count {
            let count = unsafe frame[sent...].withUnsafeBytes { bytes in
                let count = unsafe Glibc.send(
                    descriptor.rawValue, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
                // MSG_NOSIGNAL is only for sockets; a device takes plain writes.
                guard count < 0, Errno.current == .notSocket else { return count }
                return unsafe Glibc.write(descriptor.rawValue, bytes.baseAddress, bytes.count)
            }
            if count < 0 { try wait(after: .current, toWrite: true, until: deadline) }
            sent += max(0, count)
        }
    }

    /// The bytes of one read, at most `limit`.
    public func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        while true {
            var failure: Errno?
            let frame = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
                let got = unsafe Glibc.read(descriptor.rawValue, buffer.baseAddress, limit)
                failure = got < 0 ? .current : nil
                count = max(0, got)
            }
            guard let failure else {
                if frame.isEmpty { throw DriverError(.closed, subject: subject) }
                return frame
            }
            try wait(after: failure, until: deadline)
        }
    }

    /// Wakes a waiting call; may be called from any thread.
    public func cancel() { end.wake() }

    /// Waits until the descriptor is ready after a call failed, or throws its error if waiting does not help.
    private func wait(after failure: Errno, toWrite: Bool = false, until deadline: Instant) throws(DriverError) {
        guard failure == .wouldBlock || failure == .interrupted else {
            throw DriverError(errno: failure, subject: subject)
        }
        try end.wait(for: descriptor.rawValue, toWrite: toWrite, subject: subject, until: deadline)
    }
}

extension Waker {
    /// Waits until a descriptor is ready; throws `timedOut` at the deadline, and `cancelled` if woken.
    func wait(
        for descriptor: CInt, toWrite: Bool = false, subject: String, until deadline: Instant
    ) throws(DriverError) {
        // A peer that always has something to say does not extend the deadline.
        guard Instant.now < deadline else { throw DriverError(.timedOut, subject: subject) }
        let outcome = try rethrowing(
            as: { (error: Errno) in DriverError(errno: error, subject: subject) },
            try wait(for: descriptor, toRead: !toWrite, toWrite: toWrite, until: deadline))
        if outcome != .ready { throw DriverError(outcome == .woken ? .cancelled : .timedOut, subject: subject) }
    }
}

extension DescriptorChannel {
    /// Connects over TCP, trying each address of the name in turn until one answers or the deadline has passed.
    ///
    /// Resolving a name may exceed the deadline, so it runs, like all of a driver, on a thread that can be abandoned.
    public static func connect(
        host: String, port: UInt16, subject: String, until deadline: Instant
    ) throws(DriverError) -> DescriptorChannel {
        try connect(to: try resolve(host, port, subject: subject), subject: subject, until: deadline)
    }

    /// Connects to the first address, a `sockaddr` as bytes, that answers; each may take an equal share of the remaining
    /// time.
    ///
    /// Throws the last address's error, but not that of a family which this process does not have. Without shares, an address that drops all packets would take all the time.
    package static func connect(
        to addresses: [[UInt8]], subject: String, until deadline: Instant
    ) throws(DriverError) -> DescriptorChannel {
        var failure: DriverError?
        for (index, address) in addresses.enumerated() {
            let now = Instant.now
            let share = now.seconds(to: deadline) / Double(addresses.count - index)
            let isLast = index == addresses.count - 1
            do throws(DriverError) {
                return try open(address, subject: subject, until: isLast ? deadline : now.advanced(bySeconds: share))
            } catch {
                if failure == nil || error.errno != .addressFamilyNotSupported { failure = error }
            }
        }
        throw failure ?? DriverError(.timedOut, subject: subject)
    }

    private static func resolve(_ host: String, _ port: UInt16, subject: String) throws(DriverError) -> [[UInt8]] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        let status = unsafe getaddrinfo(host, String(port), &hints, &first)
        guard status == 0, let list = unsafe first else {
            let words = unsafe String(cString: gai_strerror(status))
            throw DriverError(.refused, subject: subject, detail: "cannot resolve \(host): \(words)")
        }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [[UInt8]] = []
        var next = unsafe Optional(list)
        while let entry = unsafe next {
            let bytes = unsafe UnsafeRawBufferPointer(
                start: entry.pointee.ai_addr, count: Int(entry.pointee.ai_addrlen))
            unsafe addresses.append(Array(bytes))
            unsafe next = entry.pointee.ai_next
        }
        return addresses
    }

    private static func open(
        _ address: [UInt8], subject: String, until deadline: Instant
    ) throws(DriverError) -> DescriptorChannel {
        let flags = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        // A `sockaddr` begins with its family.
        let family = unsafe address.withUnsafeBytes { unsafe $0.loadUnaligned(as: sa_family_t.self) }
        let number = socket(CInt(family), flags, 0)
        guard number >= 0 else { throw DriverError(errno: .current, subject: subject) }
        let channel = try DescriptorChannel(FileDescriptor(rawValue: number), subject: subject)
        let status = unsafe address.withUnsafeBytes { bytes in
            unsafe Glibc.connect(
                number, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
        if status == 0 { return channel }
        guard Errno.current == .nowInProgress else { throw DriverError(errno: .current, subject: subject) }
        try channel.end.wait(for: number, toWrite: true, subject: subject, until: deadline)
        var outcome: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        unsafe getsockopt(number, SOL_SOCKET, SO_ERROR, &outcome, &size)
        guard outcome == 0 else { throw DriverError(errno: Errno(rawValue: outcome), subject: subject) }
        return channel
    }
}
