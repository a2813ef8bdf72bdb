import ArgumentParser
import CommandOptions
import DriverKit
import LocalRig
import Measurement
import Rendering

struct MeasureCommand: ProbingCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure",
        abstract: "Measure how good each sensor is: rate, gaps, noise, gravity, scatter.",
        discussion: """
            Lay the rig still, under open sky if it has a receiver. Motion sensors are captured through the kernel's \
            buffer, at the rate that each is set to; all settings are restored at the end, also after a signal (except \
            SIGKILL). Without the right to the buffer their attributes are read, and rate, gaps and jitter cannot be \
            determined.

            The configuration may set stricter limits under quality: a profile, and for each kind minimumRate, \
            maximumNoise, maximumNoiseDensity, gravityWithin and maximumGaps.

            Exit status: 0 nothing is bad; 1 something is; 2 nothing is, but something cannot be determined.

            Try:
              rigready measure                                ten seconds of everything
              rigready measure --for 60 --rate 100            a minute at 100 Hz
              rigready measure --sensor accelerometer=bmi160  one sensor
              rigready measure --move                         turn the rig as asked: are the axes right?
              rigready measure --profile automotive           by the limits of Android Automotive
              rigready measure --save rig.html                a page with pictures, for a browser or a printer
              rigready measure --save rig.jsonl.gz            keep the samples; --rig rig.jsonl.gz measures again
              rigready measure --rig demo                     a recorded rig
            """
    )

    @Option(
        name: .customLong("for"), parsing: .unconditional,
        help: .value("seconds", "How long to capture (default: 10)."))
    var seconds: Double?

    @Option(
        parsing: .unconditional,
        help: .value("hertz", "The sampling rate to set meanwhile (default: each device's own)."))
    var rate: Double?

    @Flag(help: "Guide a person through a quarter turn about each axis, and judge order, signs and scales of the axes.")
    var move = false

    @Option(
        help: .value(
            "profile",
            "The limits to judge by: standard, android, automotive or px4 (default: the configuration's, else standard)."
        ))
    var profile: QualityProfile?

    @Option(
        help: .value(
            "file",
            "Also write a page (.html), pictures (.svg), tables (.csv) or a recording of the samples (.jsonl, .jsonl.gz); repeatable."
        ),
        completion: .file())
    var save: [String] = []

    @OptionGroup var options: RigOptions
    @OptionGroup var printing: PrintOptions<ReportFormats>
    @OptionGroup var files: OutputOptions

    var rigOptions: LocalRig.Options {
        get throws {
            var rig = try LocalRig.Options(options)
            // It captures through this machine's own.
            rig.sysfs = nil
            return rig
        }
    }
    var isQuiet: Bool { printing.quiet }

    func validate() throws {
        try checkSeconds("for", seconds, in: 0.5...86_400)
        if move, isQuiet {
            throw ValidationError("--move asks questions, so it cannot be combined with --quiet.")
        }
        if move, seconds != nil {
            throw ValidationError("--move takes as long as its requests, so --for has no meaning.")
        }
        if let rate, !(0.01...100_000 ~= rate) {
            throw ValidationError("--rate takes a number of Hz from 0.01 to 100000, not \(rate).")
        }
        for file in save where SavedMeasurement.Kind(file) == nil {
            throw ValidationError(
                "--save takes a name that ends in .html, .svg, .csv, .jsonl or .jsonl.gz, not '\(file)'.")
        }
        if options.rig != nil, seconds != nil || rate != nil || move || !recordings.isEmpty {
            throw ValidationError(
                "--for, --rate, --move and --save of a recording configure a capture, which --rig replaces.")
        }
    }

    private var recordings: [String] { save.filter { SavedMeasurement.Kind($0)?.isRecording == true } }

    func run() throws {
        var rig = try assembled()
        files.output.checkFiles()
        if let name = options.rig { rig = try rig.withCapture(named: name) }
        let isMoved = rig.recording.map { $0.header.measuredMotion == true } ?? move
        let recorded = try options.rig.map { try Self.recordedSeconds(of: rig, named: $0) }
        var request = MeasurementRequest(
            seconds: recorded ?? seconds ?? 10, rate: rate, isMoved: isMoved)
        let isShown = rig.recording == nil && !isQuiet
        let progress = MeasurementProgress(seconds: isShown ? request.seconds : nil)
        request.ask = { progress.ask($0) }
        request.report = { progress.take($0) }
        let halt = try Waker()
        let signals = SignalHandler(others: true)
        signals.forward { halt.wake() }
        let isRecorded = !recordings.isEmpty || files.output.isRecorded && rig.recording == nil
        let recorder = isRecorded ? Recorder() : nil
        for file in save { try OutputFile.check(file) }
        progress.start(until: halt)
        defer { progress.end() }
        let captured = try rig.series(request, halt: halt, recordedBy: recorder)
        progress.end()
        complainOfOthers(than: captured, of: rig)
        if signals.received != nil { Output.complain("ended by a signal; judged by what was captured until then") }
        request.seconds = captured.seconds
        let measurement = RigMeasurement(
            captured.series, limits: rig.qualityLimits(profile), isMoved: isMoved)
        let report = MeasurementReport(measurement, of: captured.assessment, seconds: captured.seconds)
        let recording =
            recorder.map { rig.recording(of: captured.assessment, by: $0, measured: request) } ?? rig.recording
        recorder?.complainIfFull("a replay has fewer samples than this run")
        var status = measurement.exitStatus
        do throws(CommandFailure) {
            for file in recordings {
                guard let recording else { continue }
                try OutputFile.replace(
                    file, with: recording.serialized(compressed: file.hasSuffix(".gz")), isRecording: true)
                remark("wrote \(file); try: rigready measure --rig \(ShellWord.shown(file))")
            }
            let saved = SavedMeasurement(report: report, measurement: measurement, series: captured.series)
            for file in save {
                if let kind = SavedMeasurement.Kind(file) { try saved.write(file, as: kind, remark) }
            }
        } catch {
            // What was measured is printed all the same.
            Output.complain(error.description)
            status = error.status.rawValue
        }
        try printing.finish(
            CommandResult(
                document: { report }, text: { measurement.text(report, on: $0) },
                cases: { captured.assessment.caseList(of: measurement) },
                page: { measurement.page(report, captured.series) }, status: status),
            writing: files, recording: recording)
    }

    /// Names the sensors of a recording that its capture, which was of pinned sensors, does not contain.
    private func complainOfOthers(than captured: RigSeries, of rig: LocalRig) {
        guard !isQuiet, rig.recording != nil, rig.options.pins.isEmpty else { return }
        let measured = Set(captured.series.map { "\($0.kind.id) \($0.key)" })
        let others = captured.assessment.sensors.filter { !measured.contains("\($0.kind.id) \($0.key)") }
        if others.isEmpty { return }
        let names = others.map { "\($0.kind.title) \($0.label ?? $0.name)" }.list("and")
        Output.complain("the recording has no capture of \(names)")
    }

    static func recordedSeconds(of rig: LocalRig, named name: String) throws(CommandFailure) -> Double {
        guard let seconds = rig.recording?.header.measured else {
            throw CommandFailure(
                .badFile,
                "\(name): expected a recording with a capture; rigready measure --save FILE.jsonl makes one")
        }
        return seconds
    }

    /// Prints what was done, unless it is quiet.
    private func remark(_ words: String) { if !isQuiet { Output.complain(words) } }
}

extension QualityProfile: ExpressibleByArgument {}
