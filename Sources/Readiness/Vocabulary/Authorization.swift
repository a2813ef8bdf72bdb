/// What decided an authorization.
public enum AuthorizationSource: String, CaseIterable, Sendable, Hashable {
    case access, grant, policy
}

/// The authorization for location, with the raw values of `CLAuthorizationStatus`.
///
/// `indeterminate` is RigReady's own: the access was not or could not be checked. It never counts as authorized.
public enum LocationStatus: Int, Sendable, Hashable, ReportNamed {
    case indeterminate = -1
    case notDetermined = 0
    case restricted = 1
    case denied = 2
    case authorizedAlways = 3
    case authorizedWhenInUse = 4
}

/// How accurate a location may be, after `CLAccuracyAuthorization`.
public enum LocationAccuracy: Int, Sendable, Hashable, ReportNamed {
    case fullAccuracy = 0
    case reducedAccuracy = 1
}

/// The authorization for motion, Bluetooth or health, with the raw values of `CMAuthorizationStatus` and
/// `CBManagerAuthorization`.
///
/// `indeterminate` is RigReady's own: the access was not or could not be checked. It never counts as allowed.
public enum AuthorizationStatus: Int, CaseIterable, Sendable, Hashable {
    case indeterminate = -1
    case notDetermined = 0
    case restricted = 1
    case denied = 2
    case allowed = 3

    /// The name in reports; each framework has its own for "allowed".
    public func id(allowed: String) -> String { self == .allowed ? allowed : String(describing: self) }
}

package protocol PermissionStatus: Sendable, Equatable {
    /// Why it is not allowed, or `indeterminate`; nil if it is allowed.
    var refusal: Cause? { get }
}

extension AuthorizationStatus: PermissionStatus {
    package var refusal: Cause? {
        switch self {
        case .restricted: .restricted
        case .denied: .denied
        case .notDetermined: .notDetermined
        case .indeterminate: .indeterminate
        case .allowed: nil
        }
    }
}

extension LocationStatus: PermissionStatus {
    // The raw values of the statuses that are not allowed are the same.
    package var refusal: Cause? { AuthorizationStatus(rawValue: rawValue)?.refusal }
}

/// One authorization: its status, what decided it and on what evidence.
public struct Authorization<Status: Sendable & Equatable>: Sendable, Equatable {
    /// The status.
    public var status: Status
    /// What decided it.
    public var from: AuthorizationSource
    /// The evidence, in one clause.
    public var evidence: String
    /// What fixes it if it is not allowed.
    public var remedies: [Remedy]

    /// Creates an authorization.
    public init(_ status: Status, from: AuthorizationSource = .access, evidence: String, remedies: [Remedy] = []) {
        self.status = status
        self.from = from
        self.evidence = evidence
        self.remedies = remedies
    }
}

/// The effective authorizations of one user on one rig.
public struct Authorizations: Sendable, Equatable {
    /// Location: when it may be used.
    public var location: Authorization<LocationStatus>
    /// Location: how accurately.
    public var accuracy: Authorization<LocationAccuracy>
    /// Whether Always is still to be confirmed by the user.
    public var provisional: Bool
    /// Capturing motion.
    public var motion: Authorization<AuthorizationStatus>
    /// Using Bluetooth.
    public var bluetooth: Authorization<AuthorizationStatus>
    /// Reading health data.
    public var health: Authorization<AuthorizationStatus>
    /// Remarks on what decided them.
    public var notices: [Notice] = []

    /// Creates the authorizations; the accuracy is full unless stated.
    public init(
        location: Authorization<LocationStatus>, accuracy: Authorization<LocationAccuracy>? = nil,
        provisional: Bool = false, motion: Authorization<AuthorizationStatus>,
        bluetooth: Authorization<AuthorizationStatus>, health: Authorization<AuthorizationStatus>
    ) {
        self.location = location
        self.accuracy = accuracy ?? Authorization(.fullAccuracy, from: location.from, evidence: location.evidence)
        self.provisional = provisional
        self.motion = motion
        self.bluetooth = bluetooth
        self.health = health
    }

    /// What decided about location: the source of the accuracy if only that was narrowed.
    public var locationSource: AuthorizationSource {
        location.status == .authorizedAlways && accuracy.status == .reducedAccuracy ? accuracy.from : location.from
    }

    /// The evidence for location and its accuracy.
    public var locationEvidence: String {
        accuracy.status == .reducedAccuracy && accuracy.evidence != location.evidence
            ? "\(location.evidence); \(accuracy.evidence)" : location.evidence
    }
}
