import ArgumentParser
import CommandOptions
import LocalRig

/// The formats that a command prints.
protocol FormatList: SendableMetatype {
    static var formats: [Format] { get }
}

/// The formats of a command that evaluates services.
enum ReportFormats: FormatList { static let formats = Format.allCases }
/// The formats of a command without cases and page.
enum DocumentFormats: FormatList { static let formats: [Format] = [.text, .json] }
/// The formats of a command with cases and without a page.
enum CaseFormats: FormatList { static let formats: [Format] = [.text, .json, .junit, .tap] }
/// The formats of a command with a page and without cases.
enum PageFormats: FormatList { static let formats: [Format] = [.text, .json, .html] }

extension FormatList {
    static var words: [String] { formats.map(\.rawValue) }

    /// Parses a format; the error suggests the nearest one, or says which commands print it.
    static func named(_ word: String) throws -> Format {
        if let format = formats.first(where: { $0.rawValue == word }) { return format }
        let takers = [CommandOutline](of: RigReady.self).titles(with: "--format", word: word)
        throw ValidationError(
            takers.isEmpty
                ? "expected \(words.list("or")).\(didYouMean(suggestion(for: word, among: words)))"
                : "expected \(words.list("or")); \(word) is a format of \(takers.list("and")).")
    }
}

struct FormatOptions<List: FormatList>: ParsableArguments {
    @Option(
        name: .customLong("format"), help: .value("format", "\(List.words.list("or")) (default: text)."),
        completion: .list(List.words), transform: { try List.named($0) })
    var chosenFormat: Format?
    var format: Format { chosenFormat ?? .text }
}

struct ColorOptions: ParsableArguments {
    @Option(help: .value("when", "Use colour: auto, always or never (default: auto, on a terminal without NO_COLOR)."))
    var color: ColorChoice?

    /// Read by `Terminal.printsASCII`, before the arguments are parsed.
    @Flag(help: "Print text in ASCII only (default: where the locale's characters are not UTF-8).")
    var ascii = false

    /// The terminal on standard output, with colour as requested.
    var terminal: Terminal { .standardOutput(color ?? .auto) }
}

/// The amount of output, and its colour.
struct TerminalOptions: ParsableArguments {
    @Flag(help: "Print no report. Errors, warnings, the exit status and the named files stay.")
    var quiet = false

    @OptionGroup var colors: ColorOptions
}

/// The printed result: format, amount and colour.
struct PrintOptions<List: FormatList>: ParsableArguments {
    @OptionGroup var formats: FormatOptions<List>
    @OptionGroup var terminals: TerminalOptions

    var format: Format { formats.format }
    var quiet: Bool { terminals.quiet }
    var color: ColorChoice { terminals.colors.color ?? .auto }

    /// Writes the requested files, prints the result, and ends the command.
    func finish(
        _ result: CommandResult, writing files: OutputOptions? = nil, recording: Recording? = nil
    ) throws(CommandFailure) -> Never {
        let isWritten = files?.output.write(result, recording: recording) ?? true
        let text = quiet ? "" : try result.text(as: format, on: terminals.colors.terminal)
        Output.finish(text, status: isWritten ? result.status : CommandFailure.ExitCode.cannotWrite.rawValue)
    }
}

/// Whether a new file may take the place of another one.
struct OverwriteOptions: ParsableArguments {
    @Flag(help: "Replace the file if it exists.")
    var force = false
}

/// Files that are written in addition to the printed result.
struct OutputOptions: ParsableArguments {
    @Option(
        help: .value(
            "format=file",
            "Also write this file, of the same probe: text, json, junit, tap, html or record; repeatable."),
        completion: .custom(CompletionWords.outputs), transform: OutputRequest.named)
    var output: [OutputRequest] = []

    func validate() throws { try output.checkTogether() }

    /// Probes once, and records that probe if a recording is to be written.
    ///
    /// For a recorded rig, the recording is a copy.
    func assess(_ rig: LocalRig) throws -> (assessment: Assessment, recording: Recording?) {
        guard output.isRecorded, rig.recording == nil else { return (try rig.assess(), rig.recording) }
        let recorded = try rig.assessRecorded()
        return (recorded.assessment, recorded.recording)
    }
}

/// The metrics of a rig.
struct MetricsOptions: ParsableArguments {
    @Option(
        help: .value(
            "file",
            "Also write Prometheus metrics to this file (0644), for node_exporter's textfile collector; watch keeps them "
                + "current until it ends."), completion: .file())
    var metrics: String?
}
