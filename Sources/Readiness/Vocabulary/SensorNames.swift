/// The names by which a pin may mean a sensor of its kind.
package typealias SensorNames = (key: String, label: String?, name: String, path: String?)

extension Sequence {
    /// The elements that a pin means most directly; it means one only if that is the only one.
    package func pinned(as pin: String, _ names: (Element) -> SensorNames) -> [Element] {
        let ranked = compactMap { element in rank(of: pin, for: names(element)).map { (rank: $0, element: element) } }
        let best = ranked.map(\.rank).min()
        return ranked.filter { $0.rank == best }.map(\.element)
    }
}

/// How directly a pin means a sensor of these names, the lower the better; nil if it does not.
private func rank(of pin: String, for names: SensorNames) -> Int? {
    guard !pin.isEmpty else { return nil }
    if names.key == pin { return 0 }
    if names.label == pin { return 1 }
    if names.name == pin { return 2 }
    if let path = names.path, path == pin || "/dev/" + path == pin { return 3 }
    return names.key.hasPrefix(pin) || names.name.hasPrefix(pin) ? 4 : nil
}

extension Inventory {
    /// Returns the sensor of a kind that a pin means, if it is the only one.
    ///
    /// A pin is a sensor's key, else its label, else its name, else its path, else the beginning of a key or name.
    package func sensor(_ kind: SensorKind, pinnedAs pin: String) -> Sensor? {
        let meant = sensors(kind, pinnedAs: pin)
        return meant.count == 1 ? meant.first : nil
    }

    private func sensors(_ kind: SensorKind, pinnedAs pin: String) -> [Sensor] {
        sensors.filter { $0.kind == kind }.pinned(as: pin) {
            (key: $0.key, label: $0.label, name: $0.name, path: $0.path)
        }
    }

    /// Why a pin means no sensor, in one clause, and which pins would.
    package func reasonForMissing(_ kind: SensorKind, pinnedAs pin: String) -> (detail: String, remedies: [Remedy]) {
        let found = sensors.filter { $0.kind == kind }
        let meant = sensors(kind, pinnedAs: pin)
        let near = suggestion(for: pin, among: found.flatMap { [$0.key, $0.label, $0.name].compactMap(\.self) })
        let detail =
            meant.isEmpty
            ? "the pinned \(kind.title) \(pin) was not found" + (near.map { " (did you mean \($0)?)" } ?? "")
            : "\(kind.id)=\(pin) matches \(meant.count) sensors"
        let keys = (meant.isEmpty ? found : meant).map { "\($0.key) (\($0.label ?? $0.name))" }
        guard !keys.isEmpty else { return (detail, []) }
        return (detail, [.advice("pin one that was found: \(keys.joined(separator: " or "))")])
    }
}
