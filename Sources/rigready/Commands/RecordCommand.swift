import ArgumentParser
import DriverKit
import LocalRig
import Glibc
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

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Then record what happens for so long, or until Ctrl-C.", valueName: "seconds"))
    var seconds: Double?

    @OptionGroup var options: ProbeOptions

    func validate() throws {
        try options.refuseCache(of: "record")
        guard let seconds else { return }
        guard (0.05...86_400).contains(seconds) else {
            throw ValidationError("--for takes a number from 0.05 to 86400 seconds.")
        }
        guard options.rig == nil else {
            throw ValidationError("--for records what happens on this machine; it does not go with --rig.")
        }
    }

    func run() throws {
        try options.format.refuseCases(of: "record")
        // From here on, Ctrl-C waits to be asked for: the file is to be written all the same.
        let signals = seconds.map { _ in SignalHandler() }
        let invocation = try Invocation(options)
        if let recording = invocation.recording {
            // Its own questions and times, and not what a replay would ask again.
            let copy = anonymize ? recording.anonymized(by: BundledDrivers.anonymizers) : recording
            try write(copy, "a copy of \(options.rig ?? "it")", report: Invocation(invocation, on: copy).examine())
        }
        let recorder = Recorder()
        let assessment = try invocation.examine(recordedBy: recorder)
        var told = "\(assessment.inventory.sensors.count) sensors"
        if let seconds, let signals {
            let listener = invocation.sources(recordedBy: recorder)
            Self.listen(listener, for: seconds, signals)
            told += ", \(listener.count) events" + (listener.isFull ? " (no more fit)" : "")
        }
        let recording = invocation.recording(of: assessment, by: recorder)
        guard anonymize else { try write(recording, told, report: assessment) }
        // What was seen is not what the file will tell.
        let anonymous = recording.anonymized(by: BundledDrivers.anonymizers)
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

    /// Listens until the time is up, or somebody interrupts; tells on a terminal how far it is.
    private static func listen(_ listener: EventListener, for seconds: Double, _ signals: SignalHandler) {
        let began = Instant.now
        let deadline = began.advanced(bySeconds: seconds)
        let isTerminal = isatty(STDERR_FILENO) == 1
        var isInterrupted = false
        listener.start(until: deadline)
        while !listener.isFull, Instant.now < deadline {
            if isTerminal {
                let elapsed = Int(began.seconds(to: .now))
                Output.progress("recording: \(elapsed) of \(Int(seconds.rounded(.up))) s, \(listener.count) events")
            }
            isInterrupted = signals.wait(until: min(deadline, Instant.now.advanced(bySeconds: 0.5)))
            if isInterrupted { break }
        }
        if isTerminal { Output.progress("") }
        if isInterrupted { listener.cancel() }
        // Each source says its last word; one that hangs is left behind.
        let end = Instant.now.advanced(bySeconds: 0.5)
        while !listener.isDone, Instant.now < end { usleep(2000) }
        listener.cancel()
    }
}
