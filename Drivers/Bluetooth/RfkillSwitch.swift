package import Readiness

/// One rfkill switch of a Bluetooth radio; a radio can have several, its own and those of the platform.
package struct RfkillSwitch: Sendable, Equatable {
    /// The number in `rfkillN`.
    package var number: UInt32
    /// The controller's name (`hci0`) or the platform's (`ideapad_bluetooth`); nil if only `/dev/rfkill` reported it.
    package var name: String?
    /// Blocked in software.
    package var soft: Bool
    /// Blocked by a physical switch.
    package var hard: Bool

    /// Makes a switch.
    package init(number: UInt32, name: String?, soft: Bool, hard: Bool) {
        self.number = number
        self.name = name
        self.soft = soft
        self.hard = hard
    }

    /// Why its radio is off, hard before soft; nil if it is not blocked.
    package var cause: Cause? { hard ? .hardBlocked : soft ? .softBlocked : nil }

    /// What was seen of it.
    package var evidence: Evidence {
        Evidence(
            path: "/sys/class/rfkill/rfkill\(number)",
            said: "\(name ?? "Bluetooth"): soft \(soft ? "blocked" : "unblocked"), "
                + "hard \(hard ? "blocked" : "unblocked")")
    }

    /// Whether a name is that of a controller, such as `hci0`, and not of the platform.
    package static func isController(_ name: String) -> Bool { controllerIndex(name) != nil }
}

/// The index of a controller by its kernel name: `hci0`, but neither `hci0:12` (a connection) nor `hci`.
func controllerIndex(_ name: String) -> UInt16? {
    let digits = name.dropFirst(3)
    guard name.hasPrefix("hci"), !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else {
        return nil
    }
    return UInt16(digits)
}

/// The contents of a `struct rfkill_event`.
package struct RfkillEvent: Sendable, Equatable {
    /// The type number of Bluetooth radios.
    package static let bluetooth: UInt8 = 2
    /// The operation number of a removed switch.
    package static let removed: UInt8 = 1

    /// The number in `rfkillN`.
    package var number: UInt32
    /// The kind of radio.
    package var type: UInt8
    /// What happened: 0 added, 1 removed, 2 changed.
    package var operation: UInt8
    /// Blocked in software.
    package var soft: Bool
    /// Blocked by a physical switch.
    package var hard: Bool

    /// Parses an event; nil if it is shorter than its eight bytes.
    ///
    /// Index (4 bytes), type, operation, soft and hard; with kernels from 5.11 on the reasons of a hard block, which
    /// are skipped together with anything that a later kernel appends.
    package init?(parsing bytes: [UInt8]) {
        guard let number = bytes.uint32(at: 0), let type = bytes.byte(at: 4), let operation = bytes.byte(at: 5),
            let soft = bytes.byte(at: 6), let hard = bytes.byte(at: 7)
        else { return nil }
        self.number = number
        self.type = type
        self.operation = operation
        self.soft = soft != 0
        self.hard = hard != 0
    }
}
