internal import DriverKit
internal import Readiness

extension Endpoint {
    static let bluez = Endpoint.systemBus("org.bluez")
}

/// The controllers as bluetoothd tells them on the system bus, where the kernel's own sockets are out of reach.
///
/// It says whether a controller is powered on, and, from BlueZ 5.73 on, that rfkill blocks it, but not whether in software
/// or by a switch. It does not tell of a controller that is unconfigured, still being set up or owned by another process.
/// Source: BlueZ `doc/adapter-api.txt`.
enum BlueZAdapters {
    private static let interface = "org.bluez.Adapter1"
    /// All that is asked for, since other properties and objects tell of other people's devices.
    static let call = BusCall.objects(
        at: "/", interfaces: [interface], properties: ["Address", "Alias", "Name", "PowerState", "Powered"])

    /// What the answer to `call` says of each controller, by the number in its path's `hciN`.
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

    /// Whether a signal of bluetoothd's concerns a controller, or that bluetoothd itself comes or goes.
    ///
    /// Its first value is an object that came or went, the interface whose properties changed, or the service's name.
    static func isChange(_ frame: [UInt8]) -> Bool {
        let first = BusValues(parsing: frame).values.first?.text ?? ""
        return index(of: first) != nil || first == interface || first == "org.bluez"
    }

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
                address: address, isPowered: powered == "true", name: name, lowEnergy: .unknown,
                isBlocked: values["PowerState"] == "off-blocked"))
    }
}
