package import DriverKit
internal import Synchronization
internal import SystemPackage

/// A read that may block, on a thread that is abandoned at a deadline.
package enum BoundedRead {
    private final class Slot<Answer: Sendable>: Sendable {
        let answer = Mutex<Result<Answer, DriverError>?>(nil)
    }

    /// Starts the read; `then` is called once, on another thread, with the result.
    package static func start<Answer: Sendable>(
        of subject: String, within seconds: Double,
        _ read: @escaping @Sendable () throws(DriverError) -> Answer,
        then: @escaping @Sendable (Result<Answer, DriverError>) -> Void
    ) {
        let slot = Slot<Answer>()
        let done: Waker
        do throws(DriverError) {
            done = try Waker()
        } catch {
            return then(.failure(error))
        }
        let isStarted = Worker.start {
            do throws(DriverError) {
                let answer = try read()
                slot.answer.withLock { $0 = .success(answer) }
            } catch {
                slot.answer.withLock { $0 = .failure(error) }
            }
            done.wake()
        }
        let isWaiting =
            isStarted
            && Worker.start {
                done.wait(until: Instant.now.advanced(bySeconds: seconds))
                then(slot.answer.withLock(\.self) ?? .failure(DriverError(.timedOut, subject: subject)))
            }
        if !isWaiting { then(.failure(DriverError(errno: .resourceTemporarilyUnavailable, subject: "a thread"))) }
    }
}
