/// How one service stands: more than a Boolean, since what is not granted may be refused, missing, or not to be told.
public struct ServiceState: Sendable, Equatable {
    /// The states.
    public enum SystemServiceStatus: String, Sendable {
        /// Nobody has decided; asking can change it.
        case notDetermined
        /// The system's policy says no; the user cannot change it.
        case restricted
        /// The operating system, or the user, says no.
        case denied
        /// It may be used now.
        case granted
        /// There is no such device, or no such service on the bus; nothing was refused.
        case absent
        /// What would serve it does not answer.
        case unreachable
        /// Linux has nothing that backs it.
        case unsupported
        /// It cannot be told from here.
        case unknown
    }

    /// The state.
    public var status: SystemServiceStatus
    /// What it rests on, in one clause.
    public var evidence: String
    /// What would change it, where something would.
    public var remedy: String?
    /// The wanted health types that Linux has nothing for; the rest of the state is that of the others.
    public var unsupported: [String]

    /// Makes a state.
    public init(_ status: SystemServiceStatus, evidence: String, remedy: String? = nil, unsupported: [String] = []) {
        self.status = status
        self.evidence = evidence
        self.remedy = remedy
        self.unsupported = unsupported
    }

    /// Whether all that was wanted may be used.
    public var isGranted: Bool { status == .granted && unsupported.isEmpty }
}
