internal import DriverKit
package import Readiness
internal import SystemPackage

/// The report descriptor of a HID sensor hub: which sensors it has.
///
/// Source: Device Class Definition for HID 1.11, section 6.2.2; HID Usage Tables, page 0x20 (sensors).
package enum HubDescriptor {
    /// The motion sensors of a hub that its driver does not serve; nil for a device that is no hub, or is served.
    ///
    /// The kernel gives a hub to `hid-generic` until `hid-sensor-hub` is loaded, so a hub has a driver either way.
    static func unserved(at path: FilePath, _ properties: Properties, in world: some World)
        throws(DriverError) -> Set<SensorKind>?
    {
        // Group 2 is HID_GROUP_SENSOR_HUB, which the kernel found in the descriptor.
        guard let alias = properties["MODALIAS"], alias.hasPrefix("hid:b"), alias.dropFirst(9).hasPrefix("g0002"),
            [nil, "hid-generic"].contains(properties["DRIVER"])
        else { return nil }
        let kinds = Self.kinds(in: try world.contents(of: path.appending("report_descriptor"), limit: 4096))
        return kinds.isEmpty ? nil : kinds
    }

    /// The accelerometers and gyroscopes that a descriptor declares.
    package static func kinds(in descriptor: [UInt8]) -> Set<SensorKind> {
        var kinds: Set<SensorKind> = []
        var page: UInt32 = 0
        var usage: UInt32?
        var rest = descriptor[...]
        while let prefix = rest.popFirst() {
            // A long item contains its own length; none is in use.
            guard prefix != 0xfe else { break }
            let size = [0, 1, 2, 4][Int(prefix & 3)]
            guard rest.count >= size else { break }
            let value = rest.prefix(size).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            rest = rest.dropFirst(size)
            switch prefix & 0xfc {
            case 0x04: page = value
            case 0x08: usage = size == 4 ? value : page << 16 | value
            case 0xa0:
                if usage == 0x20_0073 { kinds.insert(.accelerometer) }
                if usage == 0x20_0076 { kinds.insert(.gyroscope) }
                usage = nil
            case 0x80, 0x90, 0xb0, 0xc0: usage = nil
            default: break
            }
        }
        return kinds
    }
}
