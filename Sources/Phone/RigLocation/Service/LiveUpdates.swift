internal import Permissions
internal import PhoneKit
internal import Synchronization

/// One iteration of live updates.
final class LiveUpdates: Sendable {
    private struct State {
        var hasAsked = false
        /// The last update; initially no obstacle is reported.
        var told: CLLocationUpdate.Reasons = []
    }

    private let continuation: AsyncThrowingStream<CLLocationUpdate, any Error>.Continuation
    private let center: LocationCenter
    private let state = Mutex(State())

    /// Subscribes; ends with the stream, which nothing here retains.
    static func begin(_ center: LocationCenter) -> AsyncThrowingStream<CLLocationUpdate, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: CLLocationUpdate.self, throwing: (any Error).self, bufferingPolicy: .bufferingNewest(64))
        let updates = LiveUpdates(center, continuation)
        let subscription = Subscription()
        continuation.onTermination = { _ in subscription.cancel() }
        center.begin(subscription, locations: true) { event in updates.take(event) }
        return stream
    }

    private init(
        _ center: LocationCenter, _ continuation: AsyncThrowingStream<CLLocationUpdate, any Error>.Continuation
    ) {
        self.center = center
        self.continuation = continuation
    }

    private func take(_ event: LocationCenter.Event) {
        let standing = center.current
        // An explicit session of the app asks by itself.
        let isAboutToAsk =
            standing.status == .notDetermined && standing.isInForeground && !standing.needsSession
            && state.withLock { state in
                defer { state.hasAsked = true }
                return !state.hasAsked
            }
        var update = CLLocationUpdate(standing, lacksSession: center.lacksSession, isAboutToAsk: isAboutToAsk)
        switch event {
        case .standing: break
        case .unavailable: update.locationUnavailable = !center.lacksSession
        case .location(let location):
            guard !center.lacksSession else { return }
            update.location = location
        }
        let isNews = state.withLock { state in
            defer { state.told = update.reasons }
            return update.location != nil || state.told != update.reasons
        }
        if isNews { continuation.yield(update) }
        if isAboutToAsk { center.rig.request(.location(always: false)) }
    }
}
