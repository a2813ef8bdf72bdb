extension Assessment {
    /// Whether two assessments have the same results, whatever their rig identity, readings and notices.
    public func isSame(as other: Assessment) -> Bool {
        requirements == other.requirements && services == other.services && authorizations == other.authorizations
    }
}
