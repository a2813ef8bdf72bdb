internal import PhoneKit
internal import LocalRig

/// A live update: a position, or why there is none.
public struct CLLocationUpdate: Sendable {
    /// The position; nil if the update reports why there is none.
    public var location: CLLocation?
    /// Whether the device is stationary; never true on Linux, where updates do not pause.
    public internal(set) var stationary = false
    /// The user refused, or the operating system denies this user access to gpsd.
    public internal(set) var authorizationDenied = false
    /// The operating system refuses, whatever the user decided.
    public internal(set) var authorizationDeniedGlobally = false
    /// The system's policy forbids it.
    public internal(set) var authorizationRestricted = false
    /// A question to the user is open.
    public internal(set) var authorizationRequestInProgress = false
    /// The program is in the background, but must be in the foreground; or it could ask nobody.
    public internal(set) var insufficientlyInUse = false
    /// The app opted into explicit service sessions, and holds none.
    public internal(set) var serviceSessionRequired = false
    /// The position is of reduced accuracy.
    public internal(set) var accuracyLimited = false
    /// Location is allowed, but no position is available.
    public internal(set) var locationUnavailable = false

    /// The older name of `stationary`.
    public var isStationary: Bool { stationary }

    /// The kind of movement that the updates are for; has no effect on Linux.
    @nonexhaustive(warn)
    public enum LiveConfiguration: Int, Sendable {
        case `default`, automotiveNavigation, otherNavigation, fitness, airborne
    }

    /// Positions as they are reported, and each change of why there is none.
    ///
    /// Iterating asks the user once if nothing was decided yet; a sequence ends with its task. A slow reader loses the
    /// oldest of more than 64 updates.
    public static func liveUpdates(_ configuration: LiveConfiguration = .default) -> Updates {
        Updates(center: .of(.current))
    }

    /// The sequence of live updates.
    public struct Updates: AsyncSequence, Sendable {
        let center: LocationCenter

        /// Subscribes, and asks if nothing was decided yet; the updates end when the task is cancelled.
        public func makeAsyncIterator() -> AsyncThrowingStream<CLLocationUpdate, any Error>.Iterator {
            LiveUpdates.begin(center).makeAsyncIterator()
        }
    }

    /// Why there is no position; no flag is set if there can be one.
    fileprivate var reasons: [Bool] {
        [
            authorizationDenied, authorizationDeniedGlobally, authorizationRestricted, authorizationRequestInProgress,
            insufficientlyInUse, serviceSessionRequired, locationUnavailable,
        ]
    }
}

extension CLLocationUpdate {
    fileprivate init(_ standing: LocationState, lacksSession: Bool, isUnanswered: Bool) {
        authorizationDenied = standing.status == .denied
        authorizationDeniedGlobally = standing.isDeniedForAll
        authorizationRestricted = standing.status == .restricted
        authorizationRequestInProgress = standing.isAsking
        insufficientlyInUse = standing.isInsufficientlyInUse(ifUnanswered: isUnanswered)
        serviceSessionRequired = lacksSession
        accuracyLimited = standing.isAuthorized && standing.accuracy == .reducedAccuracy
    }
}

/// One iteration of live updates; its state is accessed on the centre's queue alone.
private final class LiveUpdates: @unchecked Sendable {
    private var hasAsked = false
    /// Whether nobody answered.
    private var isUnanswered = false
    /// The reasons of the last update; initially no obstacle is reported.
    private var reported = CLLocationUpdate().reasons
    private let continuation: AsyncThrowingStream<CLLocationUpdate, any Error>.Continuation

    private init(_ continuation: AsyncThrowingStream<CLLocationUpdate, any Error>.Continuation) {
        self.continuation = continuation
    }

    /// Subscribes; ends with the stream, which nothing here retains.
    static func begin(_ center: LocationCenter) -> AsyncThrowingStream<CLLocationUpdate, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: CLLocationUpdate.self, throwing: (any Error).self, bufferingPolicy: .bufferingNewest(64))
        let updates = LiveUpdates(continuation)
        let observation = center.begin(locations: true) { updates.take($0, of: center) }
        continuation.onTermination = { _ in observation.cancel() }
        return stream
    }

    private func take(_ event: LocationCenter.Event, of center: LocationCenter) {
        let standing = center.current
        var update = CLLocationUpdate(standing, lacksSession: center.lacksSession, isUnanswered: isUnanswered)
        switch event {
        case .standing: break
        case .unavailable: update.locationUnavailable = !center.lacksSession
        case .location where center.lacksSession: return
        case .location(let location): update.location = location
        }
        if update.location != nil || reported != update.reasons { continuation.yield(update) }
        reported = update.reasons
        // An explicit session of the app asks by itself.
        let mayAsk = standing.status == .notDetermined && standing.isInForeground && !standing.needsSession
        guard mayAsk, !hasAsked else { return }
        hasAsked = true
        center.ask(
            .location(always: false),
            whileWanted: { [weak self] in self != nil && center.current.status == .notDetermined }
        ) { [weak self] answered in
            guard let self, answered.isWithoutAnswer else { return }
            isUnanswered = true
            take(.standing(center.current), of: center)
        }
    }
}
