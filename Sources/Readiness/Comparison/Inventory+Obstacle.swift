extension Inventory {
    /// What hides a kind of sensor from a driver, such as a switch that hides a controller; without a driver from all.
    ///
    /// It decides what a missing entry means: without an obstacle the search was complete, and the sensor is not there;
    /// if the cause is indeterminate, it is unknown whether the sensor is there.
    func obstacle(hiding kind: SensorKind, from driver: String?) -> Obstacle? {
        let searching = drivers.filter { $0.kinds.contains(kind) }
        // A driver that did not run, such as one whose libiio context was not named, has not searched.
        if let driver, !searching.contains(where: { $0.name == driver }) {
            let isThere = drivers.contains { $0.name == driver }
            return Obstacle(
                kind: kind, cause: .indeterminate,
                detail: isThere
                    ? "\(driver) cannot search for this sensor: it is listed only after its first report"
                    : "not searched for: this probe has no driver \(driver)")
        }
        let found = obstacles.filter {
            $0.kind == kind && $0.cause != .absent && (driver == nil || $0.driver == nil || $0.driver == driver)
        }
        guard var first = found.first(where: { $0.cause == .indeterminate }) ?? found.first else { return nil }
        // Another driver may have searched the right place; then the obstacle explains nothing.
        if driver == nil, searching.count > 1 { first.cause = .indeterminate }
        return first
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
