/// How far the search for a kind of sensor came, and so what a sensor's not being listed says.
enum Search: Equatable {
    /// It is not there.
    case complete
    /// Something known stands before it, such as a switch that hides a controller.
    case hindered(Obstacle)
    /// Nobody knows whether it is there.
    case incomplete(Obstacle)

    /// Takes the obstacles before a kind; those of one driver alone where that one is known.
    init(of kind: SensorKind, by driver: String?, in inventory: Inventory) {
        let drivers = inventory.drivers.filter { $0.kinds.contains(kind) }
        // A driver that did not run now, such as a libiio context nobody named, has not looked.
        if let driver, !drivers.contains(where: { $0.name == driver }) {
            self = .incomplete(
                Obstacle(
                    kind: kind, cause: .indeterminate,
                    detail: "nothing looked for it: \(driver) is not among the drivers of this probe"))
            return
        }
        let obstacles = inventory.obstacles.filter {
            $0.kind == kind && $0.cause != .absent && (driver == nil || $0.driver == nil || $0.driver == driver)
        }
        guard let first = obstacles.first else {
            self = .complete
            return
        }
        // Another driver may have looked in the right place, and then the obstacle explains nothing.
        let isCertain = driver != nil || drivers.count <= 1
        if let unclear = obstacles.first(where: { $0.cause == .indeterminate }) {
            self = .incomplete(unclear)
        } else {
            self = isCertain ? .hindered(first) : .incomplete(first)
        }
    }
}

extension Baseline.Item {
    /// Whether a sensor at another place is this chip: of the same kind and name, and label where both have one.
    ///
    /// A controller's key is its own address, so another address is another controller.
    func isSameChip(as sensor: Sensor) -> Bool {
        kind == sensor.kind && kind != .bluetoothAdapter && name == sensor.name
            && (label == nil || sensor.label == nil || label == sensor.label)
    }
}

extension Availability {
    /// What cannot be told stands between what is available and what is not.
    static let rankOfIndeterminate = 1

    /// The lower the better: available, cannot tell, then how far it is from delivering.
    var rank: Int {
        switch self {
        case .available: 0
        case .unavailable(.indeterminate): Self.rankOfIndeterminate
        // Nobody heard of the sensor at all, so less is known to work than of one that is inactive.
        case .unavailable(.unreachable): Int(Cause.inactive.rawValue) * 2 + 3
        case .unavailable(let cause): Int(cause.rawValue) * 2 + 2
        }
    }
}

extension String {
    /// Whether it is a Bluetooth device address, `00:AA:01:00:00:00`, with `#2` behind it or not.
    var isDeviceAddress: Bool {
        let pairs = prefix { $0 != "#" }.split(separator: ":", omittingEmptySubsequences: false)
        return pairs.count == 6 && pairs.allSatisfy { $0.utf8.count == 2 && $0.allSatisfy(\.isHexDigit) }
    }
}
