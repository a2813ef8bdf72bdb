/// What a rig is expected to have and to do: what another probe found, or what a person wrote down.
public struct Baseline: Sendable, Equatable {
    /// Where it comes from, which decides how much it says.
    public enum Origin: Sendable, Equatable {
        /// A probe: everything that was there, as it was.
        case probe
        /// A manifest: what must be available, and what must run. It says nothing of the rest.
        case manifest
    }

    /// One expected sensor.
    public struct Item: Sendable, Equatable {
        /// What it is.
        public var kind: SensorKind
        /// Its stable key.
        public var key: String
        /// The chip's own name; nil where nobody said.
        public var name: String?
        /// Its label; nil where it has none, or nobody said.
        public var label: String?
        /// The driver that found it; nil where nobody said.
        public var driver: String?
        /// How it was, or must be.
        public var availability: Availability

        /// Makes an item.
        public init(
            kind: SensorKind, key: String, name: String? = nil, label: String? = nil, driver: String? = nil,
            availability: Availability = .available
        ) {
            self.kind = kind
            self.key = key
            self.name = name
            self.label = label
            self.driver = driver
            self.availability = availability
        }
    }

    /// Where it comes from.
    public var origin: Origin
    /// The expected sensors that have a key; nil where nothing is said of sensors, so that none is new.
    public var sensors: [Item]?
    /// How many sensors of a kind must be available beside those with a key.
    public var counts: [SensorKind: Int]
    /// How each requirement stood.
    public var requirements: [Requirement: RequirementStatus]
    /// How each service was judged, or must be.
    public var services: [Service: Verdict]
    /// The services asked for; nil where nobody said.
    public var asked: ServiceSet?
    /// The rules that it was judged by; nil where nobody said.
    public var rules: RulesVersion?

    /// Makes an expectation.
    public init(
        _ origin: Origin, sensors: [Item]? = nil, counts: [SensorKind: Int] = [:],
        requirements: [Requirement: RequirementStatus] = [:], services: [Service: Verdict] = [:],
        asked: ServiceSet? = nil,
        rules: RulesVersion? = nil
    ) {
        self.origin = origin
        self.sensors = sensors
        self.counts = counts
        self.requirements = requirements
        self.services = services
        self.asked = asked
        self.rules = rules
    }

    /// Expects what a probe found.
    public init(_ assessment: Assessment) {
        self.init(
            .probe,
            sensors: assessment.sensors.map { sensor in
                Item(
                    kind: sensor.kind, key: sensor.key, name: sensor.name, label: sensor.label,
                    driver: sensor.driver, availability: sensor.availability)
            },
            requirements: assessment.requirements.reduce(into: [:]) { $0[$1.requirement] = $1.status },
            services: assessment.services.reduce(into: [:]) { $0[$1.service] = $1.verdict })
    }

    /// What a manifest of this rig would expect: the sensors that are available, and the services that run.
    ///
    /// A degraded service runs unless `strict`.
    public init(manifestOf assessment: Assessment) {
        let running = assessment.services.filter {
            $0.verdict == .runs || $0.verdict == .degraded && !assessment.request.strict
        }
        self.init(
            .manifest,
            sensors: assessment.sensors.filter { $0.availability == .available }.map { sensor in
                Item(kind: sensor.kind, key: sensor.key, name: sensor.name.isEmpty ? nil : sensor.name)
            },
            services: running.reduce(into: [:]) { $0[$1.service] = .runs },
            asked: running.reduce(into: []) { $0.formUnion(ServiceSet($1.service)) },
            rules: assessment.request.evaluator.rules.profile)
    }
}
