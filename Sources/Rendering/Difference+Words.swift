package import Readiness

extension Difference.ID {
    /// The sign before a difference; nil for one that is neither better nor worse.
    package var mark: Mark? {
        switch self {
        case .missing, .worse: Mark("✗", .bad)
        case .unknown: Mark("?", .doubtful)
        case .moved: Mark("~", .doubtful)
        case .new: Mark("+", .good)
        case .better: Mark("✓", .good)
        case .changed: nil
        }
    }
}

extension [Difference] {
    /// How many there are of each kind, with its tone.
    package var tallyWords: (text: String, tone: Tone) {
        guard !isEmpty else { return ("as expected", .good) }
        let counts = Difference.ID.allCases.compactMap { id -> String? in
            let count = count { $0.id == id }
            return count == 0 ? nil : "\(count) \(id == .unknown ? "undetermined" : id.rawValue)"
        }
        let tone: Tone =
            switch status {
            case .ready: .good
            case .notReady: .bad
            case .undetermined: .doubtful
            }
        return (counts.joined(separator: ", "), tone)
    }

    /// The parts of each difference in all formats: what differs, how, why, and what fixes it.
    ///
    /// A reason or remedy that several differences share appears once. The assessment adds the reasons of services.
    package func lines(
        in assessment: Assessment?
    ) -> [(id: Difference.ID, kind: String, name: String, change: String, detail: String?, remedy: String?)] {
        var seen: Set<String> = []
        func once(_ words: String?) -> String? { words.flatMap { seen.insert($0).inserted ? $0 : nil } }
        return map { difference in
            let (kind, name) = difference.title
            let (detail, remedy) = (once(difference.ownDetail), once(difference.remedies.commandLine))
            return (difference.id, kind, name, difference.change(in: assessment), detail, remedy)
        }
    }
}

extension Difference.Subject {
    /// What it is, its identifier and its name.
    package var names: (kind: String, key: String?, name: String?) {
        switch self {
        case .sensor(let kind, let key, let name): (kind.id, key, name)
        case .requirement(let requirement): ("requirement", requirement.id, requirement.title)
        case .service(let service): ("service", service.id, service.title)
        case .authorization(let permission): ("authorization", permission.rawValue, permission.title)
        case .driver(let name): ("driver", name, name)
        case .obstacle(let kind, let cause): ("obstacle", kind.id, "\(kind.title) \(cause.title)")
        case .notice(let id): ("notice", id.rawValue, id.rawValue)
        }
    }
}

extension Difference {
    /// The subject of the difference: its kind, and its name.
    fileprivate var title: (kind: String, name: String) {
        let names = subject.names
        guard case .sensor(let kind, _, _) = subject else { return (names.kind, names.name ?? "") }
        return (kind.title, [names.name, names.key].compactMap { $0?.singleLine }.joined(separator: " at "))
    }

    /// Before and after; for a service also the reason, in a few words.
    fileprivate func change(in assessment: Assessment?) -> String {
        let change = (property.map { "\($0.id): " } ?? "") + change(Self.words)
        guard case .service(let service) = subject, id != .better, let assessment else { return change }
        let result = assessment.services.first { $0.service == service }
        let reason = result.map(assessment.reason) ?? detail ?? ""
        return reason.isEmpty ? change : "\(change): \(reason)"
    }

    /// Before and after, each in words; one alone where the other is nil.
    package func change(_ words: (String) -> String = { $0 }) -> String {
        [before, after].compactMap { $0.map(words) }.joined(separator: " → ")
    }

    /// The clause that the line itself does not say.
    fileprivate var ownDetail: String? {
        if case .service = subject { return nil }
        return [.worse, .unknown].contains(id) ? detail : nil
    }

    /// A cause as people say it; every other word as it is.
    package static func words(_ id: String) -> String { Cause(id: id)?.title ?? id }
}
