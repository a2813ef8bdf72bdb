/// A finding that a person names: a requirement or a kind of sensor, with or without a cause; a cause or a notice alone;
/// or one root cause of a report.
package struct FindingQuery: Sendable, Equatable {
    /// What a finding is about.
    package enum Subject: Sendable, Equatable {
        case requirement(Requirement)
        case kind(SensorKind)
    }

    /// The requirement or kind; nil for any.
    package private(set) var subject: Subject?
    /// The cause; nil for any.
    package private(set) var cause: Cause?
    /// The notice; a word may name both a cause and a notice, as `foregroundOnly` does.
    package private(set) var notice: Notice.ID?
    /// The identifier of a root cause; nil for any.
    package private(set) var rootCause: String?

    /// Finds what a word names, such as `motion.denied`, `receiver.noFix`, `gyroscope`, `silent`, `contradictoryFix` or
    /// `noDriver:i2c-1/1-0069`; nil for any other word.
    ///
    /// Case, `_`, `-` and blanks are ignored, except in the identifier of a root cause.
    package init?(named word: String) {
        guard word.utf8.count <= 1024 else { return nil }
        if let colon = word.firstIndex(of: ":") {
            cause = Self.cause(named: word[..<colon])
            guard cause != nil else { return nil }
            rootCause = word
            return
        }
        if let dot = word.firstIndex(of: ".") {
            subject = Subject(named: word[..<dot])
            cause = Self.cause(named: word[word.index(after: dot)...])
            if subject == nil || cause == nil { return nil }
            return
        }
        subject = Subject(named: word[...])
        if subject != nil { return }
        cause = Self.cause(named: word[...])
        let plain = word.plainName
        notice = Notice.ID.allCases.first { $0.rawValue.plainName == plain }
        if cause == nil, notice == nil { return nil }
    }

    /// The identifier, such as `motion.denied`.
    package var id: String {
        rootCause ?? [subject?.id, cause?.id ?? notice?.rawValue].compactMap(\.self).joined(separator: ".")
    }

    /// The finding of the requirement that a kind of sensor meets; nil if no kind is named.
    package var ofRequirement: String? {
        guard case .kind(let kind)? = subject,
            let requirement = Requirement.allCases.first(where: { $0.kinds.contains(kind) })
        else { return nil }
        return [requirement.id, cause?.id].compactMap(\.self).joined(separator: ".")
    }

    /// The names of requirements, kinds, causes and notices, each once.
    package static var words: [String] {
        let notices = Notice.ID.allCases.map(\.rawValue)
        return (subjects + Cause.allCases.map(\.id) + notices).unique
    }

    /// The names of requirements and kinds, each with every cause.
    package static var findings: [String] {
        subjects.flatMap { subject in Cause.allCases.map { "\(subject).\($0.id)" } }
    }

    /// Returns the service, kind, cause or finding nearest to a word that names none.
    package static func suggestion(for word: String) -> String? {
        let services = Service.allCases.flatMap { [$0.id] + $0.names }
        let isDotted = word.utf8.contains(UInt8(ascii: "."))
        return Readiness.suggestion(for: word, among: services + words + (isDotted ? findings : []))
    }

    private static let subjects: [String] = {
        let kinds = SensorKind.allCases.flatMap(\.names).filter { !$0.utf8.contains(UInt8(ascii: " ")) }
        return (Requirement.allCases.map(\.id) + kinds).unique
    }()

    private static func cause(named word: Substring) -> Cause? {
        let plain = word.plainName
        return Cause.allCases.first { $0.id.plainName == plain || $0.title.plainName == plain }
    }
}

extension FindingQuery.Subject {
    fileprivate init?(named word: Substring) {
        let plain = word.plainName
        if let requirement = Requirement.allCases.first(where: { $0.id.plainName == plain }) {
            self = .requirement(requirement)
        } else if let kind = SensorKind.allCases.first(where: { $0.names.contains { $0.plainName == plain } }) {
            self = .kind(kind)
        } else {
            return nil
        }
    }

    /// The identifier of the requirement or kind.
    var id: String {
        switch self {
        case .requirement(let requirement): requirement.id
        case .kind(let kind): kind.id
        }
    }

    /// The kinds of sensor concerned.
    var kinds: [SensorKind] {
        switch self {
        case .requirement(let requirement): requirement.kinds
        case .kind(let kind): [kind]
        }
    }

    func includes(_ requirement: Requirement) -> Bool {
        switch self {
        case .requirement(let one): one == requirement
        case .kind(let kind): requirement.kinds.contains(kind)
        }
    }
}

/// The parts of an assessment that concern a finding.
package struct FindingMatches: Sendable, Equatable {
    /// The root causes, in their order.
    package let rootCauses: [RootCause]
    /// The requirements with the cause; without a cause, all requirements of the subject.
    package let requirements: [RequirementResult]
    /// The sensors with the cause that are in none of these root causes and requirements.
    package let sensors: [Sensor]
    /// The notices.
    package let notices: [Notice]

    /// Whether no part concerns the finding.
    package var isEmpty: Bool { rootCauses.isEmpty && requirements.isEmpty && sensors.isEmpty && notices.isEmpty }
}

extension Assessment {
    /// Returns the parts that concern a finding.
    package func matches(of query: FindingQuery) -> FindingMatches {
        let isOfNoticeAlone = query.subject == nil && query.cause == nil
        let causes = isOfNoticeAlone ? [] : rootCauses.filter { isMatch($0, of: query) }
        let named = RequirementSet(causes.flatMap(\.requirements))
        let results = requirements.filter { result in
            if query.rootCause != nil { return named.contains(result.requirement) }
            guard !isOfNoticeAlone, query.subject?.includes(result.requirement) != false else { return false }
            return query.cause.map { result.causes.contains($0) } ?? true
        }
        let keys = Set(causes.flatMap(\.sensors) + results.flatMap(\.decidedBy))
        let others = sensors.filter { sensor in
            guard !isOfNoticeAlone, query.rootCause == nil, !keys.contains(sensor.key) else { return false }
            guard query.subject?.kinds.contains(sensor.kind) != false else { return false }
            guard let cause = query.cause else { return sensor.availability.cause != nil }
            return sensor.availability.cause == cause || cause == .denied && sensor.access == .denied
        }
        return FindingMatches(
            rootCauses: causes, requirements: results, sensors: others,
            notices: notices.filter { $0.id == query.notice })
    }

    private func isMatch(_ cause: RootCause, of query: FindingQuery) -> Bool {
        if let id = query.rootCause { return cause.id == id }
        guard query.cause == nil || query.cause == cause.cause else { return false }
        guard let subject = query.subject else { return true }
        guard cause.requirements.contains(where: subject.includes) else { return false }
        guard case .kind(let kind) = subject, !cause.sensors.isEmpty else { return true }
        return sensors.contains { $0.kind == kind && cause.sensors.contains($0.key) }
    }
}
