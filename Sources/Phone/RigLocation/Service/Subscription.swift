internal import Synchronization

/// The right to be told; ends with itself, and may end before it has begun.
final class Subscription: Sendable {
    private struct State {
        var cancel: (@Sendable () -> Void)?
        var isCancelled = false
    }
    private let state = Mutex(State())

    var isCancelled: Bool { state.withLock(\.isCancelled) }

    func keep(_ cancel: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.cancel = state.isCancelled ? nil : cancel
            return state.isCancelled
        }
        if isLate { cancel() }
    }

    func cancel() {
        let cancel = state.withLock { state in
            defer { state = State(cancel: nil, isCancelled: true) }
            return state.cancel
        }
        cancel?()
    }

    deinit { cancel() }
}
