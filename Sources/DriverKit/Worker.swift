internal import Glibc
internal import Synchronization
internal import SystemPackage

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
        let slot = Slot<Answer>()
        let isStarted = start {
            let answer = read()
            slot.answer.withLock { $0 = answer }
            done.wake()
        }
        guard isStarted else { throw DriverError(errno: .resourceTemporarilyUnavailable, subject: "a thread") }
        return done.wait(until: deadline) ? slot.answer.withLock(\.self) : nil
    }

    private final class Slot<Answer: Sendable>: Sendable {
        let answer = Mutex<Answer?>(nil)
    }
}
