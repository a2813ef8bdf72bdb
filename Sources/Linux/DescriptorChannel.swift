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
            // MSG_NOSIGNAL is only for sockets; a device takes plain writes.
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
        let outcome: Outcome
        do throws(Errno) {
            outcome = try wait(for: descriptor, toWrite: toWrite, until: deadline)
        } catch {
            throw DriverError(errno: error, subject: subject)
        }
        if outcome != .ready { throw DriverError(outcome == .woken ? .cancelled : .timedOut, subject: subject) }
    }
}
