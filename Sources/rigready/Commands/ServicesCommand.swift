import ArgumentParser
import Readiness

/// Prints the requirement table.
struct ServicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "services", _superCommandName: RigReady.name,
        abstract: "Print the requirement table: what each service requires, and what is optional.",
        discussion: "The aliases of every platform are accepted wherever a service is named, such as dfd or impact."
    )

    @Option(
        help: ArgumentHelp("The requirement table: 1.x or 2.MINOR; the newest profile not newer.", valueName: "version")
    )
    var rules: String?

    @Option(help: ArgumentHelp("text or json.", valueName: "format"))
    var format: Format = .text

    func run() throws {
        try format.refuseCases(of: "services")
        let rules = try rules.map { Rules(try RulesVersion.named($0)) } ?? .newest
        switch format {
        case .json:
            let lines = rules.rows.map { row in
                ServicesReport.Line(
                    id: row.service.id, parent: row.service.parent?.id, required: row.required.members.map(\.id),
                    optional: row.optional.members.map(\.id))
            }
            Output.finish(
                try Output.document(ServicesReport(rules: rules.profile.description, services: lines)), status: 0)
        case .text, .junit, .tap:
            var page = Page(.current)
            page.row([], rest: "rules \(rules.profile)", style: .faint)
            page.blank()
            let column = (rules.rows.map(\.service.id.count).max() ?? 0) + 2
            for row in rules.rows {
                let required = row.required.members.map(\.title).joined(separator: ", ")
                let optional = row.optional.members.map(\.title).joined(separator: ", ")
                let words = [
                    required.isEmpty ? "requires nothing" : "requires \(required)",
                    optional.isEmpty ? nil : "better with \(optional)",
                ]
                page.row(
                    [(row.service.id.padded(to: column), .strong)],
                    rest: words.compactMap { $0 }.joined(separator: "; "), style: nil)
            }
            Output.finish(page.text, status: 0)
        }
    }
}
