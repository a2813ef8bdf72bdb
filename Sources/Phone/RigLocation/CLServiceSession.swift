internal import PhoneKit

/// A goal of the app's, held for as long as it is wanted: it asks for what it lacks, and tells how far reality is from it.
///
/// Several may be held at a time. A session asks again where what it had has lapsed, such as a permission granted once.
public final class CLServiceSession: Sendable {
    /// What the app wants to be allowed.
    @nonexhaustive(warn)
    public enum AuthorizationRequirement: Int, Sendable {
        /// Nothing: nobody is asked.
        case none = 0
        case whenInUse = 1
        case always = 2
    }

    private let goal: SessionGoal

    /// Declares a goal, and asks the user for what it lacks.
    public convenience init(authorization: AuthorizationRequirement) {
        self.init(goal: SessionGoal(authorization, fullAccuracyPurpose: nil, .of(.current)))
    }

    /// The same, with full accuracy for an hour where it is reduced, with a purpose of the configuration.
    public convenience init(authorization: AuthorizationRequirement, fullAccuracyPurposeKey: String) {
        self.init(goal: SessionGoal(authorization, fullAccuracyPurpose: fullAccuracyPurposeKey, .of(.current)))
    }

    private init(goal: SessionGoal) {
        self.goal = goal
        goal.begin()
    }

    deinit { goal.end() }

    /// Gives the goal up: nothing more is asked, and its diagnostics end.
    public func invalidate() { goal.end() }

    /// How far reality is from the goal, at once and at each change.
    public var diagnostics: Diagnostics { Diagnostics(goal: goal) }

    /// How far reality is from a session's goal; nothing set where it is reached.
    public struct Diagnostic: Sendable, Hashable {
        /// The user refused, or the operating system does not let this user at gpsd.
        public internal(set) var authorizationDenied = false
        /// It is the operating system that refuses, whatever the user decided.
        public internal(set) var authorizationDeniedGlobally = false
        /// The system's policy forbids it.
        public internal(set) var authorizationRestricted = false
        /// The user is being asked.
        public internal(set) var authorizationRequestInProgress = false
        /// Full accuracy is the goal, and location is reduced.
        public internal(set) var fullAccuracyDenied = false
        /// Always is the goal, and location is allowed while in use only.
        public internal(set) var alwaysAuthorizationDenied = false
        /// The program is in the background, and would have to be in the foreground.
        public internal(set) var insufficientlyInUse = false
        /// The app opted into service sessions of its own, and holds none with a goal.
        public internal(set) var serviceSessionRequired = false

        /// Whether the goal is reached.
        package var isClear: Bool { self == Diagnostic() }
    }

    /// The sequence of diagnostics; ends with the session.
    public struct Diagnostics: AsyncSequence, Sendable {
        /// A diagnostic.
        public typealias Element = Diagnostic
        let goal: SessionGoal

        /// Begins to listen.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(goal.diagnostics()) }

        /// Hands out one diagnostic after the other.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private var iterator: AsyncThrowingStream<Diagnostic, any Error>.AsyncIterator
            init(_ stream: AsyncThrowingStream<Diagnostic, any Error>) { iterator = stream.makeAsyncIterator() }

            /// The next diagnostic; nil once the session is over or the task cancelled.
            public mutating func next() async throws -> Diagnostic? { try await iterator.next() }
        }
    }
}
