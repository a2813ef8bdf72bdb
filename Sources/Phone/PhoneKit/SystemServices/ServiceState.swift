internal import DriverKit
package import LocalRig
public import Readiness

/// The state of one service: more than a Boolean, since what is not granted may be refused, missing, or unknown.
public struct ServiceState: Sendable, Equatable {
    /// The states.
    public enum SystemServiceStatus: String, CaseIterable, Sendable {
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

/// The result of a request: an accepted one is not yet a granted one.
public enum RequestResult: Sendable, Equatable {
    /// It may be used now.
    case granted
    /// The person accepted, or nothing forbids it, but it cannot be used.
    case accepted(ServiceState)
    /// The person, the policy or the operating system denied it.
    case refused(ServiceState)
    /// Nobody answered; nothing was recorded.
    case deferred
    /// Another question is open, here or in another process; this request had no effect.
    case busy
    /// Linux has no equivalent.
    case unsupported(ServiceState)
}

/// Why a service's state could not be determined, or a person not be asked about it.
public struct SystemServiceError: Error, Sendable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// The request could not be made, or a file of decisions is not usable.
        case request(PermissionRequestError)
        /// The rig cannot be probed.
        case rig(LocalRigError)
    }

    package let kind: Kind

    package static func request(_ error: PermissionRequestError) -> SystemServiceError {
        SystemServiceError(kind: .request(error))
    }

    package static func rig(_ error: LocalRigError) -> SystemServiceError { SystemServiceError(kind: .rig(error)) }

    /// The reason, in one clause.
    public var description: String {
        switch kind {
        case .request(.noGrantFile): "there is no place for the user's grants"
        case .request(.missingPurpose(let purpose)): purpose.description
        case .request(.file(let error)): error.description
        case .rig(let error): error.description
        }
    }
}

extension SystemServiceError {
    init(_ error: DecisionFileError) { self = .request(.file(error)) }
}
