import ArgumentParser
import DriverKit
import Readiness
import Recording

/// Captures a whole rig into one file.
struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record", _superCommandName: RigReady.name,
        abstract: "Capture this rig into one file, which --rig evaluates anywhere.",
        discussion: """
            Every byte that the drivers read is in the file, the position of the rig, its addresses and its names \
            included, unless --anonymize is given. With --rig FILE --anonymize it makes an anonymous copy of a recording. \
            With --format json it prints the report of the same probe, which a replay then gives too.
            """
    )

    @Argument(help: "The file to write; one that exists is replaced. A name that ends in .gz is packed.")
    var file: String

    @Flag(help: "Blur positions to 0.1°, and invent addresses, serial numbers, host and user names.")
    var anonymize = false

    @OptionGroup var options: ProbeOptions

    func validate() throws {
        try options.refuseCache(of: "record")
    }

    func run() throws {
        try options.format.refuseCases(of: "record")
        let invocation = try Invocation(options)
        if let recording = invocation.recording {
            // Its own questions and times, and not what a replay would ask again.
            let copy = anonymize ? recording.anonymized() : recording
            try write(copy, "a copy of \(options.rig ?? "it")", report: Invocation(invocation, on: copy).examine())
        }
        let recorder = Recorder()
        let assessment = try invocation.examine(recordedBy: recorder)
        let told = "\(assessment.inventory.sensors.count) sensors"
        let recording = invocation.recording(of: assessment, by: recorder)
        guard anonymize else { try write(recording, told, report: assessment) }
        // What was seen is not what the file will tell.
        let anonymous = recording.anonymized()
        try write(anonymous, told, report: Invocation(invocation, on: anonymous).examine())
    }

    private func write(_ recording: Recording, _ told: String, report: @autoclosure () throws -> Assessment) throws
        -> Never
    {
        let text = options.format == .json ? try Output.document(Report(report())) : ""
        try Files.replace(file, with: recording.serialized(compressed: file.hasSuffix(".gz")))
        Output.complain("wrote \(file): \(told); try: rigready --rig \(file)")
        Output.finish(text, status: 0)
    }
}
