import ArgumentParser
import LocalRig
import Readiness
import Recording
import Rendering

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
        let rig = try options.rig()
        if let recording = rig.recording {
            // Its own questions and times, and not what a replay would ask again.
            let copy = anonymize ? recording.anonymized(by: BundledDrivers.anonymizers) : recording
            try write(copy, "a copy of \(options.rig ?? "it")", report: LocalRig(rig, on: copy).assess())
        }
        let recorder = Recorder()
        let assessment = try rig.assess(recordedBy: recorder)
        let told = "\(assessment.sensors.count) sensors"
        let recording = rig.recording(of: assessment, by: recorder)
        guard anonymize else { try write(recording, told, report: assessment) }
        // What was seen is not what the file will tell.
        let anonymous = recording.anonymized(by: BundledDrivers.anonymizers)
        try write(anonymous, told, report: LocalRig(rig, on: anonymous).assess())
    }

    private func write(_ recording: Recording, _ told: String, report: @autoclosure () throws -> Assessment) throws
        -> Never
    {
        let text = options.format == .json ? try Output.document(Report(report())) : ""
        try OutputFile.replace(file, with: recording.serialized(compressed: file.hasSuffix(".gz")))
        Output.complain("wrote \(file): \(told); try: rigready --rig \(file)")
        Output.finish(text, status: 0)
    }
}
