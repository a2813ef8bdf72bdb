internal import Readiness

/// What a change of an inventory is a change of: not the values that every sample has anew, nor the words of the evidence.
struct InventoryFingerprint: Equatable {
    private struct Item: Equatable {
        var key, name: String
        var kind: SensorKind
        var path, label: String?
        var availability: Availability
        var access: Access
        var isAccessBySeat, isValueDenied: Bool
        var adapter: AdapterReading?
        var fix: PositionReading.Fix?
        var isSimulated: Bool?
    }
    private struct Obstruction: Equatable {
        var kind: SensorKind
        var cause: Cause
    }
    private struct Remark: Hashable {
        var id: Notice.ID
        var sensor: String?
    }
    private struct DriverState: Equatable {
        var name: String
        var state: DriverReport.State
        var access: Access
    }

    private let items: [Item]
    private let obstructions: [Obstruction]
    private let remarks: Set<Remark>
    private let stations: [DriverState]

    init(_ inventory: Inventory) {
        items = inventory.sensors.map { sensor in
            var item = Item(
                key: sensor.key, name: sensor.name, kind: sensor.kind, path: sensor.path, label: sensor.label,
                availability: sensor.availability, access: sensor.access, isAccessBySeat: sensor.isAccessBySeat,
                isValueDenied: sensor.isValueDenied)
            switch sensor.reading {
            case .adapter(let adapter): item.adapter = adapter
            case .position(let position):
                item.fix = position.fix
                item.isSimulated = position.simulated
            case .axes, .steps, nil: break
            }
            return item
        }
        obstructions = inventory.obstacles.map { Obstruction(kind: $0.kind, cause: $0.cause) }
        remarks = Set(inventory.notices.map { Remark(id: $0.id, sensor: $0.sensor) })
        stations = inventory.drivers.map { DriverState(name: $0.name, state: $0.state, access: $0.access) }
    }
}
