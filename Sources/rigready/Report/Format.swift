import ArgumentParser

enum Format: String, Choice {
    case text, json, junit, tap, html

    /// Throws if a command that evaluates nothing is asked for cases or a page.
    func refuseCases(of command: String) throws(ValidationError) {
        switch self {
        case .text, .json: return
        case .junit, .tap:
            throw ValidationError(
                "\(command) evaluates nothing, so it has no cases for --format \(rawValue); check, explain and compare do."
            )
        case .html:
            throw ValidationError("\(command) has no page; check, explain, compare and measure have one.")
        }
    }
}

enum ColorChoice: String, Choice { case auto, always, never }

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

    func told(as format: Format, on terminal: Terminal) throws(CommandFailure) -> String {
        switch format {
        case .json: try Output.document(document())
        case .junit: cases.map { JUnitReport(list: $0()).text } ?? ""
        case .tap: cases.map { TAPReport(list: $0()).text } ?? ""
        case .text: text(terminal)
        case .html: page?() ?? ""
        }
    }
}
