internal import CGlibc
internal import Glibc
internal import Synchronization
package import SystemPackage

/// A thread that is never joined: if the kernel never lets it return, only that thread is lost.
package enum Worker {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a detached thread; false if the system cannot create one.
    package static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
        var thread = pthread_t()
        let body = unsafe Unmanaged.passRetained(Body(run))
        let status = unsafe pthread_create(
            &thread, nil,
            { argument in
                if let argument = unsafe argument {
                    unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                }
                return nil
            }, body.toOpaque())
        guard status == 0 else {
            unsafe body.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// Runs on a thread what may never return; nil if it has not returned at the deadline, the thread is then abandoned.
    package static func answer<Answer: Sendable>(
        until deadline: Instant, _ read: @escaping @Sendable () -> Answer
    ) throws(DriverError) -> Answer? {
        let done = try Waker()
        let slot = Mutex<Answer?>(nil)
        let isStarted = start {
            let answer = read()
            slot.withLock { $0 = answer }
            done.wake()
        }
        guard isStarted else { throw DriverError(errno: .resourceTemporarilyUnavailable, subject: "a thread") }
        return done.wait(until: deadline) ? slot.withLock(\.self) : nil
    }
}

/// Wakes waiting threads from any other thread: an eventfd, which `poll` watches next to other descriptors.
package final class Waker: Sendable {
    package enum Outcome: Sendable {
        case woken, ready, timedOut
    }

    private let event: FileDescriptor

    package init() throws(DriverError) {
        let number = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
        guard number >= 0 else { throw DriverError(errno: .current, subject: "eventfd") }
        event = FileDescriptor(rawValue: number)
    }

    deinit { try? event.close() }

    /// Ends every wait, current ones and those that begin before `drain`.
    package func wake() { _ = eventfd_write(event.rawValue, 1) }

    /// Resets `wake`.
    package func drain() {
        var count: eventfd_t = 0
        _ = unsafe eventfd_read(event.rawValue, &count)
    }

    /// Whether `wake` was called since the last `drain`.
    package var isWoken: Bool { wait(until: .now) }

    /// Waits for `wake`; false at the deadline.
    @discardableResult
    package func wait(until deadline: Instant) -> Bool { (try? wait(for: nil, until: deadline)) == .woken }

    /// Waits for `wake`, until a descriptor is readable or writable, as requested, or until the deadline.
    package func wait(
        for descriptor: CInt?, toRead: Bool = true, toWrite: Bool = false, until deadline: Instant
    ) throws(Errno) -> Outcome {
        let events = (toRead ? POLLIN : 0) | (toWrite ? POLLOUT : 0)
        // poll ignores a negative descriptor.
        var set = [
            pollfd(fd: event.rawValue, events: CShort(POLLIN), revents: 0),
            pollfd(fd: descriptor ?? -1, events: CShort(events), revents: 0),
        ]
        while true {
            let left = Instant.now.seconds(to: deadline)
            // Rounded up, so that the last iteration does not spin.
            let ready = unsafe poll(&set, 2, CInt(left > 0 ? min(left * 1000 + 1, 1e9) : 0))
            if ready < 0 {
                // A signal does not end the wait.
                guard Errno.current == .interrupted else { throw .current }
                continue
            }
            if set[0].revents != 0 { return .woken }
            return ready > 0 ? .ready : .timedOut
        }
    }
}
