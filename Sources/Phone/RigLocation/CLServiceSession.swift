internal import PhoneKit

/// An authorization goal of the app: the session asks for what is missing, and reports how the status differs from the
/// goal.
///
/// Several may be held at once. A session asks again when an authorization has expired, such as a permission granted
/// once.
public final class CLServiceSession: Sendable {
    /// The authorization that the app wants.
    @nonexhaustive(warn)
    public enum AuthorizationRequirement: Int, Sendable {
        /// No authorization: nothing is asked.
        case none = 0
        case whenInUse = 1
        case always = 2
    }

    private let goal: SessionGoal

    /// Sets a goal, and asks the user for what is missing.
    public convenience init(authorization: AuthorizationRequirement) {
        self.init(goal: SessionGoal(authorization, fullAccuracyPurpose: nil, .of(.current)))
    }

    /// The same, with full accuracy for an hour if it is reduced, with a purpose of the configuration.
    public convenience init(authorization: AuthorizationRequirement, fullAccuracyPurposeKey: String) {
        self.init(goal: SessionGoal(authorization, fullAccuracyPurpose: fullAccuracyPurposeKey, .of(.current)))
    }

    private init(goal: SessionGoal) {
        self.goal = goal
        goal.begin()
    }

    deinit { goal.end() }

    /// Ends the session: nothing more is asked, and its diagnostics end.
    public func invalidate() { goal.end() }

    /// How the status differs from the goal, at once and at each change.
    public var diagnostics: Diagnostics { Diagnostics(goal: goal) }

    /// How the status differs from a session's goal; no flag is set if it is reached.
    public struct Diagnostic: Sendable, Hashable {
        /// The user refused, or the operating system denies this user access to gpsd.
        public internal(set) var authorizationDenied = false
        /// The operating system refuses, whatever the user decided.
        public internal(set) var authorizationDeniedGlobally = false
        /// The system's policy forbids it.
        public internal(set) var authorizationRestricted = false
        /// The user is being asked.
        public internal(set) var authorizationRequestInProgress = false
        /// Full accuracy is the goal, but location is reduced.
        public internal(set) var fullAccuracyDenied = false
        /// Always is the goal, but location is allowed only while in use.
        public internal(set) var alwaysAuthorizationDenied = false
        /// The program is in the background, but must be in the foreground.
        public internal(set) var insufficientlyInUse = false
        /// The app opted into explicit service sessions, and holds none with a goal.
        public internal(set) var serviceSessionRequired = false

        /// Whether the goal is reached.
        package var isClear: Bool { self == Diagnostic() }
    }

    /// The sequence of diagnostics; ends with the session.
    public struct Diagnostics: AsyncSequence, Sendable {
        /// A diagnostic.
        public typealias Element = Diagnostic
        let goal: SessionGoal

        /// Subscribes.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(goal.diagnostics()) }

        /// Returns one diagnostic after the other.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private var iterator: AsyncThrowingStream<Diagnostic, any Error>.AsyncIterator
            init(_ stream: AsyncThrowingStream<Diagnostic, any Error>) { iterator = stream.makeAsyncIterator() }

            /// The next diagnostic; nil once the session has ended or the task is cancelled.
            public mutating func next() async throws -> Diagnostic? { try await iterator.next() }
        }
    }
}
