/// How complete the search for a kind of sensor was, which decides what a missing entry means.
enum Search: Equatable {
    /// The sensor is not there.
    case complete
    /// A known obstacle hides it, such as a switch that hides a controller.
    case hindered(Obstacle)
    /// It is unknown whether the sensor is there.
    case incomplete(Obstacle)

    /// Evaluates the obstacles of a kind; only those of one driver if that driver is known.
    init(of kind: SensorKind, by driver: String?, in inventory: Inventory) {
        let drivers = inventory.drivers.filter { $0.kinds.contains(kind) }
        // A driver that did not run, such as one whose libiio context was not named, has not searched.
        if let driver, !drivers.contains(where: { $0.name == driver }) {
            let isThere = inventory.drivers.contains { $0.name == driver }
            self = .incomplete(
                Obstacle(
                    kind: kind, cause: .indeterminate,
                    detail: isThere
                        ? "\(driver) cannot look for it: it shows once it reports"
                        : "it was not searched for: \(driver) is not among the drivers of this probe"))
            return
        }
        let obstacles = inventory.obstacles.filter {
            $0.kind == kind && $0.cause != .absent && (driver == nil || $0.driver == nil || $0.driver == driver)
        }
        guard let first = obstacles.first else {
            self = .complete
            return
        }
        // Another driver may have searched the right place; then the obstacle explains nothing.
        let isCertain = driver != nil || drivers.count <= 1
        if let unclear = obstacles.first(where: { $0.cause == .indeterminate }) {
            self = .incomplete(unclear)
        } else {
            self = isCertain ? .hindered(first) : .incomplete(first)
        }
    }
}

extension Baseline.Item {
    /// Whether a sensor at a different place is this chip: same kind and name, and same label if both have one.
    ///
    /// A controller's key is its own address, so a different address is a different controller.
    func isSameChip(as sensor: Sensor) -> Bool {
        kind == sensor.kind && kind != .bluetoothAdapter && name == sensor.name
            && (label == nil || sensor.label == nil || label == sensor.label)
    }
}

extension Availability {
    /// How another availability differs from this one; nil if it does not.
    func difference(to other: Availability) -> Difference.ID? {
        Difference.ID(from: rank, to: other.rank, cannotTell: Availability.unavailable(.indeterminate).rank)
    }

    /// The lower the better: available, unknown, then by distance from delivering.
    var rank: Int {
        switch self {
        case .available: 0
        case .unavailable(.indeterminate): 1
        // Nothing is known of an unreachable sensor, so it ranks below an inactive one.
        case .unavailable(.unreachable): Int(Cause.inactive.rawValue) * 2 + 3
        case .unavailable(let cause): Int(cause.rawValue) * 2 + 2
        }
    }
}

extension String {
    /// Whether it is a Bluetooth device address, `00:AA:01:00:00:00`, optionally followed by `#2`.
    var isDeviceAddress: Bool {
        let pairs = prefix { $0 != "#" }.split(separator: ":", omittingEmptySubsequences: false)
        return pairs.count == 6 && pairs.allSatisfy { $0.utf8.count == 2 && $0.allSatisfy(\.isHexDigit) }
    }
}
