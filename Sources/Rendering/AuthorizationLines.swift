internal import Readiness

/// The effective authorizations in the names of the contract.
public struct AuthorizationLines: Codable, Sendable {
    /// Location.
    public struct Location: Codable, Sendable {
        /// The status in the framework's term.
        public var status: String
        /// `fullAccuracy` or `reducedAccuracy`.
        public var accuracy: String
        /// Whether Always is still to be confirmed.
        public var provisional: Bool
        /// `access`, `grant` or `policy`.
        public var from: String
        /// The evidence, in one clause.
        public var evidence: String
    }
    /// Motion and health.
    public struct Plain: Codable, Sendable {
        /// The status in the framework's term.
        public var status: String
        /// `access`, `grant` or `policy`.
        public var from: String
        /// The evidence, in one clause.
        public var evidence: String
    }
    /// Bluetooth.
    public struct Bluetooth: Codable, Sendable {
        /// The status in the framework's term.
        public var status: String
        /// The state of the best controller, as `CBManagerState`.
        public var state: String
        /// `access`, `grant` or `policy`.
        public var from: String
        /// The evidence, in one clause.
        public var evidence: String
    }

    /// Location.
    public var location: Location
    /// Motion.
    public var motion: Plain
    /// Bluetooth.
    public var bluetooth: Bluetooth
    /// Health.
    public var health: Plain

    init(_ assessment: Assessment) {
        let authorizations = assessment.authorizations
        location = Location(
            status: authorizations.location.status.id, accuracy: authorizations.accuracy.status.id,
            provisional: authorizations.provisional, from: authorizations.locationSource.rawValue,
            evidence: authorizations.locationEvidence)
        motion = Plain(authorizations.motion)
        bluetooth = Bluetooth(
            status: authorizations.bluetooth.status.id(allowed: "allowedAlways"), state: assessment.bluetoothState.id,
            from: authorizations.bluetooth.from.rawValue, evidence: authorizations.bluetooth.evidence)
        health = Plain(authorizations.health)
    }
}

extension AuthorizationLines.Plain {
    init(_ authorization: Authorization<AuthorizationStatus>) {
        status = authorization.status.id(allowed: "authorized")
        from = authorization.from.rawValue
        evidence = authorization.evidence
    }
}
