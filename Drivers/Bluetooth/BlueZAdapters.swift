internal import DriverKit
internal import Readiness
internal import SystemPackage

extension Endpoint {
    static let bluez = Endpoint.systemBus("org.bluez")
}

extension DaemonUnit {
    /// bluetoothd, where BlueZ and the distributions install it.
    static let bluetoothd = DaemonUnit(
        "bluetooth",
        programs: [
            "/usr/libexec/bluetooth/bluetoothd", "/usr/lib/bluetooth/bluetoothd", "/usr/sbin/bluetoothd",
        ], debianPackage: "bluez")
}

/// The controllers as bluetoothd reports them on the system bus.
///
/// A controller has its power, its roles in Low Energy (from BlueZ 5.55 on) and, from BlueZ 5.73 on, whether rfkill
/// blocks it, but not whether in software or by a switch. A controller that is unconfigured, still being set up or owned
/// by another process is not listed. Source: BlueZ `doc/org.bluez.Adapter.rst`.
enum BlueZAdapters {
    private static let interface = "org.bluez.Adapter1"
    private static let basics = ["Address", "Alias", "Name", "PowerState", "Powered"]
    /// The properties are limited to these, since others, and other objects, describe other people's devices.
    static let call = BusCall.objects(at: "/", interfaces: [interface], properties: basics + ["Roles"])
    /// The call of recordings made before the roles were requested.
    static let callWithoutRoles = BusCall.objects(at: "/", interfaces: [interface], properties: basics)

    /// Asks bluetoothd for its controllers, by the number in their paths' `hciN`.
    static func answers(of channel: any Channel, until deadline: Instant) throws(DriverError) -> [UInt16:
        ControllerAnswer]
    {
        do throws(DriverError) {
            try channel.send(call.frame, until: deadline)
        } catch {
            guard error.code == .notRecorded else { throw error }
            try channel.send(callWithoutRoles.frame, until: deadline)
        }
        return answers(parsing: try channel.receive(limit: BusValues.byteLimit, until: deadline))
    }

    static func answers(parsing frame: [UInt8]) -> [UInt16: ControllerAnswer] {
        BusValues(parsing: frame).objects(with: interface).reduce(into: [:]) { answers, adapter in
            if let index = index(of: adapter.path) { answers[index] = answer(adapter.values) }
        }
    }

    /// The index of a controller by its object, such as `/org/bluez/hci0`; nil for a device or a service below one.
    static func index(of object: String) -> UInt16? {
        let parts = object.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 4 ? controllerIndex(String(parts[3])) : nil
    }

    /// Whether a signal means that bluetoothd starts or stops.
    static func isStartOrStop(_ frame: [UInt8]) -> Bool { subject(of: frame) == "org.bluez" }

    /// Whether a signal concerns a controller, or means that bluetoothd starts or stops.
    static func isChange(_ frame: [UInt8]) -> Bool {
        let subject = subject(of: frame)
        return isStartOrStop(frame) || index(of: subject) != nil || subject == interface
    }

    /// The first value of a signal: an object that came or went, the interface whose properties changed, or the service.
    private static func subject(of frame: [UInt8]) -> String { BusValues(parsing: frame).values.first?.text ?? "" }

    private static func answer(_ values: [String: String]) -> ControllerAnswer {
        guard let powered = values["Powered"], powered == "true" || powered == "false",
            let address = values["Address"].flatMap({ DeviceAddress($0) })
        else {
            return .failed(.malformed("an adapter without its address or power", from: .bluez))
        }
        // The alias is what a user named it; the name is the machine's.
        let name = PeerText.line((values["Alias"] ?? values["Name"] ?? "").utf8, limit: 248) ?? ""
        return .information(
            ControllerInformation(
                address: address, isPowered: powered == "true", name: name, lowEnergy: lowEnergy(values["Roles"]),
                isBlocked: values["PowerState"] == "off-blocked"))
    }

    /// Whether a controller supports Low Energy, by its roles; whether that is switched on is unknown.
    ///
    /// BlueZ lists the role `central` for each controller with Low Energy. Source: BlueZ `src/adapter.c`,
    /// `property_get_roles`.
    private static func lowEnergy(_ roles: String?) -> ControllerInformation.LowEnergy {
        guard let roles else { return .unknown }
        return roles.split(separator: ",").contains("central") ? .unknown : .unsupported
    }
}
