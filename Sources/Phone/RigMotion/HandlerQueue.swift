internal import Foundation
internal import Synchronization

/// Calls an app's handler on the app's queue, as long as it is wished, and not more often than the queue can bear.
final class HandlerQueue<Value: Sendable>: Sendable {
    /// How many calls may wait; samples beyond that are dropped, errors never.
    private static var limit: Int { 512 }

    // Apple's handlers are not marked as safe to send; they are called on the app's own queue alone.
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

    /// Calls no more; what waits on the queue is passed over.
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
