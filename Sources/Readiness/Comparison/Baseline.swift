/// The expected state of a rig: from another probe, or from a manifest.
package struct Baseline: Sendable, Equatable {
    /// Where a baseline comes from, which decides what it covers.
    package enum Origin: Sendable, Equatable {
        /// A probe: everything that it found.
        case probe
        /// A manifest: what must be available, and what must run. It does not cover the rest.
        case manifest
    }

    /// One expected sensor.
    package struct Item: Sendable, Equatable {
        /// Its kind.
        package var kind: SensorKind
        /// Its stable key.
        package var key: String
        /// The chip's own name; nil if not stated.
        package var name: String?
        /// Its label; nil if it has none or none was stated.
        package var label: String?
        /// The driver that found it; nil if not stated.
        package var driver: String?
        /// The expected availability.
        package var availability: Availability
        /// What a probe says of it beside that; empty where nobody said.
        var properties: [Difference.Property: String] = [:]

        /// Creates an item.
        package init(
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

        /// Creates the item that a manifest has for a sensor: it must be available.
        package init(manifestOf sensor: Sensor) {
            self.init(kind: sensor.kind, key: sensor.key, name: sensor.name.isEmpty ? nil : sensor.name)
        }
    }

    /// Where the baseline comes from.
    package var origin: Origin
    /// The expected sensors that have a key; nil if sensors are not compared, so that none is new.
    package var sensors: [Item]?
    /// The number of sensors of a kind that must be available in addition to those with a key.
    package var counts: [SensorKind: Int]
    /// The expected status of each requirement.
    package var requirements: [Requirement: RequirementStatus]
    /// The expected verdict of each service.
    package var services: [Service: Verdict]
    /// The requested services; nil if not stated.
    package var asked: ServiceSet?
    /// The version of the rules; nil if not stated.
    package var rules: RulesVersion?

    /// What is said of something other than a sensor, requirement or service.
    typealias Facts = [Difference.Subject: String]
    /// Why each requirement was not met; empty where nobody said.
    package var causes: [Requirement: Cause] = [:]
    /// What a probe says beside all that; empty where nobody said.
    var facts: Facts = [:]

    /// Makes an expectation.
    package init(
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

    /// Creates a baseline that expects what a probe found.
    package init(_ assessment: Assessment) {
        self.init(
            .probe,
            sensors: assessment.sensors.map { sensor in
                var item = Item(
                    kind: sensor.kind, key: sensor.key, name: sensor.name, label: sensor.label,
                    driver: sensor.driver, availability: sensor.availability)
                item.properties = sensor.properties
                return item
            },
            requirements: assessment.requirements.reduce(into: [:]) { $0[$1.requirement] = $1.status },
            services: assessment.services.reduce(into: [:]) { $0[$1.service] = $1.verdict })
        causes = assessment.requirements.reduce(into: [:]) { $0[$1.requirement] = $1.cause }
        facts = assessment.facts
    }

    /// Creates the baseline that a manifest of this rig contains: the available sensors, and the services that run.
    ///
    /// A degraded service runs unless `strict`.
    package init(manifestOf assessment: Assessment) {
        let running = assessment.services.filter {
            $0.verdict == .runs || $0.verdict == .degraded && !assessment.request.strict
        }
        self.init(
            .manifest,
            sensors: assessment.sensors.filter { $0.availability == .available }.map(Item.init(manifestOf:)),
            services: running.reduce(into: [:]) { $0[$1.service] = .runs },
            asked: ServiceSet(running.map(\.service)),
            rules: assessment.request.evaluator.rules.profile)
    }
}

extension Sensor {
    /// What can be another with a sensor that is still there, each in one word.
    var properties: [Difference.Property: String] {
        var properties: [Difference.Property: String] = [.key: key, .name: name, .access: access.rawValue]
        properties[.label] = label
        properties[.path] = path
        switch reading {
        case .adapter(let adapter): properties[.state] = adapter.state.id
        case .position(let position):
            properties[.state] = position.fix.rawValue + (position.simulated ? " (simulated)" : "")
        case .axes, .steps, nil: break
        }
        return properties
    }
}

extension Assessment {
    /// Authorizations with who decided them, and how the drivers, obstacles and notices are.
    var facts: Baseline.Facts {
        var facts: Baseline.Facts = [:]
        let (location, accuracy) = (authorizations.location, authorizations.accuracy.status)
        facts[.authorization(.location)] =
            location.status.id + (accuracy == .fullAccuracy ? "" : " (\(accuracy.id))")
            + " by \(location.from.rawValue)"
        for (permission, authorization) in [
            (Permission.motion, authorizations.motion), (.bluetooth, authorizations.bluetooth),
            (.health, authorizations.health),
        ] {
            facts[.authorization(permission)] =
                "\(authorization.status.id(allowed: "allowed")) by \(authorization.from.rawValue)"
        }
        for driver in inventory.drivers { facts[.driver(driver.name)] = driver.state.rawValue }
        for obstacle in inventory.obstacles { facts[.obstacle(obstacle.kind, obstacle.cause)] = obstacle.cause.id }
        for notice in notices { facts[.notice(notice.id)] = notice.id.rawValue }
        return facts
    }
}
