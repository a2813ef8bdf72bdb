import LocalRig
import Measurement
import Readiness
import Rendering

/// The document `rigready.comparison/1`, also as text.
struct ComparisonReport: Encodable {
    struct Line: Encodable {
        var id: String
        var kind: String
        @Nullable var key: String?
        @Nullable var name: String?
        @Nullable var property: String?
        @Nullable var before: String?
        @Nullable var after: String?
        @Nullable var detail: String?
        @Nullable var remedy: String?

        init(_ difference: Difference) {
            id = difference.id.rawValue
            (kind, key, name) = difference.subject.names
            property = difference.property?.id
            before = difference.before
            after = difference.after
            detail = difference.detail
            remedy = difference.remedies.commandLine
        }
    }

    var schema = "rigready.comparison/1"
    var findings: [Line]
    var exitStatus: Int32
    private let baseline: String
    private let differences: [Difference]

    private enum CodingKeys: CodingKey { case schema, findings, exitStatus }

    init(_ baseline: String, _ comparison: Comparison) { self.init(baseline, comparison.differences) }

    init(_ baseline: String, _ comparison: MeasurementComparison) { self.init(baseline, comparison.differences) }

    private init(_ baseline: String, _ differences: [Difference]) {
        self.baseline = baseline
        self.differences = differences
        findings = differences.map(Line.init)
        exitStatus = differences.status.rawValue
    }

    /// One line per finding, below it the reason and what fixes it, each printed once.
    ///
    /// An assessment gives services their reasons.
    func text(of host: String, _ assessment: Assessment? = nil, on terminal: Terminal) -> String {
        var page = Page(terminal)
        let (tally, style) = tally
        page.ends("\(host) against \(baseline)", tally, style)
        guard !differences.isEmpty else { return page.text }
        page.blank()
        let titles = differences.map(\.title)
        let widths = (titles.map(\.kind.columns).max() ?? 0, min(titles.map(\.name.columns).max() ?? 0, 34))
        var told: Set<String> = []
        for (difference, title) in zip(differences, titles) {
            let (sign, style) = difference.id.mark
            // A key is never cut, since --sensor takes it.
            let name = title.name.column(widths.1)
            page.row(
                (sign, style), (difference.id.rawValue.padded(to: 9), style),
                (title.kind.padded(to: widths.0 + 2), .faint), (name, .strong), rest: difference.change(in: assessment))
            if let detail = difference.ownDetail, told.insert(detail).inserted { page.hanging(13, detail, .faint) }
            if let remedy = difference.remedies.commandLine, told.insert(remedy).inserted { page.remedy(13, remedy) }
        }
        return page.text
    }

    private var tally: (String, Terminal.Style) {
        guard !differences.isEmpty else { return ("as expected", .good) }
        let counts = Difference.ID.allCases.compactMap { id -> String? in
            let count = differences.count { $0.id == id }
            return count == 0 ? nil : "\(count) \(id == .unknown ? "undetermined" : id.rawValue)"
        }
        return (counts.joined(separator: ", "), exitStatus == 0 ? .good : exitStatus == 1 ? .bad : .doubtful)
    }
}

extension Difference.ID {
    fileprivate var mark: (String, Terminal.Style) {
        switch self {
        case .missing, .worse: ("✗ ", .bad)
        case .unknown: ("? ", .doubtful)
        case .moved: ("~ ", .doubtful)
        case .new: ("+ ", .good)
        case .better: ("✓ ", .good)
        case .changed: ("  ", .faint)
        }
    }
}

extension Difference.Subject {
    /// What it is, its identifier and its name.
    var names: (kind: String, key: String?, name: String?) {
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
    func change(_ words: (String) -> String = { $0 }) -> String {
        [before, after].compactMap { $0.map(words) }.joined(separator: " → ")
    }

    /// The clause that the line itself does not say.
    fileprivate var ownDetail: String? {
        if case .service = subject { return nil }
        return [.worse, .unknown].contains(id) ? detail : nil
    }

    /// A cause as people say it; every other word as it is.
    static func words(_ id: String) -> String { Cause.allCases.first { $0.id == id }?.title ?? id }
}
