internal import Synchronization

/// The channels that are in use, so that any thread can end all of them.
package final class OpenChannels: Sendable {
    private let state = Mutex<(channels: [any Channel], isCancelled: Bool)>(([], false))

    package init() {}

    package var isCancelled: Bool { state.withLock(\.isCancelled) }

    /// Cancels a channel together with the others, immediately if that has been done.
    package func keep(_ channel: any Channel) {
        let isLate = state.withLock { state in
            state.channels.append(channel)
            return state.isCancelled
        }
        if isLate { channel.cancel() }
    }

    package func drop(_ channel: any Channel) {
        state.withLock { state in state.channels.removeAll { $0 === channel } }
    }

    /// Cancels the channels, and those that are opened later; may be called from any thread.
    package func cancel() {
        let channels = state.withLock { state in
            state.isCancelled = true
            return state.channels
        }
        for channel in channels { channel.cancel() }
    }
}
