internal import PhoneKit

/// One thing that live updates have to tell: a position, or why none comes.
public struct CLLocationUpdate: Sendable {
    /// The position; nil where the update tells why there is none.
    public var location: CLLocation?
    /// Whether the device rests; never on Linux, where updates do not pause.
    public internal(set) var stationary = false
    /// The user refused, or the operating system does not let this user at gpsd.
    public internal(set) var authorizationDenied = false
    /// It is the operating system that refuses, whatever the user decided.
    public internal(set) var authorizationDeniedGlobally = false
    /// The system's policy forbids it.
    public internal(set) var authorizationRestricted = false
    /// The user is being asked, or is about to be.
    public internal(set) var authorizationRequestInProgress = false
    /// The program is in the background, and would have to be in the foreground.
    public internal(set) var insufficientlyInUse = false
    /// The app opted into service sessions of its own, and holds none.
    public internal(set) var serviceSessionRequired = false
    /// The position is of reduced accuracy.
    public internal(set) var accuracyLimited = false
    /// Location is allowed, but no position comes.
    public internal(set) var locationUnavailable = false

    /// The older name of `stationary`.
    public var isStationary: Bool { stationary }

    /// What kind of movement the updates are for; without effect on Linux.
    @nonexhaustive(warn)
    public enum LiveConfiguration: Int, Sendable {
        case `default`, automotiveNavigation, otherNavigation, fitness, airborne
    }

    /// Positions as they come, and why none comes, at each change.
    ///
    /// Iterating asks the user once, where nobody has decided yet; a sequence ends with its task. A slow reader loses the
    /// oldest of more than 64 updates.
    public static func liveUpdates(_ configuration: LiveConfiguration = .default) -> Updates {
        Updates(center: .of(.current))
    }

    /// The sequence of live updates.
    public struct Updates: AsyncSequence, Sendable {
        /// An update.
        public typealias Element = CLLocationUpdate
        let center: LocationCenter

        /// Begins to listen, and asks where nobody has decided yet.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(LiveUpdates.begin(center)) }

        /// Hands out one update after the other.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private var iterator: AsyncThrowingStream<CLLocationUpdate, any Error>.AsyncIterator
            init(_ stream: AsyncThrowingStream<CLLocationUpdate, any Error>) {
                iterator = stream.makeAsyncIterator()
            }

            /// The next update; nil once the task is cancelled.
            public mutating func next() async throws -> CLLocationUpdate? { try await iterator.next() }
        }
    }

    /// Why nothing comes, by how location stands; nothing set where one may.
    init(_ standing: LocationState, lacksSession: Bool, isAboutToAsk: Bool = false) {
        authorizationDenied = standing.status == .denied
        authorizationDeniedGlobally = standing.isDeniedForAll
        authorizationRestricted = standing.status == .restricted
        authorizationRequestInProgress = standing.isAsking || isAboutToAsk
        insufficientlyInUse = standing.isInsufficientlyInUse
        serviceSessionRequired = lacksSession
        accuracyLimited = standing.isAuthorized && standing.accuracy == .reducedAccuracy
    }

    /// Why no position comes, as far as anything stands in the way.
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

    /// What of this update tells why no position comes.
    var reasons: Reasons {
        let all: [(Bool, Reasons)] = [
            (authorizationDenied, .denied), (authorizationDeniedGlobally, .deniedGlobally),
            (authorizationRestricted, .restricted), (authorizationRequestInProgress, .asking),
            (insufficientlyInUse, .notInUse), (serviceSessionRequired, .noSession), (locationUnavailable, .noPosition),
        ]
        return Reasons(all.filter(\.0).map(\.1))
    }
}
