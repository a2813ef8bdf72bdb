internal import Synchronization

/// A registration for events; ends when released, and may end before it has started.
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
