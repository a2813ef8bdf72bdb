extension AuthorizationStatus {
    /// The name in reports; each framework has its own for "allowed".
    public func id(allowed: String) -> String { self == .allowed ? allowed : String(describing: self) }
}

extension Authorizations {
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
