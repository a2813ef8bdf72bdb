package import Measurement
package import Readiness

/// A MoveConfig for a rig: the services, options, rules, licence and sensors under test.
///
/// The schema is in `Sources/LocalRig/Configuration/README.md`.
package struct RigConfiguration: Sendable, Equatable {
    /// The requested services; nil for all.
    package var services: ServiceSet?
    /// The option flags.
    package var flags: OptionFlags = []
    /// The services that the licence includes, literally; nil for all.
    package var licence: ServiceSet?
    /// The sensors under test by kind, as keys or labels.
    package var pins: [SensorKind: String] = [:]
    /// The greatest horizontal error of a precise location, in metres; nil if not stated.
    package var maximumError: Double?
    /// Whether an estimated position counts as precise; nil if not stated.
    package var allowsEstimated: Bool?
    /// The known findings that count apart.
    package var accepted: [AcceptedFinding] = []
    /// What a measurement must show of the sensors of a kind.
    package var quality: [SensorKind: QualityDemand] = [:]
    /// The limits that a measurement is judged by in addition; nil if not stated.
    package var profile: QualityProfile?
    /// The version of the rules; nil if not stated.
    package var rules: RulesVersion?
    /// Why the host app wants a permission, in the text that it shows.
    package var purposes = Purposes()
    /// Whether live updates need a service session of the app, see NSLocationRequireExplicitServiceSession.
    package var requiresExplicitServiceSession = false
    /// Whether location is coarse until the user allows full accuracy, see NSLocationDefaultAccuracyReduced.
    package var isReducedByDefault = false
    /// The broker that rigs publish to; nil if not stated.
    package var broker: BrokerConfiguration?
    /// Settings of the file that have no effect, one line each, with their places.
    package var remarks: [String] = []

    /// Creates the configuration of an empty file.
    package init() {}

    /// Parses a YAML or JSON file.
    ///
    /// `rules` take precedence over the file's; services and flags that the rules lack are errors.
    package init(parsing bytes: [UInt8], file: String, rules override: RulesVersion? = nil) throws(ConfigurationError) {
        guard let root = try ConfigurationNode(parsing: bytes, file: file) else { return }
        let keys = [
            ["services"], ["options"], ["licence", "license"], ["require"], ["location"], ["rules"], ["purposes"],
            ["accept"], ["quality"], ["broker"],
            ["explicitServiceSession", "NSLocationRequireExplicitServiceSession"],
            ["defaultAccuracyReduced", "NSLocationDefaultAccuracyReduced"],
        ]
        let found = try root.mapping(of: "keys of a configuration", keys: keys + ServiceList.separateKeys)
        if let node = found["rules"]?.value { rules = try Self.version(node) }
        let list = ServiceList(rules: (override ?? rules).map(Rules.init) ?? .newest)
        services = try list.services(found)
        if let node = found["licence"]?.value { licence = try list.literal(node) }
        if let node = found["options"]?.value { try readOptions(node, list.rules) }
        if let node = found["require"]?.value { pins = try Self.pins(node) }
        if let node = found["location"]?.value { try readLocation(node) }
        if let node = found["accept"]?.value { accepted = try Self.accepted(node) }
        if let node = found["quality"]?.value { try readQuality(node) }
        if let node = found["purposes"]?.value { purposes = try Purposes(node) }
        if let node = found["broker"]?.value { broker = try BrokerConfiguration(node) }
        if let node = found["explicitServiceSession"]?.value {
            requiresExplicitServiceSession = try node.bool()
        }
        if let node = found["defaultAccuracyReduced"]?.value { isReducedByDefault = try node.bool() }
    }
}
