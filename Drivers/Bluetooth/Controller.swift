internal import DriverKit
internal import Readiness

struct Controller {
    var index: UInt16
    var key: String
    var answer: ControllerAnswer
    var switches: RfkillSwitches
    /// The socket that was asked, and this user's access to it.
    var asked: Endpoint
    var access: Access
    /// Whether bluetoothd runs and has no other controller, so that its own tool switches this one.
    var isServed = false

    var path: String { "hci\(index)" }

    var sensor: Sensor {
        var sensor = Sensor(
            key: key, kind: .bluetoothAdapter, name: path, driver: BluetoothDriver.identifier, path: path,
            availability: .unavailable(.indeterminate), access: access)
        var reading = AdapterReading(state: .unknown)
        (reading.softBlocked, reading.hardBlocked) = switches.own(path).blocks
        switch answer {
        case .information(let information):
            if !information.name.isEmpty { sensor.name = information.name }
            if !information.address.isAny { reading.address = information.address.description }
            guard information.isPowered else {
                describeOff(&sensor, &reading, because: "not powered")
                break
            }
            sensor.availability = .available
            reading.state = .poweredOn
            sensor.evidence = [said("powered")]
            switch information.lowEnergy {
            case .on, .unknown: break
            case .off: sensor.detail = "powered on; Bluetooth Low Energy is switched off"
            case .unsupported: sensor.detail = "powered on; without Bluetooth Low Energy"
            }
        case .refused(.blocked): describeOff(&sensor, &reading, because: ManagementStatus.blocked.words)
        case .unconfigured(let missing): describeUnconfigured(missing, &sensor, &reading)
        case .refused(.permissionDenied):
            sensor.deny(asRoot)
            sensor.detail = "the kernel does not show it to this user"
            sensor.evidence = [said(ManagementStatus.permissionDenied.words)]
        case .refused(let status) where status == .invalidIndex || status == .busy:
            (sensor.detail, sensor.remedies) = (Self.busy, remediesForBusy)
            sensor.evidence = [said(status.words)]
        case .refused(let status):
            sensor.fail(.faulty, "the kernel cannot tell its state: \(status.words)", kernelLog)
            sensor.evidence = [said(status.words)]
        case .failed(let error):
            sensor.availability = error.availability
            sensor.detail = error.reason
            sensor.evidence = [error.evidence(of: key)]
            sensor.remedies = error.remedies
            if error.isDenied { sensor.deny(asRoot) }
        case .withheld:
            (sensor.detail, sensor.remedies) = (Self.busy, remediesForBusy)
            sensor.evidence = [listed("the kernel has it, and its management interface does not list it")]
        case .unasked(let reason, let remedies):
            (sensor.detail, sensor.remedies) = (reason, remedies)
            if access == .denied { sensor.deny(remedies) }
            sensor.evidence = [listed("listed")]
            return sensor
        }
        sensor.reading = .adapter(reading)
        return sensor
    }

    // The kernel returns the same status for both cases (Invalid Index).
    private static let busy = "busy: owned by another process, or still being set up"

    private var remediesForBusy: [Remedy] {
        [.option(.again), .advice("if it stays, stop the program that owns \(path)")]
    }

    private func said(_ words: String) -> Evidence {
        Evidence(sensor: key, path: asked.description, said: "\(path): \(words)")
    }

    private func listed(_ words: String) -> Evidence {
        Evidence(sensor: key, path: "/sys/class/bluetooth/\(path)", said: words)
    }

    private func describeOff(_ sensor: inout Sensor, _ reading: inout AdapterReading, because words: String) {
        let reaching = switches.reaching(path)
        (reading.softBlocked, reading.hardBlocked) = reaching.blocks
        reading.state = .poweredOff
        sensor.evidence = [said(words)] + reaching.map(\.evidence)
        if let cause = reaching.cause {
            sensor.fail(cause, reaching.clause, cause.remedies)
        } else if answer.isBlocked {
            // The kernel or BlueZ reports rfkill, and no readable switch says which.
            sensor.fail(.softBlocked, "blocked by rfkill", Cause.softBlocked.remedies)
        } else {
            let doubt = switches.failure == nil ? "" : "; whether rfkill blocks it cannot be read"
            sensor.fail(
                .poweredOff, "powered off\(doubt)",
                [.command(isServed ? "bluetoothctl power on" : "sudo btmgmt --index \(index) power on")])
            if let failure = switches.failure { sensor.evidence.append(failure.evidence(of: key)) }
        }
    }

    private func describeUnconfigured(
        _ missing: MissingConfiguration, _ sensor: inout Sensor, _ reading: inout AdapterReading
    ) {
        reading.state = .poweredOff
        if missing.contains(.address) {
            let advice =
                "find the address that the controller's maker gave it (its label or manual), and type it after: "
                + "sudo btmgmt --index \(index) public-addr"
            sensor.fail(.inactive, "not configured: it has no public address", [.advice(advice)])
        } else if missing.contains(.external) {
            sensor.fail(.inactive, "not configured: it waits for its vendor's own set-up", kernelLog)
        } else {
            sensor.fail(.inactive, "not configured yet", [.command("sudo btmgmt --index \(index) config")])
        }
        sensor.evidence = [said("unconfigured, missing options 0x\(String(missing.rawValue, radix: 16))")]
    }
}
