public import ArgumentParser
public import DriverKit
internal import LocalRig
internal import Permissions
public import Readiness

/// The options that say which services are wanted, and by which rules.
///
/// Each command declares them itself: a group of the parser's would cost a tenth of the program's start.
protocol ServiceOptions {
    var service: [String] { get }
    var config: String? { get }
    var rules: String? { get }
    var motionMandatory: Bool { get }
    var backgroundLocationMandatory: Bool { get }
}

extension ServiceOptions {
    /// Adds these options to those of a rig; one service, if given, takes the place of those named.
    func add(to options: inout LocalRig.Options, only one: Service? = nil) throws(LocalRigError) {
        let services = try Service.all(named: service, by: "--service")
        if service.contains(where: { $0.split(separator: ",").contains("location") }) {
            Output.complain(
                "--service location is the service walking.location; a receiver is listed by rigready sensors")
        }
        options.services = one.map { [$0] } ?? (services.isEmpty ? nil : services)
        options.rules = try rules.map(RulesVersion.named)
        if motionMandatory { options.flags.insert(.motionPermissionMandatory) }
        if backgroundLocationMandatory { options.flags.insert(.backgroundLocationPermissionMandatory) }
        options.configurationFile = config ?? options.configurationFile
    }
}

extension ArgumentHelp {
    /// The help of an option that takes a value.
    static func value(_ name: String, _ abstract: String) -> ArgumentHelp { ArgumentHelp(abstract, valueName: name) }

    // The options that several commands declare.
    static var service: ArgumentHelp {
        .value("name", "Ask for these services, separated by commas; repeatable. See 'rigready services'.")
    }
    static var config: ArgumentHelp {
        .value("file", "Take services, options, licence, pins, purposes and accepted findings from this file.")
    }
    static var rules: ArgumentHelp {
        .value("version", "The requirement table: 1.x or 2.MINOR; the newest profile not newer.")
    }
    static var motionMandatory: ArgumentHelp { "Require motion access wherever it is optional." }
    static var backgroundLocationMandatory: ArgumentHelp { "Require background location wherever it is optional." }
    static var maxError: ArgumentHelp {
        .value("metres", "The greatest horizontal error of a precise location (default: 100).")
    }
    static var allowEstimated: ArgumentHelp {
        "Accept a position from dead reckoning, or of a time-only fix, as precise."
    }
    static var permissions: ArgumentHelp {
        .value("file", "The user's grants (default: permissions.yaml in the user's configuration folder for rigready).")
    }
    static var policy: ArgumentHelp { .value("file", "The system's policy (default: /etc/rigready/policy.yaml).") }
    static var quiet: ArgumentHelp {
        "Print nothing but problems; the exit status and the files named are as ever."
    }
    static var color: ArgumentHelp {
        .value("when", "Use colour: auto, always or never (default: auto, on a terminal without NO_COLOR).")
    }
}

/// Throws if a number of seconds is out of its range.
///
/// The options themselves take any next word, so that a negative number is not taken for an option.
func checkSeconds(_ option: String, _ value: Double?, in range: ClosedRange<Double>) throws(ValidationError) {
    guard let value, !range.contains(value) else { return }
    let (least, given) = (String(describing: range.lowerBound), String(describing: value))
    func plain(_ number: String) -> String { number.hasSuffix(".0") ? String(number.dropLast(2)) : number }
    throw ValidationError(
        "--\(option) takes a number from \(plain(least)) to \(Int(range.upperBound)) seconds, not \(plain(given)).")
}

/// What some commands do not take of the options of a probe.
struct RefusedOptions: OptionSet {
    let rawValue: UInt8

    static let service = Self(rawValue: 1)
    /// `--cached` and its file.
    static let cache = Self(rawValue: 2)
    /// `--as`.
    static let user = Self(rawValue: 4)
    /// `--format junit`, `tap` and `html`.
    static let cases = Self(rawValue: 8)
    /// `--format` as a whole.
    static let format = Self(rawValue: 16)
    static let output = Self(rawValue: 32)
    static let sysfs = Self(rawValue: 64)
}

/// A command with the options of a probe.
protocol ProbingCommand {
    /// Its name in messages.
    static var subject: String { get }
    static var configuration: CommandConfiguration { get }
    /// What it does not take: its help does not show that, and using it is an error.
    static var refused: RefusedOptions { get }
}

extension ProbingCommand {
    static var subject: String { configuration.commandName ?? "" }
}

