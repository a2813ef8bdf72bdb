public import Readiness

/// What a request asks for.
public enum PermissionRequest: Sendable, Equatable {
    case location(always: Bool)
    /// Full accuracy for a number of seconds, for the purpose with that key.
    case fullAccuracy(purpose: String, seconds: Double)
    case motion, bluetooth, health
}

/// The next step of a request.
public enum RequestStep: Sendable, Equatable {
    /// The user has to be asked.
    case ask(PermissionQuestion)
    /// There is nothing to ask.
    case settled(RequestOutcome)
    /// An earlier question is still open; this request has no effect (seed 004).
    case waiting(PermissionQuestion)
}

/// The outcome of a request.
public enum RequestOutcome: Sendable, Equatable {
    case granted
    /// Not granted, with the reason and what changes it.
    case refused(reason: String, remedies: [Remedy])
    /// No answer; nothing was recorded.
    case deferred
}

extension RequestFlow {
    /// The text of a purpose is missing, so the request cannot be made.
    public struct MissingPurpose: Error, Sendable, Equatable, CustomStringConvertible {
        /// The key in the configuration.
        public var key: String
        /// The key of Info.plist.
        public var appleKey: String

        /// The missing purpose, with both keys.
        public var description: String { "expected purposes.\(key) (\(appleKey)), the reason for the request" }
    }
}
