public import Readiness

/// The state of one service: more than a Boolean, since what is not granted may be refused, missing, or unknown.
public struct ServiceState: Sendable, Equatable {
    /// The states.
    public enum SystemServiceStatus: String, Sendable {
        /// Nothing is decided; asking can change it.
        case notDetermined
        /// The system's policy forbids it; the user cannot change that.
        case restricted
        /// The operating system, or the user, denies it.
        case denied
        /// It may be used now.
        case granted
        /// There is no such device, or no such service on the bus; nothing was refused.
        case absent
        /// Its source does not answer.
        case unreachable
        /// Linux has no equivalent.
        case unsupported
        /// It is unknown.
        case unknown
    }

    /// The state.
    public var status: SystemServiceStatus
    /// The reason, in one clause.
    public var evidence: String
    /// What would change it, if something would.
    public var remedies: [Remedy]
    /// The requested health types that Linux does not have; the rest of the state is that of the others.
    public var unsupported: [String]

    /// Makes a state.
    public init(_ status: SystemServiceStatus, evidence: String, remedies: [Remedy] = [], unsupported: [String] = []) {
        self.status = status
        self.evidence = evidence
        self.remedies = remedies
        self.unsupported = unsupported
    }

    /// Whether everything requested may be used.
    public var isGranted: Bool { status == .granted && unsupported.isEmpty }
}
