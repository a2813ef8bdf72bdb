internal import Foundation
internal import Synchronization

/// Calls an app's handler on the app's queue until it is stopped, with a bounded number of pending calls.
final class HandlerQueue<Value: Sendable>: Sendable {
    /// The maximum number of pending calls; further samples are dropped, errors never.
    private static var limit: Int { 512 }

    // Apple's handlers are not `Sendable`; they are called only on the app's own queue.
    private struct Handler: @unchecked Sendable {
        let call: (Value?, (any Error)?) -> Void
    }

    private let queue: OperationQueue
    private let handler: Handler
    private let waiting = Atomic(0)
    private let isWanted = Atomic(true)

    init(_ queue: OperationQueue, _ handler: @escaping (Value?, (any Error)?) -> Void) {
        self.queue = queue
        self.handler = Handler(call: handler)
    }

    /// Ends the calls; pending ones are skipped.
    func cancel() { isWanted.store(false, ordering: .releasing) }

    func send(_ value: Value) {
        guard waiting.load(ordering: .relaxed) < Self.limit else { return }
        call(value, nil)
    }

    func send(_ error: NSError) { call(nil, error) }

    private func call(_ value: Value?, _ error: NSError?) {
        waiting.add(1, ordering: .relaxed)
        queue.addOperation { [self] in
            waiting.subtract(1, ordering: .relaxed)
            if isWanted.load(ordering: .acquiring) { handler.call(value, error) }
        }
    }
}
