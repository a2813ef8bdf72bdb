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
        return sensors.filter { kinds.contains($0.kind) && request.pins[$0.kind] == nil && $0.isBroken }
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
    /// Whether its sample has no unit, since its scale cannot be read.
    var isRaw: Bool { if case .axes(let axes) = reading { axes.unit == .raw } else { false } }

    /// Whether it is there and does not work.
    fileprivate var isBroken: Bool { availability != .available && availability != .unavailable(.absent) }
}

extension Notice {
    /// The values without a scale, and the sensors that do not work beside one of their kind that does.
    static func ofSensors(_ inventory: Inventory, _ results: [RequirementResult], pins: [SensorKind: String])
        -> [Notice]
    {
        let raw = inventory.sensors.filter { $0.isRaw && $0.availability == .available }.map { sensor in
            Notice(
                .rawValue, sensor: sensor.key,
                detail: "the scale of \(sensor.name) cannot be read: its value has no unit, which a strict check counts"
            )
        }
        let beside = results.filter { $0.status == .met && $0.requirement.kinds.count == 1 }.flatMap { result in
            inventory.sensors.filter { sensor in
                result.requirement.kinds == [sensor.kind] && !result.decidedBy.isEmpty && pins[sensor.kind] == nil
                    && sensor.isBroken
            }
        }
        return raw
            + beside.map { sensor in
                Notice(
                    .unreadSameKind, sensor: sensor.key,
                    detail: "\(sensor.kind.title) \(sensor.name): \(sensor.availability.title); another one counts")
            }
    }
}

extension Availability {
    fileprivate var title: String {
        switch self {
        case .available: "available"
        case .unavailable(let cause): cause.title
        }
    }
}
