internal import CSpawn
internal import Glibc
internal import Synchronization

/// Runs a body on a thread that belongs to another user; the other threads keep theirs.
///
/// Needs root.
/// Source: credentials(7): the kernel has them per thread, and only the C library changes those of all.
public func onThread<Value: Sendable>(
    ofUser user: UInt32, _ body: @escaping @Sendable () throws -> Value
) throws -> Value {
    let outcome = Outcome<Value>()
    detach {
        let isSet = set_user_of_thread(user) == 0
        outcome.set(
            Result {
                guard isSet else { throw ChildProcess.NotStarted(description: "the thread's user cannot be set") }
                return try body()
            })
    }
    while true {
        if let result = outcome.result { return try result.get() }
        usleep(2000)
    }
}

private final class Outcome<Value: Sendable>: Sendable {
    private let held = Mutex<Result<Value, any Error>?>(nil)

    var result: Result<Value, any Error>? { held.withLock { $0 } }

    func set(_ result: Result<Value, any Error>) { held.withLock { $0 = result } }
}
