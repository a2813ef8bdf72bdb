extension AuthorizationStatus {
    /// The status word; each framework has its own for "allowed".
    public func id(allowed: String) -> String { self == .allowed ? allowed : String(describing: self) }
}

extension Authorizations {
    /// What decided about location: its accuracy's source where that alone was narrowed.
    public var locationSource: AuthorizationSource {
        location.status == .authorizedAlways && accuracy.status == .reducedAccuracy ? accuracy.from : location.from
    }

    /// What location and its accuracy rest on.
    public var locationEvidence: String {
        accuracy.status == .reducedAccuracy && accuracy.evidence != location.evidence
            ? "\(location.evidence); \(accuracy.evidence)" : location.evidence
    }
}
