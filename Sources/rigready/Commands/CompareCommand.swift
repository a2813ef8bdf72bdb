import ArgumentParser
import Configuration
import Readiness

/// Found against expected, by stable sensor key.
struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare", _superCommandName: RigReady.name,
        abstract: "Compare this rig with what it was, or should be: what is missing, new, moved, worse, better.",
        discussion: """
            BASELINE is a recording, a report of --format json, or a manifest in YAML or JSON; its contents decide.

            Exit status: 0 nothing is missing or worse (new, moved and better are told); 1 something is; 2 nothing \
            is, but something expected cannot be told.

            Try:
              rigready compare --write rig.yaml            expect what is here now
              rigready compare rig.yaml                    what has changed since
              rigready compare yesterday.jsonl --rig today.jsonl
            """
    )

    @Argument(help: "What is expected: a recording, a JSON report or a manifest.")
    var baseline: String?

    @Option(
        help: ArgumentHelp(
            "Write a manifest of what is available and runs; an existing file is replaced.", valueName: "file"))
    var write: String?

    @OptionGroup var options: ProbeOptions

    func validate() throws {
        try options.refuseCache(of: "compare")
        guard baseline == nil, write == nil else { return }
        throw ValidationError("compare takes a recording, a JSON report or a manifest, or --write FILE.")
    }

    func run() throws {
        let file = try baseline.map { name in
            try BaselineFile(reading: name, rules: try options.rules.map(Invocation.version(named:)))
        }
        let invocation = try Invocation(options, expecting: file?.told)
        let assessment = try invocation.examine()
        let expected = try file.map { try self.expected(by: $0, of: invocation, assessment) }
        if let write { try self.write(assessment, to: write) }
        guard let file, let expected else { Output.finish("", status: 0) }
        let comparison = Comparison(
            expected, with: assessment.inventory, assessment.requirementResults, assessment.results,
            strict: options.strict)
        let report = ComparisonReport(file.name, comparison)
        var cases: CaseList { assessment.caseList(expected, comparison.differences) }
        let text =
            switch options.format {
            case .json: try Output.document(report)
            case .text: report.text(of: assessment, on: .current)
            case .junit: JUnitReport(list: cases).text
            case .tap: TAPReport(list: cases).text
            }
        Output.finish(text, status: report.exitStatus)
    }

    /// What the baseline expects of this call: a recording is evaluated as this rig is, and services that the call
    /// names leave out all others.
    private func expected(by file: BaselineFile, of invocation: Invocation, _ assessment: Assessment) throws -> Baseline
    {
        var baseline: Baseline
        switch file.content {
        case .recording(let recording):
            let before = try Invocation(invocation, on: recording).examine()
            return Baseline(before.inventory, before.requirementResults, before.results)
        case .manifest(let told): baseline = told
        case .report(let told, let depth):
            baseline = told
            if depth != assessment.inventory.depth.rawValue {
                let depth = String(depth.prefix(20)).singleLine
                Output.complain(
                    "\(file.name) was taken at depth \(depth), this is \(assessment.inventory.depth.rawValue), which sees other "
                        + "things; --depth \(depth) compares like with like")
            }
        }
        if !options.service.isEmpty {
            let listed = Set(assessment.results.map(\.service))
            baseline.services = baseline.services.filter { listed.contains($0.key) }
        }
        return baseline
    }

    private func write(_ assessment: Assessment, to file: String) throws {
        let manifest = Baseline(
            manifestOf: assessment.inventory, assessment.results, rules: assessment.evaluator.rules.profile,
            strict: options.strict)
        let host = assessment.host
        let head = "# \(host.name.singleLine) at \(host.takenAt.singleLine), by rigready \(RigReady.version)\n"
        try Files.replace(file, with: Array((head + manifest.manifest).utf8))
        func some(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
        let sensors = manifest.sensors?.count ?? 0
        let left = [
            ("sensor", "not available", assessment.inventory.sensors.count - sensors),
            ("service", "not running", assessment.results.count - manifest.services.count),
        ].filter { $0.2 > 0 }.map { "\(some($0.2, $0.0)) \($0.1)" }
        Output.complain(
            "wrote \(file): \(some(sensors, "sensor")), \(some(manifest.services.count, "service"))"
                + (left.isEmpty ? "" : "; left out \(left.joined(separator: " and "))")
                + "; try: rigready compare \(file)")
    }
}
