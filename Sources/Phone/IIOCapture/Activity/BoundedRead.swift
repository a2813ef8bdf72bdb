package import DriverKit
internal import Synchronization
internal import SystemPackage

/// Reads what may block, on a thread that is given up at a deadline.
package enum BoundedRead {
    private final class Slot<Answer: Sendable>: Sendable {
        let answer = Mutex<Result<Answer, DriverError>?>(nil)
    }

    /// Starts to read; `then` is called once, on another thread, with what was read or why not.
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
