import ArgumentParser
import Configuration
import Glibc
import Readiness

/// Found against expected, by stable sensor key.
struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
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
        guard baseline == nil, write == nil else { return }
        throw ValidationError("compare takes a recording, a JSON report or a manifest, or --write FILE.")
    }

    func run() throws {
        let baseline = try baseline.map { name in
            try Baseline(reading: name, rules: try options.rules.map(Call.version(named:)))
        }
        let call = try Call(options, expecting: baseline?.expectation)
        let examination = try call.examine()
        let report = try baseline.map { baseline in
            ComparisonReport(
                baseline.name,
                Comparison(
                    try expectation(baseline, call, examination), with: examination.inventory,
                    examination.judgements, examination.results, strict: options.strict))
        }
        if let write { try self.write(examination, to: write) }
        switch (report, options.format) {
        case (nil, _): break
        case (.some(let report), .json): try Output.write(Output.document(report))
        case (.some(let report), .text): try Output.write(report.text(of: examination, on: .current))
        }
        Glibc.exit(report?.exitStatus ?? 0)
    }

    /// What the baseline expects of this call: a recording is evaluated as this rig is; services that the call names
    /// leave out all others.
    private func expectation(
        _ baseline: Baseline, _ call: Call, _ examination: Examination
    ) throws -> Expectation {
        switch baseline.content {
        case .recording(let recording):
            let before = try call.on(recording).examine()
            return Expectation(before.inventory, before.judgements, before.results)
        case .report(var expectation, let depth):
            if depth != options.depth.rawValue {
                Output.complain(
                    "\(baseline.name) was taken at depth \(depth.cleaned), this is \(options.depth.rawValue): "
                        + "they see different things; --depth \(depth.cleaned) compares like with like")
            }
            narrow(&expectation, to: examination)
            return expectation
        case .manifest(var expectation):
            narrow(&expectation, to: examination)
            return expectation
        }
    }

    private func narrow(_ expectation: inout Expectation, to examination: Examination) {
        guard !options.service.isEmpty else { return }
        let listed = Set(examination.results.map(\.service))
        expectation.services = expectation.services.filter { listed.contains($0.key) }
    }

    private func write(_ examination: Examination, to file: String) throws {
        let manifest = Expectation(
            manifestOf: examination.inventory, examination.results, rules: examination.evaluator.rules.profile,
            strict: options.strict)
        let host = examination.host
        let head = "# \(host.name.cleaned) at \(host.takenAt.cleaned), by rigready \(RigReady.version)\n"
        try Files.replace(file, with: Array((head + manifest.manifest).utf8))
        let sensors = manifest.sensors?.count ?? 0
        let lost = examination.inventory.sensors.count - sensors
        let idle = examination.results.count - manifest.services.count
        let left = [
            lost > 0 ? "\(lost) sensors that are not available" : nil,
            idle > 0 ? "\(idle) services that do not run" : nil,
        ].compactMap { $0 }
        Output.complain(
            "wrote \(file): \(sensors) sensors, \(manifest.services.count) services"
                + (left.isEmpty ? "" : "; left out \(left.joined(separator: " and "))")
                + "; try: rigready compare \(file)")
    }
}
