import ArgumentParser
import LocalRig
import Readiness
import Recording
import Rendering

struct RecordCommand: ParsableCommand, ProbingCommand {
    static var refused: RefusedOptions { [.cache, .cases] }
    static let configuration = CommandConfiguration(
        commandName: "record", _superCommandName: RigReady.name,
        abstract: "Record this rig in one file, which --rig evaluates anywhere.",
        discussion: """
            The file contains every byte that the drivers read, including the position of the rig, its addresses and \
            its names, unless --anonymize is given. With --rig FILE --anonymize it makes an anonymous copy of a recording. \
            With --format json it prints the report of the same probe, which a replay reproduces.
            """
    )

    @Argument(help: "The file to write; an existing file is replaced. A name that ends in .gz is compressed.")
    var file: String

    @Flag(help: "Blur positions to 0.1°, and invent addresses, serial numbers, host and user names.")
    var anonymize = false

    @OptionGroup var options: ProbeOptions<RecordCommand>

    func run() throws {
        try options.withRig { rig in
            if let recording = rig.recording {
                // The recording's own options and times, and not those of a replay.
                let copy = anonymize ? recording.anonymized(by: BundledDrivers.anonymizers) : recording
                try write(copy, "a copy of \(options.rig ?? "it")", report: LocalRig(rig, on: copy).assess())
            }
            let recorder = Recorder()
            let assessment = try rig.assess(recordedBy: recorder)
            let summary = "\(assessment.sensors.count) sensors"
            let recording = rig.recording(of: assessment, by: recorder)
            if recorder.leftOut > 0 {
                let left = recorder.leftOut.counted("answer")
                Output.complain("the recording is full: \(left) left out, which a replay does not know")
            }
            guard anonymize else { try write(recording, summary, report: assessment) }
            // The report describes the anonymous file, not the rig itself.
            let anonymous = recording.anonymized(by: BundledDrivers.anonymizers)
            try write(anonymous, summary, report: LocalRig(rig, on: anonymous).assess())
        }
    }

    private func write(_ recording: Recording, _ summary: String, report: @autoclosure () throws -> Assessment) throws
        -> Never
    {
        let text = options.format == .json ? try Output.document(Report(report())) : ""
        try OutputFile.replace(file, with: recording.serialized(compressed: file.hasSuffix(".gz")))
        Output.complain("wrote \(file): \(summary); try: rigready --rig \(file)")
        Output.finish(text, status: 0)
    }
}
