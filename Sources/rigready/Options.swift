public import ArgumentParser
public import DriverKit
import LocalRig
public import Readiness

/// The options shared by the commands that probe a rig.
struct ProbeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Ask for this service; repeatable. See 'rigready services'.", valueName: "name"))
    var service: [String] = []

    @Option(
        help: ArgumentHelp("Take services, options, licence and pins from this YAML or JSON file.", valueName: "file"))
    var config: String?

    @Option(
        help: ArgumentHelp("The requirement table: 1.x or 2.MINOR; the newest profile not newer.", valueName: "version")
    )
    var rules: String?

    @Option(help: ArgumentHelp("License only these services, separated by commas.", valueName: "names"))
    var licence: String?

    @Flag(help: "Require motion access wherever it is optional.")
    var motionMandatory = false

    @Flag(help: "Require background location wherever it is optional.")
    var backgroundLocationMandatory = false

    @Flag(help: "Count a degraded service as failing in the exit status.")
    var strict = false

    @Option(
        help: ArgumentHelp(
            "Pin the sensor under test: gyroscope=KEY; no other of its kind counts.", valueName: "kind=key"))
    var sensor: [String] = []

    @Option(
        help: ArgumentHelp(
            "The lowest fix that counts: none, 2d or 3d (default: 2d, or the recording's own).", valueName: "fix"))
    var minFix: MinimumFix?

    @Option(
        help: ArgumentHelp(
            "The age above which a fix is stale (default: 10, or the recording's own).", valueName: "seconds"))
    var maxAge: Double?

    @Flag(help: "Do not accept a simulated fix.")
    var noSimulated = false

    @Option(
        help: ArgumentHelp(
            "How far to probe: presence, state or sample (default: sample, or the recording's own).",
            valueName: "depth"))
    var depth: Depth?

    @Option(
        help: ArgumentHelp("The deadline of the probe (default: 2, or the recording's own).", valueName: "seconds"))
    var timeout: Double?

    @Option(
        help: ArgumentHelp(
            "Additional time for the location driver (default: 0, or the recording's own).", valueName: "seconds"))
    var waitFix: Double?

    @Option(help: ArgumentHelp("Where gpsd listens (default: 127.0.0.1:2947).", valueName: "host:port"))
    var gpsd: HostPort?

    @Option(
        help: ArgumentHelp("Also probe this libiio context: ip:HOST, usb:…, xml:FILE; repeatable.", valueName: "uri"))
    var iio: [String] = []

    @Option(
        help: ArgumentHelp(
            "Use a recording instead of this machine: a file, or one of \(EmbeddedRig.names(partedBy: ", ")).",
            valueName: "file"),
        completion: .shellCommand("printf '%s\\n' \(EmbeddedRig.names(partedBy: " ")); ls"))
    var rig: String?

    @Flag(help: "Use the report of the running service instead of probing, if it is no older than --max-age.")
    var cached = false

    @Option(
        help: ArgumentHelp(
            "The file of the service (default: \(CachedReport.defaultFile)).", valueName: "file"))
    var cachedFrom: String?

    @OptionGroup var files: DecisionOptions

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("Evaluate the access of this user; for another user only as root.", valueName: "user"))
    var user: String?

    // Without a default of the parser's, which would make the runtime search for a way to print it.
    @Option(
        name: .customLong("format"),
        help: ArgumentHelp(
            "text or json; for check, explain and compare also junit or tap (default: text).",
            valueName: "format"))
    var chosenFormat: Format?
    var format: Format { chosenFormat ?? .text }

    func validate() throws {
        func check(_ name: String, _ value: Double, in range: ClosedRange<Double>) throws {
            guard range.contains(value) else {
                throw ValidationError(
                    "--\(name) takes a number from \(range.lowerBound) to \(Int(range.upperBound)) seconds.")
            }
        }
        try check("timeout", timeout ?? 2, in: 0.05...3600)
        try check("wait-fix", waitFix ?? 0, in: 0...86_400)
        try check("max-age", maxAge ?? 10, in: 0...86_400 * 365)
        if cachedFrom != nil, !cached { throw ValidationError("--cached-from needs --cached.") }
        let others: [(name: String, isGiven: Bool)] = [
            ("rig", rig != nil), ("min-fix", minFix != nil), ("no-simulated", noSimulated), ("depth", depth != nil),
            ("timeout", timeout != nil), ("wait-fix", waitFix != nil), ("gpsd", gpsd != nil), ("iio", !iio.isEmpty),
        ]
        if cached, let other = others.first(where: \.isGiven) {
            throw ValidationError("--\(other.name) configures the probe, which --cached replaces.")
        }
        for uri in iio where !Self.isContext(uri) {
            throw ValidationError("--iio takes ip:HOST[:PORT], usb:BUS.ADDRESS.INTERFACE or xml:FILE, not '\(uri)'.")
        }
    }

    /// Throws if `--cached` is used with a command whose result must not depend on an earlier probe.
    func refuseCache(of command: String) throws {
        if cached {
            throw ValidationError(
                "\(command) always probes; --cached is for check, explain, sensors and permissions.")
        }
    }

    private static func isContext(_ uri: String) -> Bool {
        let place = String(uri.drop { $0 != ":" }.dropFirst())
        switch uri.prefix(while: { $0 != ":" }) {
        case "ip": return HostPort(argument: place) != nil
        case "xml": return !place.isEmpty
        case "usb":
            let numbers = place.split(separator: ".", omittingEmptySubsequences: false)
            return numbers.count == 3 && numbers.allSatisfy { UInt16($0) != nil }
        default: return false
        }
    }
}

/// The format of a result.
enum Format: String, Choice {
    case text, json, junit, tap

    /// Throws if a command that evaluates nothing is asked for cases.
    func refuseCases(of command: String) throws(CommandFailure) {
        guard self == .junit || self == .tap else { return }
        throw CommandFailure(
            .usage,
            "\(command) evaluates nothing, so it has no cases for --format \(rawValue); check, explain and compare do.")
    }
}

/// The lowest fix, as on the command line.
enum MinimumFix: String, Choice {
    case none
    case twoDimensional = "2d"
    case threeDimensional = "3d"

    var fix: PositionReading.Fix {
        switch self {
        case .none: .none
        case .twoDimensional: .twoDimensional
        case .threeDimensional: .threeDimensional
        }
    }
}

extension Depth: Choice {}

/// One of a few words.
///
/// The parser's own lists of them are built from key paths, which are expensive in a program that runs for a moment.
public protocol Choice: ExpressibleByArgument, CaseIterable, RawRepresentable where RawValue == String {}

extension Choice {
    /// The words.
    public static var allValueStrings: [String] { allCases.map { $0.rawValue } }
    /// Returns no descriptions: each word describes itself.
    public static var allValueDescriptions: [String: String] { [:] }
}

extension HostPort: ExpressibleByArgument {
    /// Parses an argument; the default port is gpsd's.
    public init?(argument: String) { self.init(argument, defaultPort: BundledDrivers.gpsd.port) }
}
