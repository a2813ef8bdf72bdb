import ArgumentParser
import LocalRig
import Readiness
import Rendering

/// The forms in which a command prints its result.
enum Format: String, Choice {
    case text, json, junit, tap, html

    /// Parses one of the words.
    static func named(_ word: String) throws -> Format {
        if let format = Format(rawValue: word) { return format }
        let words = allValueStrings
        throw ValidationError("expected \(words.list("or")).\(didYouMean(suggestion(for: word, among: words)))")
    }

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

/// When text on standard output has colour.
enum ColorChoice: String, Choice { case auto, always, never }

/// What a command has to tell, in every format; each is made when it is asked for.
struct CommandResult {
    var document: () throws(CommandFailure) -> String
    var text: (Terminal) -> String
    var cases: () -> CaseList
    /// The page; nil for a command that has none.
    var page: (() -> String)?
    var status: Int32

    /// Gathers what is told; `text` is laid out for a terminal.
    init(
        _ document: @escaping @autoclosure () -> some Encodable, text: @escaping (Terminal) -> String,
        cases: @escaping @autoclosure () -> CaseList, page: (() -> String)? = nil, status: Int32
    ) {
        self.document = { () throws(CommandFailure) in try Output.document(document()) }
        self.text = text
        self.cases = cases
        self.page = page
        self.status = status
    }

    /// The bytes of a file in a format.
    func bytes(as format: Format) throws(CommandFailure) -> [UInt8] { Array(try told(as: format, on: .file).utf8) }

    /// The result in a format.
    func told(as format: Format, on terminal: Terminal) throws(CommandFailure) -> String {
        switch format {
        case .json: try document()
        case .junit: JUnitReport(list: cases()).text
        case .tap: TAPReport(list: cases()).text
        case .text: text(terminal)
        case .html: page?() ?? ""
        }
    }
}
