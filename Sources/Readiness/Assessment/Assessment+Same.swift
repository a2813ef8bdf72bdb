extension Assessment {
    /// Whether two assessments come to the same.
    public func isSame(as other: Assessment) -> Bool {
        requirements == other.requirements && services == other.services && authorizations == other.authorizations
    }
}