/// The options shared by the commands that probe a rig.
struct ProbeOptions<Command: ProbingCommand>: ParsableArguments, ServiceOptions, DecisionFileOptions {
    private static func help(_ option: RefusedOptions, _ help: ArgumentHelp) -> ArgumentHelp {
        var help = help
        if Command.refused.contains(option) { help.visibility = .hidden }
        return help
    }

    /// The formats that the command prints, and in words: joining them at each start would cost more.
    private static var formats: (names: [String], words: String) {
        Command.refused.contains(.cases)
            ? (["text", "json"], "text or json")
            : (["text", "json", "junit", "tap", "html"], "text, json, junit, tap or html")
    }

    @Option(help: Self.help(.service, .service), completion: .custom(CompletionWords.services))
    var service: [String] = []

    @Option(help: .config, completion: .file())
    var config: String?

    @Option(help: .rules)
    var rules: String?

    @Flag(help: .motionMandatory)
    var motionMandatory = false

    @Flag(help: .backgroundLocationMandatory)
    var backgroundLocationMandatory = false

    @Option(
        help: .value("names", "License only these services, separated by commas."),
        completion: .custom(CompletionWords.services))
    var licence: String?

    @Flag(help: "Count a degraded service as failing in the exit status.")
    var strict = false

    @Option(
        help: .value(
            "kind=key",
            "Pin the sensor under test, by its key, label, name, path or a unique beginning; no other of its kind counts."
        ), completion: .custom(CompletionWords.sensors))
    var sensor: [String] = []

    @Option(help: .value("fix", "The lowest fix that counts: none, 2d or 3d (default: 2d, or the recording's own)."))
    var minFix: PositionReading.Fix?

    @Option(
        parsing: .unconditional,
        help: .value("seconds", "The age above which a fix is stale (default: 10, or the recording's own)."))
    var maxAge: Double?

    @Flag(help: "Do not accept a simulated fix.")
    var noSimulated = false

    @Option(parsing: .unconditional, help: .maxError)
    var maxError: Double?

    @Flag(help: .allowEstimated)
    var allowEstimated = false

    @Option(
        help: .value("depth", "How far to probe: presence, state or sample (default: sample, or the recording's own)."))
    var depth: Depth?

    @Option(
        parsing: .unconditional,
        help: .value("seconds", "The deadline of the probe (default: 2, or the recording's own)."))
    var timeout: Double?

    @Option(
        parsing: .unconditional,
        help: .value("seconds", "Additional time for the location driver (default: 0, or the recording's own)."))
    var waitFix: Double?

    @Option(help: .value("host:port", "Where gpsd listens (default: 127.0.0.1:2947)."))
    var gpsd: HostPort?

    @Option(
        help: .value(
            "uri",
            "Also probe this libiio context: ip:HOST, usb:…, serial:NODE, xml:FILE; repeatable. A recording has only its own."
        ))
    var iio: [String] = []

    @Option(
        help: Self.help(
            .sysfs, .value("folder", "Read this sysfs instead of /sys, such as the host's in a container.")),
        completion: .directory)
    var sysfs: String?

    @Option(
        help: .value(
            "file", "Use a recording instead of this machine: a file, or one of \(EmbeddedRig.names(partedBy: ", "))."),
        completion: .list(EmbeddedRig.names))
    var rig: String?

    @Flag(
        help: Self.help(
            .cache, "Use the report of the running service instead of probing, if it is no older than --max-age."))
    var cached = false

    @Option(help: Self.help(.cache, .value("file", "The file of the service (default: \(CachedReport.defaultFile)).")))
    var cachedFrom: String?

    @Option(help: .permissions)
    var permissions: String?

    @Option(help: .policy)
    var policy: String?

    @Option(
        name: .customLong("as"),
        help: Self.help(.user, .value("user", "Evaluate the access of this user; for another user only as root.")))
    var user: String?

    // Without a default of the parser's, which would make the runtime search for a way to print it.
    @Option(
        name: .customLong("format"),
        help: Self.help(.format, .value("format", "\(formats.words) (default: text).")),
        completion: .list(formats.names), transform: Format.named)
    var chosenFormat: Format?
    var format: Format { chosenFormat ?? .text }

    @Option(
        help: Self.help(
            .output,
            .value(
                "format=file",
                "Also write this file, of the same probe: text, json, junit, tap, html or record; repeatable.")),
        completion: .custom(CompletionWords.outputs), transform: OutputRequest.named)
    var output: [OutputRequest] = []

    @Flag(help: .quiet)
    var quiet = false

    @Option(help: .color)
    var color: ColorChoice?

