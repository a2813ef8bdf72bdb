extension Assessment {
    /// Whether two assessments have equal requirements, services and authorizations.
    public func isSame(as other: Assessment) -> Bool {
        requirements == other.requirements && services == other.services && authorizations == other.authorizations
    }
}
