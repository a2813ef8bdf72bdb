import ArgumentParser
import CommandOptions
import LocalRig
import Rendering

struct RecordCommand: ProbingCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record this rig in one file, which --rig evaluates anywhere.",
        discussion: """
            The file contains every byte that the drivers read, including the position of the rig, its addresses and \
            its names, unless --anonymize is given. With --rig FILE --anonymize it makes an anonymous copy of a recording. \
            With --format json it prints the report of the same probe, which a replay reproduces.
            """
    )

    @Argument(
        help:
            "The file to write, or - for standard output; an existing file is replaced. A name that ends in .gz is compressed."
    )
    var file: String

    @Flag(help: "Blur positions to 0.1°, and invent addresses, serial numbers, host and user names.")
    var anonymize = false

    @OptionGroup var services: ServiceOptions
    @OptionGroup var options: RigOptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var user: UserOptions
    @OptionGroup var printing: PrintOptions<DocumentFormats>

    var rigOptions: LocalRig.Options { get throws { try LocalRig.Options(services, options, reading, user) } }
    var isQuiet: Bool { printing.quiet }

    func validate() throws {
        if EmbeddedRig(rawValue: file) != nil {
            throw ValidationError(
                "\(file) is the name of an embedded rig: 'rigready --rig \(file)' reports on it. For a file of this name, "
                    + "use ./\(file).")
        }
        if file == "-", printing.format != .text {
            throw ValidationError(
                "record - writes the recording to standard output, so it cannot be combined with --format json; "
                    + "name a file.")
        }
    }

    func run() throws {
        let rig = try assembled()
        if let recording = rig.recording {
            // The recording's own options and times, and not those of a replay.
            let copy = anonymize ? recording.anonymized(by: BundledDrivers.anonymizers) : recording
            try write(copy, "a copy of \(options.rig ?? "it")", report: LocalRig(rig, on: copy).assess())
        }
        let (assessment, recording) = try rig.assessRecorded()
        let summary = "\(assessment.sensors.count) sensors"
        guard anonymize else { try write(recording, summary, report: assessment) }
        // The report describes the anonymous file, not the rig itself.
        let anonymous = recording.anonymized(by: BundledDrivers.anonymizers)
        try write(anonymous, summary, report: LocalRig(rig, on: anonymous).assess())
    }

    private func write(_ recording: Recording, _ summary: String, report: @autoclosure () throws -> Assessment) throws
        -> Never
    {
        let bytes = recording.serialized(compressed: file.hasSuffix(".gz"))
        // Read back, it is the same; standard output may be a terminal.
        if file == "-" { Output.finish(String(decoding: bytes, as: UTF8.self).escapedForTerminals, status: 0) }
        let text = printing.format == .json && !isQuiet ? try Output.document(Report(report())) : ""
        try OutputFile.replace(file, with: bytes, isRecording: true)
        if !isQuiet { Output.complain("wrote \(file): \(summary); try: rigready --rig \(ShellWord.shown(file))") }
        Output.finish(text, status: 0)
    }
}

extension LocalRig {
    /// Probes once and records everything that the drivers read.
    func assessRecorded() throws -> (assessment: Assessment, recording: Recording) {
        let recorder = Recorder()
        let assessment = try assess(recordedBy: recorder)
        let recording = recording(of: assessment, by: recorder)
        recorder.complainIfFull("a replay treats them as unknown")
        return (assessment, recording)
    }
}

extension Recorder {
    /// Prints a warning with its consequence if answers were left out.
    func complainIfFull(_ consequence: String) {
        guard leftOut > 0 else { return }
        Output.complain("the recording is full: \(leftOut.counted("answer")) left out; \(consequence)")
    }
}
