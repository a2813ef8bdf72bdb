/// One line of gpsd's, as far as it concerns us.
///
/// The `class` alone decides what it is, never the protocol version, which has gone backwards more than once.
package enum Message: Sendable, Equatable {
    /// gpsd's release, such as "3.22".
    case version(release: String)
    /// The whole list of devices.
    case devices([GPSDDevice])
    /// A change of one device.
    case device(GPSDDevice)
    case report(TPV)
    /// How many satellites the device's fix uses.
    case sky(device: String?, used: Int?)
    /// What gpsd remembers: its own time, the last report and sky of each active device.
    case poll(time: Double?, [Message])
    /// A refusal, in gpsd's words.
    case error(String)
    /// A class that does not concern us, or is not known.
    case other(String)

    /// One device of gpsd's.
    package struct GPSDDevice: Sendable, Equatable {
        /// The path or URL by which gpsd knows it.
        package var path: String
        /// Whether it is open.
        package var isActive: Bool
        /// gpsd's time of its last packet, or of its opening where none came yet; nil where it is not open.
        package var activated: Double?
        /// The type of receiver, once packets were recognised.
        package var driver: String?
        /// What the receiver says of itself.
        package var subtype: String?
        /// Kinds of packet seen: 1 GPS, 2 and 4 corrections, 8 AIS; nil before any.
        package var flags: Int?
        /// Seconds between reports.
        package var cycle: Double?

        /// Reads a DEVICE object; nil without a path.
        init?(_ object: JSON) {
            guard let path = object["path"]?.line else { return nil }
            self.path = path
            // A time as text; a number in older releases, and 0 in the notice of closing.
            activated = object["activated"].flatMap { $0.number ?? $0.text.flatMap(secondsSince1970) }
            isActive = object["activated"].map { $0.number != 0 && $0 != .null } ?? false
            driver = object["driver"]?.line
            subtype = object["subtype"]?.line
            flags = object["flags"]?.integer
            cycle = object["cycle"]?.number.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        }

        /// Whether it can be a location receiver: not a source of corrections, ship reports or pulses.
        var isReceiver: Bool {
            if let flags, flags & 1 == 0, flags != 0 { return false }
            return !["ntrip://", "dgpsip://", "/dev/pps"].contains { path.hasPrefix($0) }
        }
    }

    /// Reads a line; nil where it is not a JSON object with a class.
    package init?(line: [UInt8]) {
        guard let object = JSON(parsing: line), let name = object["class"]?.text else { return nil }
        switch name {
        case "VERSION": self = .version(release: object["release"]?.line ?? "unknown")
        case "DEVICES": self = .devices((object["devices"]?.elements ?? []).compactMap(GPSDDevice.init))
        case "DEVICE":
            guard let device = GPSDDevice(object) else { return nil }
            self = .device(device)
        case "TPV": self = .report(TPV(object))
        case "SKY": self = Self.sky(object)
        case "POLL":
            // Before 3.0 the arrays were called fixes and skyviews.
            let reports = (object["tpv"] ?? object["fixes"])?.elements ?? []
            let skies = (object["sky"] ?? object["skyviews"])?.elements ?? []
            self = .poll(
                time: object["time"].flatMap { $0.number ?? $0.text.flatMap(secondsSince1970) },
                reports.map { .report(TPV($0)) } + skies.map(Self.sky))
        case "ERROR": self = .error(object["message"]?.line ?? "an error without a message")
        default: self = .other(object["class"]?.line ?? "")
        }
    }

    private static func sky(_ object: JSON) -> Message {
        let satellites = object["satellites"]?.elements
        let used = object["uSat"]?.integer ?? satellites?.count { $0["used"]?.flag == true }
        return .sky(device: object["device"]?.line, used: used.flatMap { $0 >= 0 ? $0 : nil })
    }
}
