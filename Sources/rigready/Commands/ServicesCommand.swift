import ArgumentParser
import CommandOptions
import LocalRig
import Rendering

struct ServicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "services",
        abstract: "Print the requirement table: what each service requires, and what is optional.",
        discussion: """
            Some services have a short name. The names of every platform are accepted wherever a service is named; \
            --format json lists them.
            """)

    @OptionGroup var table: TableOptions
    @OptionGroup var printing: PrintOptions<DocumentFormats>

    func run() throws {
        let asked = try table.version.map { Rules($0) }
        if let remark = asked?.remark { Output.complain(remark) }
        if printing.quiet { return }
        let rules = asked ?? .newest
        if printing.format == .json { Output.finish(try Output.document(ServicesReport(rules)), status: 0) }
        var page = Page(printing.terminals.colors.terminal)
        page.row(rest: "rules \(rules.profile)", style: .faint)
        page.blank()
        let titles = (id: "service", shortName: "short name")
        let column = max(titles.id.count, rules.rows.map(\.service.id.count).max() ?? 0)
        let second = max(titles.shortName.count, rules.rows.compactMap(\.service.shortName?.count).max() ?? 0)
        page.headings(titles.id.column(column), titles.shortName.column(second), rest: "requirements")
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
