package import DriverKit
package import Readiness

/// One controller, what was told of it, and what that makes of it.
package struct Controller: Sendable, Hashable {
    /// The number in `hciN`.
    package var index: UInt16
    /// Its stable key.
    package var key: String
    /// What came of asking it.
    package var answer: ControllerAnswer

    /// Makes a controller.
    package init(index: UInt16, key: String, answer: ControllerAnswer) {
        self.index = index
        self.key = key
        self.answer = answer
    }

    /// The kernel's name of today.
    package var path: String { "hci\(index)" }

    /// The sensor of the report; `access` is this user's to the socket that was asked, named `asked`.
    package func sensor(switches: RadioSwitches, access: Access, asked: Endpoint) -> Sensor {
        var sensor = Sensor(
            key: key, kind: .bluetoothAdapter, name: path, driver: BluetoothDriver.identifier, path: path,
            availability: .unavailable(.indeterminate), access: access)
        var reading = AdapterReading(state: .unknown)
        (reading.softBlocked, reading.hardBlocked) = switches.own(path).blocks
        switch answer {
        case .information(let information):
            if !information.name.isEmpty { sensor.name = information.name }
            if !information.address.isAny { reading.address = information.address.description }
            if information.isPowered {
                describePowered(information, &sensor, &reading, asked)
            } else {
                describeOff(&sensor, &reading, switches, said: "not powered", asked)
            }
        case .refused(.blocked):
            describeOff(&sensor, &reading, switches, said: ManagementStatus.blocked.words, asked)
        case .unconfigured(let missing):
            describeUnconfigured(missing, &sensor, &reading, asked)
        case .refused(.permissionDenied):
            sensor.access = .denied
            sensor.detail = "the kernel does not tell this user of it"
            sensor.evidence = [said(ManagementStatus.permissionDenied.words, by: asked)]
        case .refused(let status) where status == .invalidIndex || status == .busy:
            sensor.detail = Self.busy
            sensor.evidence = [said(status.words, by: asked)]
        case .refused(let status):
            sensor.availability = .unavailable(.faulty)
            sensor.detail = "the kernel cannot tell its state: \(status.words)"
            sensor.evidence = [said(status.words, by: asked)]
        case .failed(let error):
            sensor.availability = error.availability
            sensor.detail = error.reason
            sensor.evidence = [error.evidence(of: key)]
        case .withheld:
            sensor.detail = Self.busy
            sensor.evidence = [
                Evidence(
                    sensor: key, path: "/sys/class/bluetooth/\(path)",
                    said: "the kernel has it, and its management interface does not list it")
            ]
        case .unasked(let reason):
            sensor.detail = reason
            sensor.evidence = [Evidence(sensor: key, path: "/sys/class/bluetooth/\(path)", said: "listed")]
        }
        if case .unasked = answer {} else { sensor.reading = .adapter(reading) }
        return sensor
    }

    // The kernel names the two cases alike (Invalid Index).
    private static let busy = "busy: owned by another process, or still being set up"

    private func said(_ words: String, by endpoint: Endpoint) -> Evidence {
        Evidence(sensor: key, path: endpoint.description, said: "\(path): \(words)")
    }
}

// MARK: - What each state means

extension Controller {
    private func describePowered(
        _ information: ControllerInformation, _ sensor: inout Sensor, _ reading: inout AdapterReading, _ asked: Endpoint
    ) {
        sensor.availability = .available
        reading.state = .poweredOn
        sensor.evidence = [said("powered", by: asked)]
        switch information.lowEnergy {
        case .on: break
        case .off: sensor.detail = "powered on; Bluetooth Low Energy is switched off"
        case .unsupported: sensor.detail = "powered on; without Bluetooth Low Energy"
        }
    }

    private func describeOff(
        _ sensor: inout Sensor, _ reading: inout AdapterReading, _ switches: RadioSwitches, said words: String,
        _ asked: Endpoint
    ) {
        let reaching = switches.reaching(path)
        (reading.softBlocked, reading.hardBlocked) = reaching.blocks
        reading.state = .poweredOff
        sensor.evidence = [said(words, by: asked)] + reaching.map(\.evidence)
        if let cause = reaching.cause {
            (sensor.availability, sensor.detail, sensor.remedy) =
                (.unavailable(cause), reaching.clause, cause.remedy)
        } else if case .refused = answer {
            // The kernel names rfkill, and no switch that can be read says which.
            (sensor.availability, sensor.detail, sensor.remedy) =
                (.unavailable(.softBlocked), "blocked by rfkill", Cause.softBlocked.remedy)
        } else {
            sensor.availability = .unavailable(.poweredOff)
            sensor.detail = "powered off"
            if let failure = switches.failure {
                sensor.detail = "powered off; whether rfkill blocks it cannot be read"
                sensor.evidence.append(failure.evidence(of: key))
            }
            sensor.remedy =
                "bluetoothctl power on (where bluetoothd does not run: sudo btmgmt --index \(index) power on)"
        }
    }

    private func describeUnconfigured(
        _ missing: MissingConfiguration, _ sensor: inout Sensor, _ reading: inout AdapterReading, _ asked: Endpoint
    ) {
        sensor.availability = .unavailable(.inactive)
        reading.state = .poweredOff
        if missing.contains(.address) {
            sensor.detail = "not configured: it has no public address"
            sensor.remedy = "sudo btmgmt --index \(index) public-addr ADDRESS"
        } else if missing.contains(.external) {
            sensor.detail = "not configured: it waits for its vendor's own set-up"
        } else {
            sensor.detail = "not configured yet"
        }
        sensor.evidence = [
            said("unconfigured, missing options 0x\(String(missing.rawValue, radix: 16))", by: asked)
        ]
    }
}

extension [RadioSwitch] {
    /// Whether any blocks in software, and by hardware; nil where there is none.
    var blocks: (soft: Bool?, hard: Bool?) {
        isEmpty ? (nil, nil) : (contains(where: \.soft), contains(where: \.hard))
    }

    /// What they say, in one clause.
    var clause: String {
        let names = blocked.compactMap(\.name)
        let by = names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
        switch (contains(where: \.hard), contains(where: \.soft)) {
        case (true, true): return "blocked by a hardware switch, and by rfkill in software\(by)"
        case (true, false): return "blocked by a hardware switch\(by)"
        default: return "blocked by rfkill in software\(by); systemd-rfkill restores a block at boot"
        }
    }
}

extension Cause {
    /// What lifts a block.
    var remedy: String? {
        switch self {
        case .softBlocked: "sudo rfkill unblock bluetooth"
        case .hardBlocked: "turn on the hardware switch"
        default: nil
        }
    }
}