    func validate() throws {
        let name = Command.subject
        func refuse(_ option: RefusedOptions, _ isGiven: Bool, _ reason: String) throws {
            if isGiven, Command.refused.contains(option) { throw ValidationError("\(name) \(reason)") }
        }
        try refuse(.service, !service.isEmpty, "takes one service as its argument, and no --service.")
        try refuse(
            .cache, cached, "always probes; --cached is for check, explain, sensors and permissions.")
        try refuse(.sysfs, sysfs != nil, "captures through this machine's own /sys, so --sysfs cannot be used.")
        try refuse(.user, user != nil, "asks the current user, so --as cannot be used.")
        try refuse(.format, chosenFormat != nil, "prints text; rigready --format json has the same causes.")
        try refuse(
            .output, !output.isEmpty, "writes no further files; --output is for check, explain, compare and measure.")
        try output.checkTogether(isRecordable: !cached)
        if Command.refused.contains(.cases) { try format.refuseCases(of: name) }
        try checkSeconds("timeout", timeout, in: 0.05...3600)
        try checkSeconds("wait-fix", waitFix, in: 0...86_400)
        try checkSeconds("max-age", maxAge, in: 0...86_400 * 365)
        if let maxError, !(0.001...1_000_000 ~= maxError) {
            throw ValidationError("--max-error takes a number of metres from 0.001 to 1000000.")
        }
        if cachedFrom != nil, !cached { throw ValidationError("--cached-from needs --cached.") }
        let others: [(name: String, isGiven: Bool)] = [
            ("rig", rig != nil), ("min-fix", minFix != nil), ("no-simulated", noSimulated), ("depth", depth != nil),
            ("timeout", timeout != nil), ("wait-fix", waitFix != nil), ("gpsd", gpsd != nil), ("iio", !iio.isEmpty),
            ("sysfs", sysfs != nil),
        ]
        if cached, let other = others.first(where: \.isGiven) {
            throw ValidationError("--\(other.name) configures the probe, which --cached replaces.")
        }
    }
}

extension Depth: Choice {}
extension Permission: Choice {}

/// One of a few words.
///
/// The parser's own lists of them are built from key paths, which are expensive in a program that runs for a moment.
public protocol Choice: ExpressibleByArgument, CaseIterable, RawRepresentable where RawValue == String {}

extension Choice {
    /// The words.
    public static var allValueStrings: [String] { allCases.map { $0.rawValue } }
    /// Returns no descriptions: each word describes itself.
    public static var allValueDescriptions: [String: String] { [:] }

    /// Parses one of the words; the error suggests the nearest one.
    static func named(_ word: String) throws -> Self {
        if let choice = Self(rawValue: word) { return choice }
        let words = allValueStrings
        throw ValidationError("expected \(words.list("or")).\(didYouMean(suggestion(for: word, among: words)))")
    }
}

extension PositionReading.Fix: Choice {
    /// The words in lower case.
    public static var allValueStrings: [String] { allCases.map { $0.rawValue.lowercased() } }

    /// Parses one of the words.
    public init?(argument: String) {
        guard let fix = Self.allCases.first(where: { $0.rawValue.lowercased() == argument }) else { return nil }
        self = fix
    }
}

extension HostPort: ExpressibleByArgument {
    /// Parses an argument; the default port is gpsd's.
    public init?(argument: String) { self.init(argument, defaultPort: BundledDrivers.gpsd.port) }
}

/// The options that name the files of the user's and the system's decisions.
protocol DecisionFileOptions {
    var permissions: String? { get }
    var policy: String? { get }
}

struct DecisionOptions: ParsableArguments, DecisionFileOptions {
    @Option(help: .permissions)
    var permissions: String?

    @Option(help: .policy)
    var policy: String?
}

extension DecisionFileOptions {
    /// The options of a rig with only these files, and what the environment names.
    var rigOptions: LocalRig.Options {
        var options = LocalRig.Options.environment
        options.grantFile = permissions ?? options.grantFile
        options.policyFile = policy ?? options.policyFile
        return options
    }

    /// The grant file; without one, a user without a home folder has to name it.
    func grantFile() throws(CommandFailure) -> GrantFile {
        if let file = rigOptions.decisionFiles.grants { return file }
        throw CommandFailure(.usage, "this user has no home folder; name the file: --permissions FILE")
    }
}

extension LocalRig {
    /// Returns a closure that reads the current decisions: the grants of a file, under the policy of the rig.
    func currentDecisions(in file: GrantFile) -> @Sendable () throws(DecisionFileError) -> Decisions {
        let decisions = decisions
        return { () throws(DecisionFileError) in
            var grants = try file.read()
            grants.namedFile = decisions.grants.namedFile
            var current = decisions
            (current.grants, current.now) = (grants, .live)
            return current
        }
    }
}
