import Readiness

/// The differences between two assessments on one line: requirements with their causes, then services with their
/// verdicts.
struct ChangeSummary {
    let words: String

    init(from old: Assessment, to new: Assessment) {
        var parts: [String] = []
        for (before, after) in zip(old.requirements, new.requirements)
        where (before.status, before.cause) != (after.status, after.cause) && after.rootCause == nil {
            let detail = after.status == .met ? nil : after.detail
            parts.append(
                "\(after.requirement.title): \(Self.state(before)) → \(Self.state(after))"
                    + (detail.map { " (\($0))" } ?? ""))
        }
        for (before, after) in zip(old.services, new.services) where before.verdict != after.verdict {
            parts.append("\(after.service.title) \(before.verdict.id) → \(after.verdict.id)")
        }
        if parts.isEmpty { parts = Self.hardware(old.inventory, new.inventory) }
        words = parts.isEmpty ? "the inventory changed, but no verdict" : parts.joined(separator: "; ")
    }

    /// Changes that affect no verdict: sensors that appeared, disappeared or changed.
    private static func hardware(_ old: Inventory, _ new: Inventory) -> [String] {
        func name(_ sensor: Sensor) -> String { "\(sensor.kind.title) \(sensor.key)" }
        let before = Dictionary(old.sensors.map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })
        let after = Dictionary(new.sensors.map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })
        var parts = after.keys.filter { before[$0] == nil }.sorted().map { "\($0) appeared" }
        parts += before.keys.filter { after[$0] == nil }.sorted().map { "\($0) disappeared" }
        for key in after.keys.sorted() {
            guard let before = before[key], let after = after[key] else { continue }
            let facts = zip(facts(before), facts(after)).filter { $0 != $1 }.map { "\($0) → \($1)" }
            if !facts.isEmpty { parts.append("\(key): \(facts.joined(separator: ", "))") }
        }
        for (before, after) in zip(old.drivers, new.drivers) where before.state != after.state {
            parts.append("driver \(after.name): \(before.state.rawValue) → \(after.state.rawValue)")
        }
        let obstacles = (Set(old.obstacles.map(Self.words)), Set(new.obstacles.map(Self.words)))
        parts += obstacles.1.subtracting(obstacles.0).sorted().map { "now \($0)" }
        parts += obstacles.0.subtracting(obstacles.1).sorted().map { "no longer \($0)" }
        let notices = (Set(old.notices.map(\.id.rawValue)), Set(new.notices.map(\.id.rawValue)))
        parts += notices.1.subtracting(notices.0).sorted().map { "now \($0)" }
        parts += notices.0.subtracting(notices.1).sorted().map { "no longer \($0)" }
        return parts
    }

    private static func words(_ obstacle: Obstacle) -> String { "\(obstacle.kind.title) \(obstacle.cause.title)" }

    /// The properties of a sensor that can change, in one word each.
    private static func facts(_ sensor: Sensor) -> [String] {
        let reading =
            switch sensor.reading {
            case .adapter(let adapter): adapter.state.id
            case .position(let position): position.fix.rawValue + (position.simulated ? " (simulated)" : "")
            case .axes, .steps, nil: ""
            }
        return [
            sensor.name, sensor.label ?? "no label", sensor.path ?? "no path", sensor.availability.id,
            "access \(sensor.access.rawValue)", reading,
        ]
    }

    private static func state(_ result: RequirementResult) -> String {
        result.status == .met ? "met" : result.cause?.title ?? result.status.rawValue
    }
}
