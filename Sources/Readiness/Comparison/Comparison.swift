/// What a probe found against what was expected, or against the probe before it; unchanged items are omitted.
package struct Comparison: Sendable, Equatable {
    /// What differs: by how it differs, then sensors by kind and key, requirements and services in table order, the rest.
    package let differences: [Difference]

    /// Compares a probe with a baseline.
    ///
    /// Under `strict` a degraded service is not one that runs, as a manifest requires.
    package init(_ expected: Baseline, with assessment: Assessment) {
        self.init(expected, assessment, isComplete: false)
    }

    /// Compares two assessments of one rig, and lists every change.
    ///
    /// What each probe has anew is no change: samples, times, durations, details and evidence.
    package init(before: Assessment, after: Assessment) {
        self.init(Baseline(before), after, isComplete: true)
    }

    /// Compares an assessment with the stored facts of an earlier one, and lists every change.
    package init(kept: Baseline, after: Assessment) {
        self.init(kept, after, isComplete: true)
    }

    private init(_ expected: Baseline, _ assessment: Assessment, isComplete: Bool) {
        var sensors = SensorComparison(expected: expected, inventory: assessment.inventory, isComplete: isComplete)
        let ofSensors = sensors.differences()
        let verdicts = VerdictComparison(
            expected: expected, assessment: assessment, reported: ofSensors, isComplete: isComplete)
        let (before, after) = isComplete ? (expected.facts, assessment.facts) : ([:], [:])
        let ofFacts = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
            .map { Difference(id: .changed, subject: $0, before: before[$0], after: after[$0]) }
        differences = (ofSensors + verdicts.ofRequirements + verdicts.ofServices + ofFacts).inOrder
    }

    /// Whether nothing differs.
    package var isEmpty: Bool { differences.isEmpty }

    /// Not ready where something is missing or worse, undetermined where something expected cannot be determined, else ready.
    package var status: ReadinessStatus { differences.status }
}

extension Difference.ID {
    /// Compares two ranks, of which the lower is better and unknown lies between; nil if they are equal.
    package init?(from before: Int, to after: Int, cannotTell: Int) {
        if before == after { return nil }
        self = after == cannotTell ? .unknown : before < after ? .worse : .better
    }
}

// MARK: - Sensors

/// Pairs the expected sensors with those found, and reports what remains on either side.
private struct SensorComparison {
    let expected: Baseline
    let inventory: Inventory
    /// Whether every change is told, and not only what is better or worse.
    let isComplete: Bool
    /// What was found and has no partner yet, by kind and key.
    var unclaimed: [Sensor] = []
    var reported: [Difference] = []

    mutating func differences() -> [Difference] {
        guard let listed = expected.sensors else { return [] }
        // One that went while it was probed is not there.
        unclaimed = inventory.sensors.filter { $0.availability != .unavailable(.absent) }
        var items = listed.filter { $0.availability != .unavailable(.absent) }
            .sorted { ($0.kind, $0.key) < ($1.kind, $1.key) }
        items = items.filter { !pair($0) { item, sensor in sensor.key == item.key } }
        items = items.filter { !pair($0, where: Self.mayBeSameController) }
        for item in items { addUnpaired(item) }
        for kind in SensorKind.allCases { if let count = expected.counts[kind] { take(count, of: kind) } }
        // Those that are not available are not new to a manifest, which lists only available ones.
        for sensor in unclaimed where expected.origin == .probe || sensor.availability == .available {
            reported.append(
                Difference(id: .new, subject: sensor.subject, after: sensor.availability.id, detail: sensor.detail))
        }
        return reported
    }

