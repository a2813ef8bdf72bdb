/// One thing that a rig has otherwise than expected.
public struct Difference: Sendable, Equatable {
    /// How it differs, in the order of telling.
    public enum ID: String, CaseIterable, Sendable, Hashable {
        /// Expected, and not there; said only after a completed search.
        case missing
        /// There, and worse than expected.
        case worse
        /// Expected, and cannot be told now.
        case unknown
        /// The same chip at another place.
        case moved
        /// There, and not expected.
        case new
        /// There, and better than expected.
        case better
    }

    /// What differs.
    public enum Subject: Sendable, Equatable {
        /// A sensor; the key is nil where only a number of its kind was expected.
        case sensor(SensorKind, key: String?, name: String?)
        case requirement(Requirement)
        case service(Service)
    }

    /// How it differs.
    public var id: ID
    /// What differs.
    public var subject: Subject
    /// How it was, or must be: an availability, standing or verdict, a number of sensors, or, of one that moved, a key.
    public var before: String?
    /// How it is, in the same words.
    public var after: String?
    /// Why, in one clause.
    public var detail: String?
    /// What would mend it.
    public var remedies: [Remedy]

    /// Makes a difference.
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
