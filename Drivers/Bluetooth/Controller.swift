internal import DriverKit
internal import Readiness

/// One controller, the answer about it, and the sensor that follows from it.
struct Controller {
    /// The number in `hciN`.
    var index: UInt16
    var key: String
    var answer: ControllerAnswer

    var path: String { "hci\(index)" }

    /// The sensor of the report; `access` is this user's access to the socket that was asked, `asked`.
    ///
    /// `isServed`: bluetoothd runs and has no other controller, so its own tool switches this one.
    func sensor(
        switches: RfkillSwitches, access: Access, asked: Endpoint, isServed: Bool = false
    ) -> Sensor {
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
                describeOff(&sensor, &reading, switches, said: "not powered", asked, isServed)
            }
        case .refused(.blocked):
            describeOff(&sensor, &reading, switches, said: ManagementStatus.blocked.words, asked, isServed)
        case .unconfigured(let missing):
            describeUnconfigured(missing, &sensor, &reading, asked)
        case .refused(.permissionDenied):
            sensor.deny(asRoot)
            sensor.detail = "the kernel does not show it to this user"
            sensor.evidence = [said(ManagementStatus.permissionDenied.words, by: asked)]
        case .refused(let status) where status == .invalidIndex || status == .busy:
            (sensor.detail, sensor.remedies) = (Self.busy, remediesForBusy)
            sensor.evidence = [said(status.words, by: asked)]
        case .refused(let status):
            sensor.fail(.faulty, "the kernel cannot tell its state: \(status.words)", kernelLog)
            sensor.evidence = [said(status.words, by: asked)]
        case .failed(let error):
            sensor.availability = error.availability
            sensor.detail = error.reason
            sensor.evidence = [error.evidence(of: key)]
            sensor.remedies = error.remedies
            if error.isDenied { sensor.deny(asRoot) }
        case .withheld:
            (sensor.detail, sensor.remedies) = (Self.busy, remediesForBusy)
            sensor.evidence = [
                Evidence(
                    sensor: key, path: "/sys/class/bluetooth/\(path)",
                    said: "the kernel has it, and its management interface does not list it")
            ]
        case .unasked(let reason, let remedies):
            (sensor.detail, sensor.remedies) = (reason, remedies)
            if access == .denied { sensor.deny(remedies) }
            sensor.evidence = [Evidence(sensor: key, path: "/sys/class/bluetooth/\(path)", said: "listed")]
        }
        if case .unasked = answer {} else { sensor.reading = .adapter(reading) }
        return sensor
    }

    // The kernel returns the same status for both cases (Invalid Index).
    private static let busy = "busy: owned by another process, or still being set up"

    private var remediesForBusy: [Remedy] {
        [.option(.again), .advice("if it stays, stop the program that owns \(path)")]
    }

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
        case .on, .unknown: break
        case .off: sensor.detail = "powered on; Bluetooth Low Energy is switched off"
        case .unsupported: sensor.detail = "powered on; without Bluetooth Low Energy"
        }
    }

    private func describeOff(
        _ sensor: inout Sensor, _ reading: inout AdapterReading, _ switches: RfkillSwitches, said words: String,
        _ asked: Endpoint, _ isServed: Bool
    ) {
        let reaching = switches.reaching(path)
        (reading.softBlocked, reading.hardBlocked) = reaching.blocks
        reading.state = .poweredOff
        sensor.evidence = [said(words, by: asked)] + reaching.map(\.evidence)
        if let cause = reaching.cause {
            sensor.fail(cause, reaching.clause, cause.remedies)
        } else if answer.isBlocked {
            // The kernel or BlueZ reports rfkill, and no readable switch says which.
            sensor.fail(.softBlocked, "blocked by rfkill", Cause.softBlocked.remedies)
        } else {
            sensor.availability = .unavailable(.poweredOff)
            sensor.detail = "powered off"
            if let failure = switches.failure {
                sensor.detail = "powered off; whether rfkill blocks it cannot be read"
                sensor.evidence.append(failure.evidence(of: key))
            }
            sensor.remedies = [.command(isServed ? "bluetoothctl power on" : "sudo btmgmt --index \(index) power on")]
        }
    }

    private func describeUnconfigured(
        _ missing: MissingConfiguration, _ sensor: inout Sensor, _ reading: inout AdapterReading, _ asked: Endpoint
    ) {
        sensor.availability = .unavailable(.inactive)
        reading.state = .poweredOff
        if missing.contains(.address) {
            sensor.detail = "not configured: it has no public address"
            sensor.remedies =
                [
                    .advice(
                        "find the address that the controller's maker gave it (its label or manual),"
                            + " and type it after: sudo btmgmt --index \(index) public-addr")
                ]
        } else if missing.contains(.external) {
            sensor.detail = "not configured: it waits for its vendor's own set-up"
            sensor.remedies = kernelLog
        } else {
            sensor.detail = "not configured yet"
            sensor.remedies = [.command("sudo btmgmt --index \(index) config")]
        }
        sensor.evidence = [
            said("unconfigured, missing options 0x\(String(missing.rawValue, radix: 16))", by: asked)
        ]
    }
}
