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
        /// Another than before, and neither better nor worse; only a comparison of two assessments has it.
        case changed
    }

    /// What differs.
    public enum Subject: Sendable, Hashable {
        /// A sensor; the key is nil where only a number of its kind was expected.
        case sensor(SensorKind, key: String?, name: String?)
        case requirement(Requirement)
        case service(Service)
        case authorization(Permission)
        /// A driver, by name.
        case driver(String)
        case obstacle(SensorKind, Cause)
        case notice(Notice.ID)
    }

    /// What has changed of a sensor in addition to its availability, in the order of output.
    public enum Property: UInt8, CaseIterable, Sendable, Hashable {
        /// The key of a controller whose address was unknown before, or is now.
        case key
        case name, label, path, access
        /// The power of a controller, or the fix of a receiver and whether it is simulated.
        case state
        /// What is measured: the worst of all findings, samples per second, missing samples, their order and jitter.
        case verdict, rate, gaps, order, jitter
        /// What is measured at rest: noise, the length of the mean against the expected one, the axis that points up.
        case noise, bias, axes
        /// What is measured of a receiver: the scatter and the jumps of its position, and its signals.
        case scatter, jump, signal
        /// What is measured of a controller: the changes of its power, the time of its answers.
        case power, answer
    }

    /// The kind of difference.
    public var id: ID
    /// What it is about.
    public var subject: Subject
    /// What of the sensor has changed; nil for its availability or place, and for every other subject.
    public var property: Property?
    /// How it was, or must be: an availability, status or verdict, a number of sensors, or, of one that moved, a key.
    ///
    /// In a comparison of two assessments a requirement that is not met has the cause in place of the status. Nil where it
    /// was not there, or had no such property.
    public var before: String?
    /// The actual value, in the same terms.
    public var after: String?
    /// The reason, in one clause.
    public var detail: String?
    /// What would fix it.
    public var remedies: [Remedy] = []

    package init(
        id: ID, subject: Subject, property: Property? = nil, before: String? = nil, after: String? = nil,
        detail: String? = nil, remedies: [Remedy] = []
    ) {
        self.id = id
        self.subject = subject
        self.property = property
        self.before = before
        self.after = after
        self.detail = detail
        self.remedies = remedies
    }
}

extension Difference.Property {
    /// The name in documents.
    package var id: String { String(describing: self) }
}

extension [Difference] {
    /// By how things differ, then sensors by kind and key, requirements and services in table order, the rest.
    package var inOrder: [Difference] {
        let all = sorted { $0.place < $1.place }
        return Difference.ID.allCases.flatMap { id in all.filter { $0.id == id } }
    }

    /// Not ready where something is missing or worse, undetermined where something expected cannot be determined, else ready.
    package var status: ReadinessStatus {
        if contains(where: { $0.id == .missing || $0.id == .worse }) { return .notReady }
        return contains { $0.id == .unknown } ? .undetermined : .ready
    }
}

extension Difference {
    /// The order among differences of one `id`: sensors by kind and key, then the other subjects as they are declared.
    var place: (UInt8, UInt8, String, UInt8) {
        switch subject {
        // One without a key first.
        case .sensor(let kind, let key, _): (0, kind.rawValue, key ?? "", property?.rawValue ?? 0)
        case .requirement(let requirement): (1, requirement.rawValue, "", 0)
        case .service(let service): (2, service.rawValue, "", 0)
        case .authorization(let permission): (3, 0, permission.rawValue, 0)
        case .driver(let name): (4, 0, name, 0)
        case .obstacle(let kind, let cause): (5, kind.rawValue, "", cause.rawValue)
        case .notice(let id): (6, 0, id.rawValue, 0)
        }
    }
}
