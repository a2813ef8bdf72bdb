import ArgumentParser
import LocalRig
import Rendering

struct ServicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "services", _superCommandName: RigReady.name,
        abstract: "Print the requirement table: what each service requires, and what is optional.",
        discussion: """
            The second column is a short name, where there is one. The names of every platform are accepted wherever a service is named; \
            --format json lists them.
            """)

    @Option(help: .rules)
    var rules: String?

    @Option(help: .value("format", "text or json."), completion: .list(["text", "json"]), transform: Format.named)
    var format: Format = .text

    @Flag(help: .quiet)
    var quiet = false

    @Option(help: .color)
    var color: ColorChoice?

    func run() throws {
        try format.refuseCases(of: "services")
        let asked = try rules.map { Rules(try RulesVersion.named($0)) }
        if let remark = asked?.remark { Output.complain(remark) }
        if quiet { return }
        let rules = asked ?? .newest
        if format == .json { Output.finish(try Output.document(ServicesReport(rules)), status: 0) }
        var page = Page(.standardOutput(color ?? .auto))
        page.row(rest: "rules \(rules.profile)", style: .faint)
        page.blank()
        let column = rules.rows.map(\.service.id.count).max() ?? 0
        let second = rules.rows.compactMap(\.service.shortName?.count).max() ?? 0
        for row in rules.rows {
            let required = row.required.members.map(\.title).joined(separator: ", ")
            let optional = row.optional.members.map(\.title).joined(separator: ", ")
            let words =
                (required.isEmpty ? "requires nothing" : "requires \(required)")
                + (optional.isEmpty ? "" : "; better with \(optional)")
            page.row(
                (row.service.id.column(column), .strong), ((row.service.shortName ?? "").column(second), nil),
                rest: words)
        }
        Output.finish(page.text, status: 0)
    }
}

/// The document `rigready.services/1`.
struct ServicesReport: Encodable {
    struct Line: Encodable {
        var id: String
        var names: [String]
        @Nullable var parent: String?
        var required: [String]
        var optional: [String]
    }
    var schema = "rigready.services/1"
    var rules: String
    var services: [Line]

    init(_ rules: Rules) {
        self.rules = rules.profile.description
        services = rules.rows.map { row in
            Line(
                id: row.service.id, names: row.service.names, parent: row.service.parent?.id,
                required: row.required.members.map(\.id),
                optional: row.optional.members.map(\.id))
        }
    }
}
