import ArgumentParser
import CommandOptions
import LocalRig

/// A command that probes a rig.
protocol ProbingCommand: ParsableCommand {
    /// The options of the rig; throws if one is not valid.
    var rigOptions: LocalRig.Options { get throws }
    /// Whether it probes again and again.
    var isWatching: Bool { get }
    /// Whether it runs for others, and logs.
    var isService: Bool { get }
    /// Whether it prints nothing but problems.
    var isQuiet: Bool { get }
}

extension LocalRig.Options {
    /// The options for a command that needs only access rights: no sensor is sampled unless `--depth` says so.
    var withoutSamples: Self {
        var options = self
        options.depth = depth ?? .state
        return options
    }

    /// The options without a configuration, not even the one in the default place.
    var withoutConfiguration: Self {
        var options = self
        options.configurationFile = "/dev/null"
        return options
    }
}

extension ProbingCommand {
    var isWatching: Bool { false }
    var isService: Bool { false }

    /// Whether a sensor that it reads may block in the kernel; options that are not valid are for the command itself to
    /// refuse.
    var mayBlock: Bool { (try? rigOptions)?.mayBlock(whileWatching: isWatching) ?? false }

    /// The rig of the options; a baseline's rules and services apply if the options name none.
    func assembled(expecting baseline: Baseline? = nil) throws -> LocalRig {
        try assembled(by: rigOptions, expecting: baseline)
    }

    /// The rig of other options than those of the command.
    func assembled(by options: LocalRig.Options, expecting baseline: Baseline? = nil) throws -> LocalRig {
        var rig = try LocalRig(options, expecting: baseline)
        if !isQuiet { rig.waiting = ProgressLine.show }
        rig.remarks.forEach { Output.complain($0) }
        return rig
    }
}

extension LocalRig {
    /// The exit status of what is shown and not evaluated: 2 if nothing could be probed.
    var statusWhenShown: Int32 { isBlind ? 2 : 0 }
}

/// The report of the running service in place of a probe.
struct CacheOptions: RigOptionGroup {
    @Flag(help: "Use the report of the running service instead of probing, if it is no older than --max-age.")
    var cached = false

    @Option(
        help: .value("file", "The file of the service (default: \(CachedReport.defaultFile))."), completion: .file())
    var cachedFrom: String?

    func validate() throws {
        if cachedFrom != nil, !cached { throw ValidationError("--cached-from needs --cached.") }
    }

    /// Belongs after the other groups: it refuses their options that configure a probe.
    func configure(_ options: inout LocalRig.Options) throws(LocalRigError) {
        guard cached else { return }
        let environment = LocalRig.Options.environment
        let isRecorded = if case .recording = options.source { true } else { false }
        let others = [
            ("rig", isRecorded), ("min-fix", options.minimumFix != nil), ("depth", options.depth != nil),
            ("no-simulated", options.allowsSimulated != nil), ("timeout", options.timeout != nil),
            ("wait-fix", options.waitForFix != nil), ("gpsd", options.gpsd != environment.gpsd),
            ("iio", !options.iio.isEmpty), ("sysfs", options.sysfs != environment.sysfs),
        ]
        if let other = others.first(where: \.1) {
            throw LocalRigError(.invalidRequest, "--\(other.0) configures the probe, which --cached replaces.")
        }
        options.source = .cached(
            file: cachedFrom ?? CachedReport.defaultFile, maximumAge: options.maximumAge ?? .seconds(10))
    }

    /// Throws if a recording is requested: `--cached` does not probe.
    func refuseRecording(in files: OutputOptions) throws(ValidationError) {
        if cached, files.output.isRecorded {
            throw ValidationError("--cached probes nothing, so there is nothing for --output record to write.")
        }
    }
}

extension DecisionOptions {
    /// The grant file; without one, a user without a home folder has to name it.
    func grantFile() throws -> GrantFile {
        if let file = try LocalRig.Options(self).decisionFiles.grants { return file }
        throw CommandFailure(.usage, "this user has no home folder; name the file: --permissions FILE")
    }
}

extension LocalRig {
    /// Returns a closure that reads the current decisions: the grants of a file, under the policy of the rig.
    func currentDecisions(in file: GrantFile) -> @Sendable () throws(DecisionFileError) -> Decisions {
        let rig = self
        return { () throws(DecisionFileError) in
            rig.decided(by: Decisions(try file.read(), rig.decisions.policy, at: .live)).decisions
        }
    }
}
