extension Assessment {
    /// The sensors that meet what a service requires and can use, in report order.
    public func sensors(deciding service: ServiceResult) -> [Sensor] {
        let met = met(of: service).map { ($0.requirement.kinds, Set($0.decidedBy)) }
        return sensors.filter { sensor in
            sensor.availability == .available
                && met.contains { kinds, keys in kinds.contains(sensor.kind) && keys.contains(sensor.key) }
        }
    }

    /// The sensors of the same kinds that do not work, and that a service does not need, in report order.
    public func sensors(failingBeside service: ServiceResult) -> [Sensor] {
        let kinds = met(of: service).flatMap(\.requirement.kinds)
        return sensors.filter { $0.isBroken && kinds.contains($0.kind) && request.pins[$0.kind] == nil }
    }

    private func met(of service: ServiceResult) -> [RequirementResult] {
        // No receiver decides whether location may be used in the background.
        let row = service.required.union(service.optional).subtracting(.backgroundLocation)
        return requirements.filter { row.contains($0.requirement) && $0.status == .met }
    }

    /// The requirements that only values without a scale meet.
    static func rawOnly(_ results: [RequirementResult], _ inventory: Inventory) -> RequirementSet {
        RequirementSet(
            [Requirement.gyroscope, .accelerometer].filter { requirement in
                let keys = Set(results.first { $0.requirement == requirement && $0.status == .met }?.decidedBy ?? [])
                return inventory.sensors.contains {
                    requirement.kinds.contains($0.kind) && keys.contains($0.key) && $0.isRaw
                }
            })
    }
}

extension Sensor {
    /// The number of axes of its sample; nil for a sample of another kind.
    var axisCount: Int? {
        guard case .axes(let axes) = reading else { return nil }
        return [axes.x, axes.y, axes.z].count { $0 != nil }
    }

    /// Whether its sample has no unit, since its scale cannot be read.
    var isRaw: Bool { if case .axes(let axes) = reading { axes.unit == .raw } else { false } }

    /// Whether it works, and its sample has fewer than three axes.
    var hasFewAxes: Bool { availability == .available && (axisCount ?? 3) < 3 }

    /// The axes of its sample in words, such as `one axis`.
    var axisWords: String { axisCount == 1 ? "one axis" : "\(axisCount ?? 0) axes" }

    /// Whether it is there and does not work.
    fileprivate var isBroken: Bool { availability != .available && availability != .unavailable(.absent) }
}

extension Notice {
    /// The values without a scale, and the sensors that do not work beside one of their kind that does.
    static func ofSensors(_ inventory: Inventory, _ results: [RequirementResult], pins: [SensorKind: String])
        -> [Notice]
    {
        let sensors = inventory.sensors
        let available = sensors.filter { $0.availability == .available }
        let raw = available.filter(\.isRaw).map { sensor in
            Notice(
                .rawValue, sensor: sensor.key,
                detail: "\(sensor.name): its scale cannot be read, so its value has no unit (fails with --strict)"
            )
        }
        let few = available.filter(\.hasFewAxes).map { sensor in
            Notice(
                .fewAxes, sensor: sensor.key,
                detail: "\(sensor.name) measures \(sensor.axisWords) of three, which may be too few for a service")
        }
        let vague = available.compactMap { sensor -> Notice? in
            guard case .position(let position) = sensor.reading, position.fix != .none,
                position.horizontalError == nil
            else { return nil }
            return Notice(
                .lowAccuracy, sensor: sensor.key,
                detail: "\(sensor.name) reports no horizontal error, so its precision is unknown")
        }
        let broken = sensors.filter { $0.isBroken && pins[$0.kind] == nil }
        let beside = results.filter { $0.status == .met && $0.requirement.kinds.count == 1 && !$0.decidedBy.isEmpty }
            .flatMap { result in broken.filter { result.requirement.kinds == [$0.kind] } }
        return raw + few + vague
            + beside.map { sensor in
                let trouble = sensor.availability.cause?.title ?? "available"
                return Notice(
                    .unreadSameKind, sensor: sensor.key,
                    detail: "\(sensor.kind.title) \(sensor.name): \(trouble); another \(sensor.kind.title) is used")
            }
    }
}
