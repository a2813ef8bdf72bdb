internal import DriverKit
internal import Readiness
internal import SystemPackage

extension Endpoint {
    static let modemManager = Endpoint.systemBus("org.freedesktop.ModemManager1")
}

/// A modem, as ModemManager tells of it and of the receiver in it.
///
/// Source: ModemManager's D-Bus reference, "org.freedesktop.ModemManager1.Modem" and ".Modem.Location".
package struct Modem: Sendable, Equatable {
    /// The sources of a location that ModemManager names (MMModemLocationSource).
    struct LocationSources: OptionSet, Sendable {
        let rawValue: UInt32

        /// A position in degrees.
        static let raw = Self(rawValue: 1 << 1)
        /// The receiver's own sentences.
        static let nmea = Self(rawValue: 1 << 2)
        /// The receiver is switched on for another program, which reads its port.
        static let unmanaged = Self(rawValue: 1 << 4)
        static let receiver: Self = [.raw, .nmea, .unmanaged]
    }
    /// A state of a modem that decides what can be told of its receiver (MMModemState).
    private enum ModemState: String {
        case failed = "-1"
        case locked = "2"
        case disabled = "3"
    }

    private static let interface = "org.freedesktop.ModemManager1.Modem"
    static let locationInterface = "org.freedesktop.ModemManager1.Modem.Location"
    private static let root = "/org/freedesktop/ModemManager1"

    /// All that is asked for: other properties tell the subscriber's number and where the modem is.
    static let call = BusCall.objects(
        at: root, interfaces: [interface, locationInterface],
        properties: ["Capabilities", "Device", "Enabled", "Manufacturer", "Model", "Physdev", "State"])

    let object: String
    let name: String
    /// The folder of its device in sysfs; nil if ModemManager does not say.
    let device: String?
    private let state: ModemState?
    /// What the receiver can give and what is switched on; nil while ModemManager does not tell.
    let capabilities, enabled: LocationSources?

    /// The modems of an answer to `call`, in its order.
    package static func modems(parsing frame: [UInt8]) -> [Modem] {
        let values = BusValues(parsing: frame)
        let locations = Dictionary(
            values.objects(with: locationInterface).map { ($0.path, $0.values) },
            uniquingKeysWith: { first, _ in first })
        return values.objects(with: interface).filter { isModem($0.path) }.map {
            Modem($0.path, $0.values, location: locations[$0.path])
        }
    }

    private static func isModem(_ object: String) -> Bool {
        let number = object.dropping(prefix: "\(root)/Modem/")
        return !number.isEmpty && number.utf8.count <= 9 && number.utf8.allSatisfy { 48...57 ~= $0 }
    }

    private init(_ object: String, _ values: [String: String], location: [String: String]?) {
        self.object = object
        let words = [values["Manufacturer"], values["Model"]].compactMap { $0.flatMap { PeerText.line($0.utf8) } }
        name = words.isEmpty ? "modem" : words.joined(separator: " ")
        // ModemManager 1.22 has the folder in Physdev, and an older one in Device.
        device = [values["Physdev"], values["Device"]].lazy
            .compactMap { $0.flatMap { PeerText.line($0.utf8, limit: 256) } }
            .first { $0.hasPrefix("/sys/devices/") }
        state = values["State"].flatMap(ModemState.init)
        func sources(_ name: String) -> LocationSources? {
            location?[name].flatMap { UInt32($0) }.map(LocationSources.init)
        }
        (capabilities, enabled) = (sources("Capabilities"), sources("Enabled"))
    }

    private var number: UInt32 { object.split(separator: "/").last.flatMap { UInt32($0) } ?? 0 }

    /// Whether it has a receiver; nil if that cannot be determined before it is unlocked.
    var hasReceiver: Bool? {
        guard let capabilities else { return state == .locked || state == .failed ? nil : false }
        return !capabilities.isDisjoint(with: .receiver)
    }

    var givesPositions: Bool { enabled?.contains(.raw) == true }

    /// The place where it is plugged in, or else its object.
    var key: String { device?.dropping(prefix: "/sys/devices/") ?? object }

    func contains(_ folder: String) -> Bool { device.map { folder.hasPrefix("\($0)/") } ?? false }

    /// Why its receiver gives no position, and what makes it give some.
    var inactivity: ReceiverStatus {
        let port = Remedy.advice("add the modem's NMEA port to gpsd, with sudo gpsdctl add")
        if enabled?.contains(.unmanaged) == true {
            let managed: ShellCommand = "sudo mmcli -m \(number) --location-disable-gps-unmanaged && "
            return ReceiverStatus(
                .inactive, "ModemManager leaves its receiver to another program, and no gpsd reads its port",
                remedies: [port] + enabling([.raw, .nmea], after: managed))
        }
        let isOn = enabled?.contains(.nmea) == true
        var remedies = enabling(isOn ? .raw : [.raw, .nmea])
        if remedies.isEmpty, capabilities?.contains(.unmanaged) == true, !isOn {
            remedies.append(.command("sudo mmcli -m \(number) --location-enable-gps-unmanaged"))
        }
        if capabilities?.contains(.raw) != true { remedies.append(port) }
        let words =
            isOn
            ? "the receiver of a modem is on, but ModemManager passes on only its NMEA sentences, without a position"
            : "a receiver in a modem, which ModemManager has not switched on"
        return ReceiverStatus(.inactive, words, remedies: remedies)
    }

    /// The command that switches on those sources that the modem has; none if it has no position to give.
    private func enabling(_ sources: LocationSources, after first: ShellCommand = "") -> [Remedy] {
        guard let capabilities, capabilities.contains(.raw) else { return [] }
        let enable: ShellCommand = state == .disabled ? "sudo mmcli -m \(number) --enable && " : ""
        let options: ShellCommand =
            sources.contains(.nmea) && capabilities.contains(.nmea) ? " --location-enable-gps-nmea" : ""
        return [.command("\(enable)\(first)sudo mmcli -m \(number) --location-enable-gps-raw\(options)")]
    }

    /// What lets a user, as a shell names it, ask for the position, which polkit denies other users than root.
    ///
    /// Source: ModemManager's `org.freedesktop.ModemManager1.policy` and polkit(8).
    static func access(for user: ShellCommand) -> [Remedy] {
        [
            .option(.asRoot),
            .command(
                #"""
                printf 'polkit.addRule(function (action, subject) { if (action.id == "org.freedesktop.ModemManager1.Location" \#
                && subject.user == "%s") return polkit.Result.YES; });\n' "\#(user)" | \#
                sudo tee /etc/polkit-1/rules.d/70-rigready.rules
                """#,
                note: "on the host; polkit 0.106 or newer"),
        ]
    }

    /// Why it is unknown whether the modem has a receiver.
    var lock: (detail: String, remedies: [Remedy]) {
        state == .locked
            ? (
                "\(name) is locked; ModemManager reports its receiver only after the SIM is unlocked",
                [.advice("unlock the SIM with its PIN, which mmcli takes: --pin")]
            )
            : (
                "ModemManager reports that \(name) failed; whether the modem has a receiver is unknown",
                [.command("mmcli -m \(number)")]
            )
    }

    var evidence: Evidence {
        let words =
            capabilities.map { "capabilities \($0.rawValue), enabled \(enabled?.rawValue ?? 0)" }
            ?? "no location interface"
        return Evidence(sensor: key, path: object, said: "\(name): \(words)")
    }
}

extension Port {
    /// What switches on the receiver in the modem whose port it is, so that gpsd can read it.
    ///
    /// Source: ModemManager, mmcli(1); Quectel EC2x, EG9x GNSS application note; SIMCom SIM7500, SIM7600 GNSS
    /// application note; Telit LE910 AT commands reference.
    func switchingOnRemedies(in world: any World) -> [Remedy] {
        let command: String? =
            switch vendor {
            case "2c7c": "AT+QGPS=1"
            case "1e0e": "AT+CGPS=1"
            case "1bc7": "AT$GPSP=1"
            default: nil
            }
        let sending = command.map { [Remedy.advice("send \($0) to the modem's AT port")] } ?? []
        if ContainerEnvironment.container(in: world) != nil {
            return [.advice("on the host, let ModemManager switch the modem's receiver on for gpsd")] + sending
        }
        guard world.absence(of: "/usr/bin/mmcli") == nil else {
            let manual = Remedy.advice("switch the modem's receiver on, with the AT command of its manual")
            return sending.isEmpty ? [manual] : sending
        }
        let enabling = Remedy.command(
            "sudo mmcli -m any --location-enable-gps-unmanaged", note: "where ModemManager has the modem")
        return [enabling] + sending
    }
}

package struct ModemPosition: Sendable, Equatable {
    static func call(_ modem: Modem) -> BusCall { BusCall(modem.object, Modem.locationInterface, "GetLocation") }

    /// Degrees, WGS 84.
    package let latitude, longitude: Double
    /// Metres above mean sea level.
    package let altitude: Double?
    /// The receiver's own time of the position, as `hhmmss.sss` UTC; nil if it gives none.
    package let time: String?

    /// Reads the answer to `call`; nil if it has no position, or one that cannot be true.
    package init?(parsing frame: [UInt8]) {
        let source = "\(Modem.LocationSources.raw.rawValue)"
        var values: [String: String] = [:]
        for value in BusValues(parsing: frame).values where value.keys.count == 2 && value.keys[0] == source {
            values[value.keys[1]] = value.text
        }
        func number(_ name: String) -> Double? {
            values[name].flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
        }
        guard let latitude = number("latitude"), let longitude = number("longitude"), -90...90 ~= latitude,
            -180...180 ~= longitude
        else { return nil }
        (self.latitude, self.longitude) = (latitude, longitude)
        // ModemManager gives the least of all numbers for one that is unknown.
        altitude = number("altitude").flatMap { -20_000...100_000 ~= $0 ? $0 : nil }
        time = values["utc-time"].flatMap { PeerText.line($0.utf8, limit: 16) }
    }

    /// Whether it is what programs send before they know the position.
    var isOrigin: Bool { latitude == 0 && longitude == 0 }

    var fix: PositionReading.Fix { altitude == nil ? .twoDimensional : .threeDimensional }
}
