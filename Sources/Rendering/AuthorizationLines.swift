public import Readiness

/// The effective authorizations in the names of the contract.
public struct AuthorizationLines: Codable, Sendable {
    /// The four permissions.
    public var location, motion, bluetooth, health: AuthorizationLine

    /// Creates the lines; the state of Bluetooth is the rig's.
    public init(_ authorizations: Authorizations, bluetooth state: AdapterReading.State? = nil) {
        location = AuthorizationLine(location: authorizations)
        motion = AuthorizationLine(authorizations.motion, allowed: "authorized")
        bluetooth = AuthorizationLine(authorizations.bluetooth, allowed: "allowedAlways", state: state?.id)
        health = AuthorizationLine(authorizations.health, allowed: "authorized")
    }
}

/// One authorization; a key that is nil is not written.
public struct AuthorizationLine: Codable, Sendable {
    /// The status in the framework's term.
    public var status: String
    /// Of location: `fullAccuracy` or `reducedAccuracy`.
    public var accuracy: String?
    /// Of location: whether Always is still to be confirmed.
    public var provisional: Bool?
    /// Of Bluetooth: the state of the best controller, as `CBManagerState`.
    public var state: String?
    /// `access`, `grant` or `policy`.
    public var from: String
    /// The evidence, in one clause.
    public var evidence: String

    init(_ authorization: Authorization<AuthorizationStatus>, allowed: String, state: String? = nil) {
        status = authorization.status.id(allowed: allowed)
        self.state = state
        from = authorization.from.rawValue
        evidence = authorization.evidence
    }

    init(location authorizations: Authorizations) {
        status = authorizations.location.status.id
        accuracy = authorizations.accuracy.status.id
        provisional = authorizations.provisional
        from = authorizations.locationSource.rawValue
        evidence = authorizations.locationEvidence
    }
}
