public import DriverKit
internal import Glibc
public import SystemPackage

/// A conversation over a descriptor of the kernel: a socket, or a device such as `/dev/rfkill`.
///
/// Owns the descriptor, which must not block: every wait is a `poll` with a deadline beside a pipe for `cancel`.
public final class DescriptorChannel: Channel {
    private let descriptor: FileDescriptor
    private let wake: (readEnd: FileDescriptor, writeEnd: FileDescriptor)
    private let subject: String

    /// Takes over a descriptor that does not block; `subject` is the peer's name in errors.
    public init(_ descriptor: FileDescriptor, subject: String) throws(DriverError) {
        do {
            wake = try FileDescriptor.pipe()
        } catch {
            try? descriptor.close()
            throw DriverError(errno: (error as? Errno) ?? .ioError, subject: subject)
        }
        self.descriptor = descriptor
        self.subject = subject
    }

    deinit {
        try? descriptor.close()
        try? wake.readEnd.close()
        try? wake.writeEnd.close()
    }

    /// Sends one frame whole; `refused` with EPIPE or ECONNRESET when the peer has gone.
    public func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {
        var sent = 0
        while sent < frame.count {
            // MSG_NOSIGNAL is for sockets alone; a device takes plain writes.
            var count = unsafe frame.withUnsafeBytes { bytes in
                unsafe Glibc.send(
                    descriptor.rawValue, bytes.baseAddress?.advanced(by: sent), bytes.count - sent,
                    CInt(MSG_NOSIGNAL))
            }
            if count < 0 && Errno.current == .notSocket {
                count = unsafe frame.withUnsafeBytes { bytes in
                    unsafe Glibc.write(descriptor.rawValue, bytes.baseAddress?.advanced(by: sent), bytes.count - sent)
                }
            }
            if count >= 0 {
                sent += count
            } else {
                try wait(for: CShort(POLLOUT), until: deadline)
            }
        }
    }

    /// What one read gives, of at most `limit` bytes.
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
            guard failure == .wouldBlock || failure == .interrupted else {
                throw DriverError(errno: failure, subject: subject)
            }
            try wait(for: CShort(POLLIN), until: deadline)
        }
    }

    /// Wakes a waiting call; from any thread.
    public func cancel() {
        _ = try? wake.writeEnd.writeAll([1])
    }

    /// Waits until the descriptor is ready, rethrowing what `errno` says if the last call failed for good.
    private func wait(for events: CShort, until deadline: Instant) throws(DriverError) {
        let failure = Errno.current
        guard failure == .wouldBlock || failure == .interrupted else {
            throw DriverError(errno: failure, subject: subject)
        }
        let left = Instant.now.seconds(to: deadline)
        guard left > 0 else { throw DriverError(.timedOut, subject: subject) }
        var set = [
            pollfd(fd: descriptor.rawValue, events: events, revents: 0),
            pollfd(fd: wake.readEnd.rawValue, events: CShort(POLLIN), revents: 0),
        ]
        // Rounded up, so that the last round does not spin.
        let ready = unsafe poll(&set, 2, CInt(min(left * 1000 + 1, 1e9)))
        if ready < 0 && Errno.current != .interrupted { throw DriverError(errno: .current, subject: subject) }
        if set[1].revents != 0 { throw DriverError(.cancelled, subject: subject) }
    }
}
