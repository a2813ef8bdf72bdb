internal import PhoneKit

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
    /// The user is being asked, or is about to be.
    public internal(set) var authorizationRequestInProgress = false
    /// The program is in the background, but must be in the foreground.
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
        /// An update.
        public typealias Element = CLLocationUpdate
        let center: LocationCenter

        /// Subscribes, and asks if nothing was decided yet.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(LiveUpdates.begin(center)) }

        /// Returns one update after the other.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private var iterator: AsyncThrowingStream<CLLocationUpdate, any Error>.AsyncIterator
            init(_ stream: AsyncThrowingStream<CLLocationUpdate, any Error>) {
                iterator = stream.makeAsyncIterator()
            }

            /// The next update; nil once the task is cancelled.
            public mutating func next() async throws -> CLLocationUpdate? { try await iterator.next() }
        }
    }

    /// Why there is no position, by the authorization; no flag is set if location may be used.
    init(_ standing: LocationState, lacksSession: Bool, isAboutToAsk: Bool = false) {
        authorizationDenied = standing.status == .denied
        authorizationDeniedGlobally = standing.isDeniedForAll
        authorizationRestricted = standing.status == .restricted
        authorizationRequestInProgress = standing.isAsking || isAboutToAsk
        insufficientlyInUse = standing.isInsufficientlyInUse
        serviceSessionRequired = lacksSession
        accuracyLimited = standing.isAuthorized && standing.accuracy == .reducedAccuracy
    }

    /// The reason why there is no position, if there is one.
    struct Reasons: OptionSet {
        let rawValue: Int
        static let denied = Reasons(rawValue: 1)
        static let deniedGlobally = Reasons(rawValue: 2)
        static let restricted = Reasons(rawValue: 4)
        static let asking = Reasons(rawValue: 8)
        static let notInUse = Reasons(rawValue: 16)
        static let noSession = Reasons(rawValue: 32)
        static let noPosition = Reasons(rawValue: 64)
    }

    /// The flags of this update that give the reason why there is no position.
    var reasons: Reasons {
        let all: [(Bool, Reasons)] = [
            (authorizationDenied, .denied), (authorizationDeniedGlobally, .deniedGlobally),
            (authorizationRestricted, .restricted), (authorizationRequestInProgress, .asking),
            (insufficientlyInUse, .notInUse), (serviceSessionRequired, .noSession), (locationUnavailable, .noPosition),
        ]
        return Reasons(all.filter(\.0).map(\.1))
    }
}
