public import Readiness

/// What is asked for.
public enum PermissionRequest: Sendable, Equatable {
    case location(always: Bool)
    /// Full accuracy for a time in seconds, for the purpose of that key.
    case fullAccuracy(purpose: String, seconds: Double)
    case motion, bluetooth, health
}

/// What a request comes to.
public enum RequestStep: Sendable, Equatable {
    /// The user is to be asked.
    case ask(PermissionQuestion)
    /// Nothing is to be asked.
    case settled(RequestOutcome)
    /// An earlier question is still open; this request has no effect (seed 004).
    case waiting(PermissionQuestion)
}

/// How a request ended.
public enum RequestOutcome: Sendable, Equatable {
    case granted
    /// Not granted, with the reason, and what would change it.
    case refused(reason: String, remedies: [Remedy])
    /// Nobody answered; nothing was recorded.
    case deferred
}

extension RequestFlow {
    /// Why a request cannot be made: the purpose's text is missing.
    public struct MissingPurpose: Error, Sendable, Equatable, CustomStringConvertible {
        /// The key in the configuration.
        public var key: String
        /// The key of Info.plist.
        public var appleKey: String

        /// What is missing, with both keys.
        public var description: String { "expected purposes.\(key) (\(appleKey)), which says why it is asked for" }
    }
}
