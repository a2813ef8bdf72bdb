/// One difference between a rig and its baseline.
public struct Difference: Sendable, Equatable {
    /// The kind of difference, in report order.
    public enum ID: String, CaseIterable, Sendable, Hashable {
        /// Expected, and not there; reported only after a complete search.
        case missing
        /// There, and worse than expected.
        case worse
        /// Expected, and now unknown.
        case unknown
        /// The same chip at a different place.
        case moved
        /// There, and not expected.
        case new
        /// There, and better than expected.
        case better
    }

    /// What a difference is about.
    public enum Subject: Sendable, Equatable {
        /// A sensor; the key is nil if only a number of its kind was expected.
        case sensor(SensorKind, key: String?, name: String?)
        case requirement(Requirement)
        case service(Service)
    }

    /// The kind of difference.
    public var id: ID
    /// What it is about.
    public var subject: Subject
    /// The expected value: an availability, status or verdict, a number of sensors, or, for one that moved, a key.
    public var before: String?
    /// The actual value, in the same terms.
    public var after: String?
    /// The reason, in one clause.
    public var detail: String?
    /// What fixes it.
    public var remedies: [Remedy]

    /// Creates a difference.
    public init(
        _ id: ID, _ subject: Subject, before: String? = nil, after: String? = nil, detail: String? = nil,
        remedies: [Remedy] = []
    ) {
        self.id = id
        self.subject = subject
        self.before = before
        self.after = after
        self.detail = detail
        self.remedies = remedies
    }
}
