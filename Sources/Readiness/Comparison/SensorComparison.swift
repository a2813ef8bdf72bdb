/// Pairs the expected sensors with those found, and reports what remains on either side.
struct SensorComparison {
    private let expected: Baseline
    private let inventory: Inventory
    /// Whether every change is told, and not only what is better or worse.
    private let isComplete: Bool
    /// What was found and has no partner yet, by kind and key.
    private var unclaimed: [Sensor]
    private var told: [Difference] = []

    init(_ expected: Baseline, _ inventory: Inventory, isComplete: Bool) {
        self.expected = expected
        self.inventory = inventory
        self.isComplete = isComplete
        // One that went while it was probed is not there.
        unclaimed = inventory.sensors.filter { $0.availability != .unavailable(.absent) }
    }

    mutating func differences() -> [Difference] {
        guard let listed = expected.sensors else { return [] }
        var items = listed.filter { $0.availability != .unavailable(.absent) }
            .sorted { ($0.kind, $0.key) < ($1.kind, $1.key) }
        items = items.filter { !pair($0) { item, sensor in sensor.key == item.key } }
        items = items.filter { !pair($0, where: Self.mayBeSameController) }
        for item in items { tellUnpaired(item) }
        for kind in SensorKind.allCases { if let count = expected.counts[kind] { take(count, of: kind) } }
        // Those that are not available are not new to a manifest, which lists only available ones.
        for sensor in unclaimed where expected.origin == .probe || sensor.availability == .available {
            told.append(
                Difference(id: .new, subject: sensor.subject, after: sensor.availability.id, detail: sensor.detail))
        }
        return told
    }

    /// Claims the first sensor of the item's kind for which `same` holds, and reports how it changed.
    private mutating func pair(_ item: Baseline.Item, where same: (Baseline.Item, Sensor) -> Bool) -> Bool {
        guard let sensor = claim({ $0.kind == item.kind && same(item, $0) }) else { return false }
        compare(item.availability, with: sensor)
        guard isComplete else { return true }
        let (before, after) = (item.properties, sensor.properties)
        for property in Difference.Property.allCases where before[property] != after[property] {
            told.append(
                Difference(
                    id: .changed, subject: sensor.subject, property: property, before: before[property],
                    after: after[property]))
        }
        return true
    }

    private mutating func claim(_ isWanted: (Sensor) -> Bool) -> Sensor? {
        unclaimed.firstIndex(where: isWanted).map { unclaimed.remove(at: $0) }
    }

    /// A controller of unknown address has its place for a key, so only its name can identify it.
    private static func mayBeSameController(_ item: Baseline.Item, _ sensor: Sensor) -> Bool {
        item.kind == .bluetoothAdapter && item.name == sensor.name
            && (!item.key.isDeviceAddress || !sensor.key.isDeviceAddress)
    }

    private mutating func compare(_ before: Availability, with sensor: Sensor) {
        guard let id = before.difference(to: sensor.availability) else { return }
        let remedies =
            sensor.remedies.isEmpty && sensor.isValueDenied ? sensor.accessRemedies : sensor.remedies
        told.append(
            Difference(
                id: id, subject: sensor.subject, before: before.id, after: sensor.availability.id,
                detail: sensor.detail,
                remedies: id == .better ? [] : remedies))
    }

    /// Reports an expected sensor that is not at its place: moved, hidden by an obstacle, unknown, or missing.
    private mutating func tellUnpaired(_ item: Baseline.Item) {
        switch Search(of: item.kind, by: item.driver, in: inventory) {
        case .complete:
            if let sensor = claim({ item.isSameChip(as: $0) }) {
                told.append(Difference(id: .moved, subject: sensor.subject, before: item.key, after: sensor.key))
                return compare(item.availability, with: sensor)
            }
            // One that disappeared during the probe has a detail of its own.
            let gone = inventory.sensors.first { $0.kind == item.kind && $0.key == item.key }
            told.append(
                Difference(
                    id: .missing, subject: item.subject, before: item.availability.id, after: Cause.absent.id,
                    detail: gone?.detail ?? "the \(item.kind.title) is gone",
                    remedies: gone?.remedies ?? [.advice("connect it again")]))
        case .hindered(let obstacle):
            tell(item, hiddenBy: obstacle, as: .unavailable(obstacle.cause))
        case .incomplete(let obstacle):
            tell(item, hiddenBy: obstacle, as: .unavailable(.indeterminate))
        }
    }

    private mutating func tell(_ item: Baseline.Item, hiddenBy obstacle: Obstacle, as availability: Availability) {
        if let id = item.availability.difference(to: availability) {
            told.append(
                Difference(
                    id: id, subject: item.subject, before: item.availability.id, after: availability.id,
                    detail: obstacle.detail,
                    remedies: obstacle.remedies))
        } else if isComplete {
            // It is no longer listed, and no less is known than before.
            told.append(Difference(id: .changed, subject: item.subject, before: item.availability.id))
        }
    }

    /// So many sensors of a kind must be available beside those with a key: the best that are left.
    private mutating func take(_ count: Int, of kind: SensorKind) {
        let best = unclaimed.filter { $0.kind == kind }.sorted { $0.availability.rank < $1.availability.rank }
        let taken = best.prefix(count)
        unclaimed.removeAll { sensor in taken.contains { $0.kind == sensor.kind && $0.key == sensor.key } }
        for sensor in taken { compare(.available, with: sensor) }
        guard taken.count < count else { return }
        var difference = Difference(
            id: .missing, subject: .sensor(kind, key: nil, name: nil), before: "\(count)", after: "\(taken.count)",
            detail: "\(taken.count) of \(count) \(kind.title)s found", remedies: [.advice("connect what is missing")])
        switch Search(of: kind, by: nil, in: inventory) {
        case .complete: break
        case .hindered(let obstacle):
            difference.id = .worse
            (difference.detail, difference.remedies) = (obstacle.detail, obstacle.remedies)
        case .incomplete(let obstacle):
            difference.id = .unknown
            (difference.detail, difference.remedies) = (obstacle.detail, obstacle.remedies)
        }
        told.append(difference)
    }
}

extension Sensor {
    fileprivate var subject: Difference.Subject { .sensor(kind, key: key, name: name) }
}

extension Baseline.Item {
    fileprivate var subject: Difference.Subject { .sensor(kind, key: key, name: name) }
}