    /// Claims the first sensor of the item's kind for which `same` holds, and reports how it changed.
    private mutating func pair(_ item: Baseline.Item, where same: (Baseline.Item, Sensor) -> Bool) -> Bool {
        guard let sensor = claim({ $0.kind == item.kind && same(item, $0) }) else { return false }
        compare(item.availability, with: sensor)
        guard isComplete else { return true }
        let (before, after) = (item.properties, sensor.properties)
        for property in Difference.Property.allCases where before[property] != after[property] {
            reported.append(
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
        reported.append(
            Difference(
                id: id, subject: sensor.subject, before: before.id, after: sensor.availability.id,
                detail: sensor.detail,
                remedies: id == .better ? [] : remedies))
    }

    /// Reports an expected sensor that is not at its place: moved, hidden by an obstacle, unknown, or missing.
    private mutating func addUnpaired(_ item: Baseline.Item) {
        if let obstacle = inventory.obstacle(hiding: item.kind, from: item.driver) {
            return add(item, hiddenBy: obstacle)
        }
        if let sensor = claim({ item.isSameChip(as: $0) }) {
            reported.append(Difference(id: .moved, subject: sensor.subject, before: item.key, after: sensor.key))
            return compare(item.availability, with: sensor)
        }
        // One that disappeared during the probe has a detail of its own.
        let gone = inventory.sensors.first { $0.kind == item.kind && $0.key == item.key }
        reported.append(
            Difference(
                id: .missing, subject: item.subject, before: item.availability.id, after: Cause.absent.id,
                detail: gone?.detail ?? "the \(item.kind.title) is gone",
                remedies: gone?.remedies ?? [.advice("connect it again")]))
    }

    private mutating func add(_ item: Baseline.Item, hiddenBy obstacle: Obstacle) {
        let availability = Availability.unavailable(obstacle.cause)
        if let id = item.availability.difference(to: availability) {
            reported.append(
                Difference(
                    id: id, subject: item.subject, before: item.availability.id, after: availability.id,
                    detail: obstacle.detail,
                    remedies: obstacle.remedies))
        } else if isComplete {
            // It is no longer listed, and no less is known than before.
            reported.append(Difference(id: .changed, subject: item.subject, before: item.availability.id))
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
        if let obstacle = inventory.obstacle(hiding: kind, from: nil) {
            difference.id = obstacle.cause == .indeterminate ? .unknown : .worse
            (difference.detail, difference.remedies) = (obstacle.detail, obstacle.remedies)
        }
        reported.append(difference)
    }
}

extension Sensor {
    fileprivate var subject: Difference.Subject { .sensor(kind, key: key, name: name) }
}

extension Baseline.Item {
    fileprivate var subject: Difference.Subject { .sensor(kind, key: key, name: name) }
}

// MARK: - Requirements and services

/// Compares the statuses of requirements and the verdicts of services.
private struct VerdictComparison {
    let expected: Baseline
    let assessment: Assessment
    /// The sensor differences reported already.
    let reported: [Difference]
    /// Whether every change is told, and not only what is better or worse.
    let isComplete: Bool

    /// Requirements of the listed services that changed without a sensor that says why: a matter of authorization.
    ///
    /// Where it is complete, every requirement that changed or has another cause, without those that repeat another's.
    var ofRequirements: [Difference] {
        let concerned = assessment.services.reduce(RequirementSet()) { $0.union($1.required).union($1.optional) }
        return assessment.requirements.compactMap { result in
            guard isComplete || concerned.contains(result.requirement), result.rootCause == nil,
                let before = expected.requirements[result.requirement]
            else { return nil }
            let cause = expected.causes[result.requirement]
            let id =
                Difference.ID(from: before.rank, to: result.status.rank, cannotTell: RequirementStatus.unknown.rank)
                ?? (isComplete && (before, cause) != (result.status, result.cause) ? .changed : nil)
            guard let id, isComplete || !isExplained(result.requirement, id) else { return nil }
            return Difference(
                id: id, subject: .requirement(result.requirement), before: word(before, cause),
                after: word(result.status, result.cause), detail: result.detail, remedies: result.remedies)
        }
    }

    /// The cause says more than the status; a report and a manifest know only the latter.
    private func word(_ status: RequirementStatus, _ cause: Cause?) -> String {
        isComplete && status != .met ? cause?.id ?? status.rawValue : status.rawValue
    }

    private func isExplained(_ requirement: Requirement, _ id: Difference.ID) -> Bool {
        let reasons: Set<Difference.ID> = id == .better ? [.new, .better] : [.missing, .worse, .unknown]
        return reported.contains { difference in
            guard case .sensor(let kind, _, _) = difference.subject else { return false }
            return reasons.contains(difference.id) && requirement.kinds.contains(kind)
        }
    }

    var ofServices: [Difference] {
        Service.allCases.compactMap { service in
            let result = assessment.services.first { $0.service == service }
            guard let before = expected.services[service] else {
                return isComplete
                    ? result.map { Difference(id: .changed, subject: .service(service), after: $0.verdict.id) } : nil
            }
            guard let result else {
                if isComplete { return Difference(id: .changed, subject: .service(service), before: before.id) }
                guard expected.origin == .manifest else { return nil }
                return Difference(
                    id: .unknown, subject: .service(service), before: before.id, after: Verdict.undetermined.id,
                    detail: "it is not among the requested services")
            }
            if expected.origin == .manifest, !assessment.request.strict, result.verdict == .degraded { return nil }
            let id =
                Difference.ID(from: before.rank, to: result.verdict.rank, cannotTell: Verdict.undetermined.rank)
                ?? (isComplete && before != result.verdict ? .changed : nil)
            guard let id else { return nil }
            let reason = id == .better ? (nil, []) : reason(for: result)
            return Difference(
                id: id, subject: .service(service), before: before.id, after: result.verdict.id, detail: reason.0,
                remedies: reason.1)
        }
    }

    private func reason(for result: ServiceResult) -> (detail: String?, remedies: [Remedy]) {
        let own =
            switch result.verdict {
            case .fails, .blocked, .unauthorized: result.failures.members
            case .undetermined: result.unknown.members
            case .degraded, .runs: result.warnings.members
            }
        if let first = own.first, let result = assessment.result(of: first) {
            return (result.detail ?? "\(first.title): \(result.cause?.title ?? "")", result.remedies)
        }
        switch (result.verdict, result.blockedBy) {
        case (.unauthorized, _): return ("the licence does not include it", [])
        case (_, .session): return ("another service stops the session", [])
        case (_, .service(let parent)):
            let above = assessment.services.first { $0.service == parent && $0.verdict != .blocked }.map(reason)
            return ("\(parent.title) does not run" + (above?.detail.map { ": \($0)" } ?? ""), above?.remedies ?? [])
        case (.undetermined, _): return ("its parent is undetermined", [])
        default: return (nil, [])
        }
    }
}

extension RequirementStatus {
    /// The lower the better.
    fileprivate var rank: Int {
        switch self {
        case .met: 0
        case .unknown, .unchecked: 1
        case .unmet: 2
        }
    }
}
