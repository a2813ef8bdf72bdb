internal import DriverKit
internal import Glibc
internal import SystemPackage

/// What a thread rings when there is something to see, and another waits for until a deadline.
final class Waker: Sendable {
    private let ends: (readEnd: FileDescriptor, writeEnd: FileDescriptor)

    init() throws(Errno) {
        do {
            ends = try FileDescriptor.pipe()
        } catch {
            throw (error as? Errno) ?? .ioError
        }
    }

    deinit {
        try? ends.readEnd.close()
        try? ends.writeEnd.close()
    }

    /// Wakes the waiting thread.
    func wake() { _ = try? ends.writeEnd.writeAll([1]) }

    /// Waits until it is rung or the deadline is past.
    func wait(until deadline: Instant) {
        let left = max(0, Instant.now.seconds(to: deadline))
        var set = pollfd(fd: ends.readEnd.rawValue, events: CShort(POLLIN), revents: 0)
        guard unsafe poll(&set, 1, CInt(min(left * 1000 + 1, 1e9))) > 0 else { return }
        _ = unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            try? unsafe ends.readEnd.read(into: buffer)
        }
    }
}
