import ArgumentParser

enum Format: String, CaseIterable { case text, json, junit, tap, html }

enum ColorChoice: String, CaseIterable, ExpressibleByArgument { case auto, always, never }

/// What a command has to tell, in every format; each is made when it is asked for.
struct CommandResult {
    var document: () -> any Encodable
    /// The text, laid out for a terminal.
    var text: (Terminal) -> String
    /// The cases; nil for a command that evaluates nothing.
    var cases: (() -> CaseList)?
    /// The page; nil for a command that has none.
    var page: (() -> String)?
    var status: Int32

    func text(as format: Format, on terminal: Terminal) throws(CommandFailure) -> String {
        switch format {
        case .json: try Output.document(document())
        case .junit: cases.map { JUnitReport(list: $0()).text } ?? ""
        case .tap: cases.map { TAPReport(list: $0()).text } ?? ""
        case .text: text(terminal)
        case .html: page?() ?? ""
        }
    }
}
