package import DriverKit
internal import Glibc
internal import SystemPackage

/// The end of a capture, which any thread may call and every wait of the capture hears.
package final class Halt: Sendable {
    /// What a wait came to.
    package enum Wake: Sendable {
        case halted, ready, timedOut
    }

    private let ends: (readEnd: FileDescriptor, writeEnd: FileDescriptor)

    /// Makes one that nobody has called.
    package init() throws(DriverError) {
        do {
            ends = try FileDescriptor.pipe()
        } catch {
            throw DriverError(errno: (error as? Errno) ?? .ioError, subject: "pipe")
        }
    }

    deinit {
        try? ends.readEnd.close()
        try? ends.writeEnd.close()
    }

    /// Ends the capture; from any thread.
    package func call() { _ = try? ends.writeEnd.writeAll([1]) }

    /// Whether it was called.
    package var isCalled: Bool { wait(for: nil, until: .now) == .halted }

    /// Waits until it is called, a descriptor has something to read, or a deadline is past.
    package func wait(for descriptor: CInt?, until deadline: Instant) -> Wake {
        var set = [pollfd(fd: ends.readEnd.rawValue, events: CShort(POLLIN), revents: 0)]
        if let descriptor { set.append(pollfd(fd: descriptor, events: CShort(POLLIN), revents: 0)) }
        while true {
            let left = max(0, Instant.now.seconds(to: deadline))
            // Rounded up, so that the last round does not spin.
            let ready = unsafe poll(&set, nfds_t(set.count), CInt(left > 0 ? min(left * 1000 + 1, 1e9) : 0))
            if ready < 0 && Errno.current == .interrupted { continue }
            if set[0].revents != 0 { return .halted }
            return ready > 0 ? .ready : .timedOut
        }
    }
}
