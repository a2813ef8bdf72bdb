import ArgumentParser
import CommandOptions
import LocalRig
import Measurement
import Rendering

struct CompareCommand: ProbingCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compare this rig with a baseline, or two measurements: what is missing, new, worse or better.",
        discussion: """
            BASELINE is a recording, a report of --format json, or a manifest in YAML or JSON; the type is detected.

            With NOW, it compares two files. Two recordings are compared like two rigs. Two measurements (measure \
            --format json), or two recordings with captures, are compared by their figures, such as noise or rate.

            Exit status: 0 nothing is missing or worse (new, moved and better are reported); 1 something is; 2 nothing \
            is, but something expected is unknown.

            Try:
              rigready compare --write rig.yaml            expect what is available now
              rigready compare rig.yaml                    what has changed since
              rigready compare yesterday.jsonl today.jsonl
              rigready compare measured.json now.json      two measurements
            """
    )

    @Argument(help: "What is expected: a recording, a JSON report, a manifest or a measurement.")
    var baseline: String?

    @Argument(help: "A later recording or measurement, in place of this rig.")
    var now: String?

    @Option(
        help: .value(
            "file",
            "Write a manifest of what is available and runs, with the rest as comments; an existing file is replaced."))
    var write: String?

    @OptionGroup var services: ServiceOptions
    @OptionGroup var options: RigOptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var user: UserOptions
    @OptionGroup var printing: PrintOptions<ReportFormats>
    @OptionGroup var files: OutputOptions

    var rigOptions: LocalRig.Options {
        get throws {
            var rig = try LocalRig.Options(services, options, reading, user)
            if let now { rig.read(.recording(now)) }
            return rig
        }
    }
    var isQuiet: Bool { printing.quiet }

    func validate() throws {
        if baseline == nil, write == nil {
            throw ValidationError("compare takes a recording, a JSON report or a manifest, or --write FILE.")
        }
        if baseline == nil, !files.output.isEmpty {
            throw ValidationError("--output writes a comparison, so it needs a baseline.")
        }
        if now != nil, options.rig != nil {
            throw ValidationError("compare takes a second file or --rig, not both.")
        }
    }

    func run() throws {
        let rules = try options.table.version
        let file = try baseline.map { try BaselineFile(reading: $0, rules: rules) }
        if let file, case .measurement = file.content { return try compareMeasurements(since: file) }
        if let file, try isMeasured(file) { return try compareMeasurements(since: file) }
        let rig = try assembled(expecting: file?.stated)
        files.output.checkFiles()
        let (assessment, recording) = try files.assess(rig)
        let expected = try file.map { try self.expected(by: $0, of: rig, assessment) }
        if let write { try self.write(assessment, to: write) }
        guard let file, let expected else { Output.finish("", status: 0) }
        if expected.sensors == nil, !isQuiet {
            Output.complain("\(file.name) lists no sensors, so only its services are compared")
        }
        let differences = Comparison(expected, with: assessment).differences
        let report = ComparisonReport(
            differences: differences, title: "\(assessment.rig.host) against \(file.name)",
            time: assessment.rig.takenAt, assessment: assessment)
        try printing.finish(
            report.result { assessment.caseList(expected, differences) }, writing: files, recording: recording)
    }

    /// Returns the baseline of this comparison: a recording is evaluated like this rig, and services named in the
    /// arguments exclude all others.
    private func expected(by file: BaselineFile, of rig: LocalRig, _ assessment: Assessment) throws -> Baseline {
        var baseline: Baseline
        switch file.content {
        case .recording(let recording): return Baseline(try LocalRig(rig, on: recording).assess())
        case .measurement:
            throw CommandFailure(.software, "\(file.name): a measurement can only be compared with a measurement")
        case .stated(let stated, let depth):
            baseline = stated
            if let depth, depth != assessment.inventory.depth.rawValue {
                let depth = String(depth.prefix(20)).singleLine
                Output.complain(
                    "\(file.name) was taken at depth \(depth), this is \(assessment.inventory.depth.rawValue), "
                        + "which finds other sensors; use --depth \(depth) to compare at the same depth")
            }
        }
        if !services.service.isEmpty {
            let listed = Set(assessment.services.map(\.service))
            baseline.services = baseline.services.filter { listed.contains($0.key) }
        }
        return baseline
    }

    // MARK: Measurements

    /// Whether the two files are compared as measurements: the later one is one, or both hold a capture.
    private func isMeasured(_ file: BaselineFile) throws -> Bool {
        guard let now else { return false }
        switch (file.content, try BaselineFile(reading: now, rules: nil).content) {
        case (_, .measurement): return true
        case (.recording(let before), .recording(let after)):
            return try Self.hasCapture(before, named: file.name) && Self.hasCapture(after, named: now)
        case (_, .recording): return false
        case (_, .stated(_, let depth)):
            throw CommandFailure(
                .badFile,
                "\(now): expected a recording or a measurement, found \(depth == nil ? "a manifest" : "a report")")
        }
    }

    private func compareMeasurements(since file: BaselineFile) throws {
        guard let name = now ?? options.rig else {
            throw CommandFailure(
                .usage,
                "\(file.name) is a measurement, and compare does not capture: rigready measure --format json > now.json, "
                    + "then rigready compare \(file.name) now.json")
        }
        if files.output.isRecorded {
            throw CommandFailure(.usage, "measurements are compared without a probe, so there is nothing to record.")
        }
        if write != nil || !services.service.isEmpty || !options.sensors.sensor.isEmpty {
            throw CommandFailure(.usage, "measurements are compared whole, without --write, --service and --sensor.")
        }
        let later = try BaselineFile(reading: name, rules: nil)
        let rig = try assembled(by: LocalRig.Options(services, options, reading, user))
        files.output.checkFiles()
        let (before, after) = (try measured(file, by: rig), try measured(later, by: rig))
        let differences = MeasurementComparison(from: before.measurement, to: after.measurement).differences
        let report = ComparisonReport(
            differences: differences, title: "\(after.report.rig.host), \(name), against \(file.name)",
            time: after.report.takenAt)
        try printing.finish(report.result { after.caseList(since: before, differences) }, writing: files)
    }

    private static func hasCapture(_ recording: Recording, named name: String) throws -> Bool {
        try recording.header.measured != nil || EmbeddedRig(rawValue: name)?.capture() != nil
    }

    private func measured(_ file: BaselineFile, by rig: LocalRig) throws -> MeasuredRig {
        switch file.content {
        case .measurement(let measured): return measured
        case .recording(let recording):
            let rig = try LocalRig(rig, on: recording).withCapture(named: file.name)
            return try MeasuredRig(rig, seconds: try MeasureCommand.recordedSeconds(of: rig, named: file.name))
        case .stated(_, let depth):
            throw CommandFailure(
                .badFile,
                "\(file.name): expected a measurement, because the other file is a measurement; found "
                    + (depth == nil ? "a manifest" : "a report"))
        }
    }

    private func write(_ assessment: Assessment, to file: String) throws {
        let manifest = Baseline(manifestOf: assessment)
        let head =
            "# \(assessment.rig.host.singleLine) at \(assessment.rig.takenAt.singleLine), by rigready \(Release.version)\n"
        // What does not work now is not expected, and stays in the file as comments with the reason.
        let missing = assessment.sensors.filter { $0.availability != .available }
        let stopped = assessment.services.filter { manifest.services[$0.service] == nil }
        let unsearched = assessment.inventory.obstacles.map { "\($0.kind.id): \($0.cause.title): \($0.detail)" }
        let text = manifest.manifest(
            commentsOnSensors: missing.flatMap { [$0.summary] + Baseline.Item(manifestOf: $0).manifestLines }
                .map(\.printable) + unsearched.map(\.printable),
            onServices: stopped.flatMap {
                ["\($0.verdict.id): \(assessment.reason(for: $0))".printable, "- \($0.id)"]
            })
        try OutputFile.replace(file, with: Array((head + text).utf8))
        let left = [
            ("sensor", "not available", missing.count), ("service", "not running", stopped.count),
            ("kind", "not searched", Set(assessment.inventory.obstacles.map(\.kind)).count),
        ].filter { $0.2 > 0 }.map { "\($0.2.counted($0.0)) \($0.1)" }
        let sensors = manifest.sensors?.count ?? 0
        if isQuiet { return }
        let rig = (now ?? options.rig).map { " --rig \(ShellWord.shown($0))" } ?? ""
        Output.complain(
            "wrote \(file): \(sensors.counted("sensor")), \(manifest.services.count.counted("service"))"
                + (left.isEmpty ? "" : "; as comments: \(left.joined(separator: ", "))")
                + "; try: rigready compare \(ShellWord.shown(file))\(rig)")
    }
}
