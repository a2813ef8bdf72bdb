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
        if case .information(let information) = answer { reading.lowEnergy = information.lowEnergy.isOn }
        switch answer {
        case .information(let information):
            if !information.name.isEmpty { sensor.name = information.name }
            if !information.address.isAny { reading.address = information.address.description }
            if information.isPowered {
                describeOn(information.lowEnergy, &sensor, &reading)
            } else {
                describeOff(&sensor, &reading, because: "not powered")
                if information.lowEnergy == .unsupported {
                    reading.state = .unsupported
                    sensor.detail = sensor.detail.map { "\($0); without Bluetooth Low Energy" }
                    sensor.remedies.append(Self.newerController)
                }
            }
        case .refused(.blocked): describeOff(&sensor, &reading, because: ManagementStatus.blocked.words)
        case .unconfigured(let missing): describeUnconfigured(missing, &sensor, &reading)
        case .refused(.permissionDenied):
            sensor.deny(asRoot)
            sensor.detail = "this user may not read the controller"
            sensor.evidence = [said(ManagementStatus.permissionDenied.words)]
        case .refused(let status) where status == .invalidIndex || status == .busy:
            (sensor.detail, sensor.remedies) = (Self.busy, remediesForBusy)
            sensor.evidence = [said(status.words)]
        case .refused(let status):
            sensor.fail(.faulty, "the kernel does not report its state: \(status.words)", kernelLog)
            sensor.evidence = [said(status.words)]
        case .failed(let error):
            sensor.availability = error.availability
            sensor.detail = error.reason
            sensor.evidence = [error.evidence(of: key)]
            sensor.remedies = error.remedies
            if error.isDenied { sensor.deny(asRoot) }
        case .withheld:
            (sensor.detail, sensor.remedies) = (Self.busy, remediesForBusy)
            sensor.evidence = [listed("sysfs lists the controller, but the management socket does not")]
        case .unasked(let reason, let remedies):
            (sensor.detail, sensor.remedies) = (reason, remedies)
            if access == .denied { sensor.deny(remedies) }
            sensor.evidence = [listed("listed")]
            return sensor
        }
        sensor.reading = .adapter(reading)
        return sensor
    }

    // The kernel returns the same status in these cases (Invalid Index).
    private static let busy = "not ready: its setup failed or has not ended, or another process owns it"

    /// A set-up that failed has its reason in the kernel's log; one that has not ended takes some seconds.
    private var remediesForBusy: [Remedy] {
        kernelLog + [.option(.again), .advice("if the kernel reports no fault, stop the program that owns \(path)")]
    }

    private static let newerController = Remedy.advice(
        "use a controller with Bluetooth 4.0 or newer, such as a USB adapter")

    /// The notice that its address is not its own; nil if it is, or is unknown.
    func addressNotice(key: String) -> Notice? {
        guard case .information(let information) = answer, !information.address.isUnique else { return nil }
        let address = information.address
        let problem =
            address.isAny
            ? "\(path) has no address"
            : "\(path) has the address \(address), which is not its own but its chip's default"
        return Notice(
            .defaultAddress, sensor: key,
            detail: "\(problem), so its key is its place: the controller's firmware patch, or its address, is missing")
    }

    private func said(_ words: String) -> Evidence {
        Evidence(sensor: key, path: asked.description, said: "\(path): \(words)")
    }

    private func listed(_ words: String) -> Evidence {
        Evidence(sensor: key, path: "/sys/class/bluetooth/\(path)", said: words)
    }

    private func describeOn(
        _ lowEnergy: ControllerInformation.LowEnergy, _ sensor: inout Sensor, _ reading: inout AdapterReading
    ) {
        reading.state = .poweredOn
        sensor.evidence = [said("powered")]
        switch lowEnergy {
        case .on, .unknown: sensor.availability = .available
        case .off:
            sensor.fail(
                .lowEnergyOff, "powered on, but Bluetooth Low Energy is switched off",
                [
                    .command("sudo btmgmt --index \(index) le on"),
                    .advice(
                        "if bluetoothd switches it off again, remove ControllerMode = bredr from /etc/bluetooth/main.conf"
                    ),
                ])
            sensor.evidence = [said("powered, Low Energy supported and off")]
        case .unsupported:
            reading.state = .unsupported
            sensor.fail(
                .lowEnergyOff, "powered on, but without Bluetooth Low Energy, which it does not support",
                [Self.newerController])
            sensor.evidence = [said("powered, Low Energy not supported")]
        }
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
            sensor.fail(.inactive, "not configured: the vendor's setup is missing", kernelLog)
        } else {
            sensor.fail(.inactive, "not configured yet", [.option(.again)] + kernelLog)
        }
        sensor.evidence = [said("unconfigured, missing options 0x\(String(missing.rawValue, radix: 16))")]
    }
}
