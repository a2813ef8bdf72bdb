import Readiness

/// The document `rigready.comparison/1`, and the same as text.
struct ComparisonReport: Encodable {
    struct Line: Encodable {
        var id: String
        var kind: String
        @Report.Nullable var key: String?
        @Report.Nullable var name: String?
        @Report.Nullable var before: String?
        @Report.Nullable var after: String?
        @Report.Nullable var detail: String?
        @Report.Nullable var remedy: String?

        init(_ difference: Difference) {
            id = difference.id.rawValue
            (kind, key, name) =
                switch difference.subject {
                case .sensor(let kind, let key, let name): (kind.id, key, name)
                case .requirement(let requirement): ("requirement", requirement.id, requirement.title)
                case .service(let service): ("service", service.id, service.title)
                }
            before = difference.before
            after = difference.after
            detail = difference.detail
            remedy = difference.remedy
        }
    }

    var schema = "rigready.comparison/1"
    var findings: [Line]
    var exitStatus: Int32
    private let baseline: String
    private let differences: [Difference]

    private enum CodingKeys: CodingKey { case schema, findings, exitStatus }

    init(_ baseline: String, _ comparison: Comparison) {
        self.baseline = baseline
        differences = comparison.differences
        findings = differences.map(Line.init)
        exitStatus = comparison.outcome.rawValue
    }

    /// One line a finding; a remedy is told once.
    func text(of examination: Examination, on terminal: Terminal) -> String {
        var page = Page(terminal)
        let (tally, style) = tally
        page.ends("\(examination.host.name.cleaned) against \(baseline.cleaned)", tally, style)
        guard !differences.isEmpty else { return page.text }
        page.blank()
        let rows = differences.map { (id: $0.id.rawValue, kind: $0.kindTitle, name: $0.name, place: $0.place) }
        func width(_ column: [String], _ limit: Int) -> Int { min(column.map(\.count).max() ?? 0, limit) + 2 }
        let widths = (
            width(rows.map(\.id), 8), width(rows.map(\.kind), 16), width(rows.map(\.name), 24),
            width(rows.map(\.place), 34)
        )
        var remedies: Set<String> = []
        for (difference, row) in zip(differences, rows) {
            let (sign, style) = difference.id.mark
            page.row(
                [
                    (sign, style), (row.id.padded(to: widths.0), style), (row.kind.padded(to: widths.1), .faint),
                    (row.name.padded(to: widths.2), .strong), (row.place.padded(to: widths.3), nil),
                ], rest: difference.change, style: nil)
            if let remedy = difference.remedy, remedies.insert(remedy).inserted {
                page.hanging(4 + widths.0, "→ " + remedy, .good)
            }
        }
        return page.text
    }

    private var tally: (String, Terminal.Style) {
        guard !differences.isEmpty else { return ("as expected", .good) }
        let counts = Difference.ID.allCases.compactMap { id -> String? in
            let count = differences.count { $0.id == id }
            return count == 0 ? nil : "\(count) \(id == .unknown ? "cannot be told" : id.rawValue)"
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
        }
    }
}

extension Difference {
    fileprivate var kindTitle: String {
        switch subject {
        case .sensor(let kind, _, _): kind.title
        case .requirement: "requirement"
        case .service: "service"
        }
    }

    fileprivate var name: String {
        switch subject {
        case .sensor(_, _, let name): name?.cleaned ?? ""
        case .requirement(let requirement): requirement.title
        case .service(let service): service.title
        }
    }

    fileprivate var place: String {
        if case .sensor(_, let key, _) = subject { key?.cleaned ?? "" } else { "" }
    }

    /// Before and after, and why.
    fileprivate var change: String {
        let words = [before, after].compactMap { $0.map(Self.words) }
        let change = words.joined(separator: " → ")
        return detail.map { "\(change): \($0)" } ?? change
    }

    /// A cause as people say it; every other word as it is.
    private static func words(_ id: String) -> String { Cause.allCases.first { $0.id == id }?.title ?? id }
}
