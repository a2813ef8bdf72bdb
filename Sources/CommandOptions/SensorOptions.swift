public import ArgumentParser
public import LocalRig

/// The sensors under test, and the quality of a position.
package struct SensorOptions: RigOptionGroup {
    @Option(
        help: .value(
            "kind=key",
            "Pin the sensor under test, by its key, label, name, path or a unique beginning; no other of its kind counts."
        ), completion: .custom(CompletionWords.sensors))
    package var sensor: [String] = []

    @Option(help: .value("fix", "The lowest fix that counts: none, 2d or 3d (default: 2d, or the recording's own)."))
    package var minFix: PositionReading.Fix?

    @Option(
        parsing: .unconditional,
        help: .value("seconds", "The age above which a fix is stale (default: 10, or the recording's own)."))
    package var maxAge: Double?

    @Flag(help: "Do not accept a simulated fix.")
    package var noSimulated = false

    @Option(
        parsing: .unconditional,
        help: .value("metres", "The greatest horizontal error of a precise location (default: 100)."))
    package var maxError: Double?

    @Flag(help: "Accept a position from dead reckoning, or of a time-only fix, as precise.")
    package var allowEstimated = false

    package init() {}

    package func validate() throws {
        try checkSeconds("max-age", maxAge, in: 0...86_400 * 365)
        if let maxError, !(0.001...1_000_000 ~= maxError) {
            throw ValidationError("--max-error takes a number of metres from 0.001 to 1000000.")
        }
    }

    package func configure(_ options: inout LocalRig.Options) throws(LocalRigError) {
        options.pins = try LocalRig.Options.pins(sensor)
        options.minimumFix = minFix
        options.maximumAge = maxAge.map { .seconds($0) }
        options.allowsSimulated = noSimulated ? false : nil
        options.maximumError = maxError
        options.allowsEstimated = allowEstimated ? true : nil
    }
}

extension PositionReading.Fix: ExpressibleByArgument {
    /// The words in lower case.
    public static var allValueStrings: [String] { allCases.map { $0.rawValue.lowercased() } }

    /// Parses one of the words.
    public init?(argument: String) {
        guard let fix = Self.allCases.first(where: { $0.rawValue.lowercased() == argument }) else { return nil }
        self = fix
    }
}
