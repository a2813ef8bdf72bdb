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
        tellNew()
        return told
    }

    /// Claims the first sensor of the item's kind for which `same` holds, and reports how it changed.
    private mutating func pair(_ item: Baseline.Item, where same: (Baseline.Item, Sensor) -> Bool) -> Bool {
        guard let sensor = claim({ $0.kind == item.kind && same(item, $0) }) else { return false }
        compare(item.availability, with: sensor)
        if isComplete { compare(item.properties, with: sensor) }
        return true
    }

    private mutating func compare(_ before: [Difference.Property: String], with sensor: Sensor) {
        let after = sensor.properties
        for property in Difference.Property.allCases where before[property] != after[property] {
            told.append(
                Difference(
                    .changed, .sensor(sensor.kind, key: sensor.key, name: sensor.name), property,
                    before: before[property], after: after[property]))
        }
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
        guard
            let id = DifferenceRanking.id(
                from: before.rank, to: sensor.availability.rank, cannotTell: Availability.rankOfIndeterminate)
        else { return }
        told.append(
            Difference(
                id, .sensor(sensor.kind, key: sensor.key, name: sensor.name), before: before.id,
                after: sensor.availability.id, detail: sensor.detail,
                remedies: id == .better
                    ? [] : sensor.remedies.isEmpty && sensor.isValueDenied ? sensor.accessRemedies : sensor.remedies))
    }

    /// Reports an expected sensor that is not at its place: moved, hidden by an obstacle, unknown, or missing.
    private mutating func tellUnpaired(_ item: Baseline.Item) {
        let subject = Difference.Subject.sensor(item.kind, key: item.key, name: item.name)
        let search = Search(of: item.kind, by: item.driver, in: inventory)
        if search == .complete, let sensor = claim({ item.isSameChip(as: $0) }) {
            told.append(
                Difference(
                    .moved, .sensor(sensor.kind, key: sensor.key, name: sensor.name), before: item.key,
                    after: sensor.key))
            return compare(item.availability, with: sensor)
        }
        switch search {
        case .complete:
            // One that disappeared during the probe has a detail of its own.
            let gone = inventory.sensors.first { $0.kind == item.kind && $0.key == item.key }
            told.append(
                Difference(
                    .missing, subject, before: item.availability.id, after: Cause.absent.id,
                    detail: gone?.detail ?? "the \(item.kind.title) is gone",
                    remedies: gone?.remedies ?? [.advice("connect it again")]))
        case .hindered(let obstacle):
            let id = DifferenceRanking.id(
                from: item.availability.rank, to: Availability.unavailable(obstacle.cause).rank,
                cannotTell: Availability.rankOfIndeterminate)
            guard let id else { return tellUnlisted(item) }
            told.append(
                Difference(
                    id, subject, before: item.availability.id, after: obstacle.cause.id, detail: obstacle.detail,
                    remedies: obstacle.remedies))
        case .incomplete(let obstacle):
            guard item.availability != .unavailable(.indeterminate) else { return tellUnlisted(item) }
            told.append(
                Difference(
                    .unknown, subject, before: item.availability.id, after: Cause.indeterminate.id,
                    detail: obstacle.detail, remedies: obstacle.remedies))
        }
    }

    /// A sensor that is no longer listed, of which no less is known than before.
    private mutating func tellUnlisted(_ item: Baseline.Item) {
        guard isComplete else { return }
        told.append(
            Difference(
                .changed, .sensor(item.kind, key: item.key, name: item.name), before: item.availability.id))
    }

    /// So many sensors of a kind must be available beside those with a key: the best that are left.
    private mutating func take(_ count: Int, of kind: SensorKind) {
        let best = unclaimed.filter { $0.kind == kind }.sorted { $0.availability.rank < $1.availability.rank }
        let taken = best.prefix(count)
        unclaimed.removeAll { sensor in taken.contains { $0.kind == sensor.kind && $0.key == sensor.key } }
        for sensor in taken { compare(.available, with: sensor) }
        guard taken.count < count else { return }
        let subject = Difference.Subject.sensor(kind, key: nil, name: nil)
        let counts = (before: "\(count)", after: "\(taken.count)")
        switch Search(of: kind, by: nil, in: inventory) {
        case .complete:
            told.append(
                Difference(
                    .missing, subject, before: counts.before, after: counts.after,
                    detail: "\(taken.count) of \(count) \(kind.title)s found",
                    remedies: [.advice("connect what is missing")]))
        case .hindered(let obstacle):
            told.append(
                Difference(
                    .worse, subject, before: counts.before, after: counts.after, detail: obstacle.detail,
                    remedies: obstacle.remedies))
        case .incomplete(let obstacle):
            told.append(
                Difference(
                    .unknown, subject, before: counts.before, after: counts.after, detail: obstacle.detail,
                    remedies: obstacle.remedies))
        }
    }

    /// Reports new sensors; those that are not available are not new to a manifest, which lists only available ones.
    private mutating func tellNew() {
        for sensor in unclaimed where expected.origin == .probe || sensor.availability == .available {
            told.append(
                Difference(
                    .new, .sensor(sensor.kind, key: sensor.key, name: sensor.name), after: sensor.availability.id,
                    detail: sensor.detail))
        }
    }
}
