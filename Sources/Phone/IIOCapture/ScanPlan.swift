internal import DriverKit
internal import IIO
internal import Readiness
internal import SystemPackage

/// What a device's buffer delivers for some of its sensors, and what triggers it.
struct ScanPlan: Sendable {
    /// The channels to enable.
    let channels: Set<String>
    let layout: ScanLayout
    let clock: CaptureClock
    /// The trigger to set; nil if one is set, or the device needs none.
    let trigger: String?

    static let timestamp = "in_timestamp"

    /// Whether scans contain the kernel's timestamp.
    var hasTimestamp: Bool { channels.contains(Self.timestamp) }

    /// Reads the device's buffer settings; throws `unsupported` with the reason if they cannot be used.
    init(_ plans: [SensorPlan], of device: IIODevice, in world: any World) throws(DriverError) {
        func lacking(_ reason: String) -> DriverError {
            DriverError(.unsupported, subject: device.path.string, detail: reason)
        }
        func read(_ attribute: String) throws(DriverError) -> [UInt8] {
            try world.contents(of: device.path.appending(attribute), limit: 4096)
        }
        guard ["buffer", "scan_elements"].allSatisfy(device.attributes.contains), device.node != nil else {
            throw lacking("its driver has no buffer")
        }
        let names = try world.entries(of: device.path.appending("scan_elements"))
        func element(_ channel: String) throws(DriverError) -> ScanLayout.Element {
            guard let index = AttributeValue(try read("scan_elements/\(channel)_index")).flatMap({ Int($0.text) }),
                0...4096 ~= index, let format = CellFormat(try read("scan_elements/\(channel)_type"))
            else { throw lacking("scan_elements/\(channel) has no usable value") }
            return ScanLayout.Element(channel: channel, index: index, format: format)
        }
        var elements: [ScanLayout.Element] = []
        for axis in plans.flatMap(\.axes) {
            guard let channel = axis.channel, names.contains("\(channel)_en") else {
                throw lacking("\(axis.value) does not go through its buffer")
            }
            elements.append(try element(channel))
        }
        if names.contains("\(Self.timestamp)_en"), let time = try? element(Self.timestamp), time.format.value.bits == 64
        {
            elements.append(time)
        }
        guard let layout = ScanLayout(elements) else { throw lacking("its channels share their cells") }
        self.layout = layout
        channels = Set(elements.map(\.channel))
        clock = CaptureClock((try? read("current_timestamp_clock")) ?? [])
        guard device.attributes.contains("trigger"),
            try read("trigger/current_trigger").allSatisfy({ $0 <= 32 })
        else {
            trigger = nil
            return
        }
        guard let own = Self.trigger(beside: device, in: world) else { throw lacking("it has no trigger") }
        trigger = own
    }

    /// The name of the first trigger that the device's own driver provides.
    private static func trigger(beside device: IIODevice, in world: any World) -> String? {
        let folder = device.path.removingLastComponent()
        let names = (try? world.entries(of: folder)) ?? []
        for name in names where name.hasPrefix("trigger") {
            let path = folder.appending(name).appending("name")
            if let bytes = try? world.contents(of: path, limit: 4096), let name = PeerText.line(bytes) { return name }
        }
        return nil
    }
}

extension SensorPlan.AxisPlan {
    /// The channel of a raw value, such as `in_accel_x`; nil for a processed one, which no buffer contains.
    var channel: String? { isProcessed ? nil : String(value.dropLast("_raw".utf8.count)) }
}
