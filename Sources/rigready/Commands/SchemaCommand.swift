import ArgumentParser
import CommandOptions
import Rendering

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema of a document that rigready prints, or of a file that it reads.",
        discussion: """
            Without a name it lists the schemas. Each describes every key, with its unit. The schemas are installed in \
            share/rigready/schemas too.

            Try:
              rigready schema                               the names
              rigready schema report >report.schema.json    for a validator, or an editor
            """)

    @Argument(help: "The schema, such as report.", completion: .list(PublishedSchema.names))
    var name: String?

    @OptionGroup var colors: ColorOptions

    func run() throws {
        if let name { Output.finish(try PublishedSchema.named(name).text, status: 0) }
        var page = Page(colors.terminal)
        let width = PublishedSchema.names.map(\.count).max() ?? 0
        for schema in PublishedSchema.allCases {
            page.row((schema.rawValue.column(width), .strong), rest: try schema.title)
        }
        Output.finish(page.text, status: 0)
    }
}
