internal import DriverKit
internal import Readiness
internal import SystemPackage

/// What a device's buffer delivers for some of its sensors, and what triggers it.
struct ScanPlan: Sendable {
    let layout: ScanLayout
    let clock: CaptureClock
    /// The name of that clock.
    let clockName: String
    /// The trigger to set; nil if one is set, or the device needs none.
    let trigger: String?

    static let timestamp = "in_timestamp"
    /// The detail of the error of a device that needs a trigger.
    static let noTrigger = "it has no trigger"

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
            return (channel, index, format)
        }
        var elements = try plans.flatMap(\.axes).map { axis throws(DriverError) in
            guard let channel = axis.channel, names.contains("\(channel)_en") else {
                throw lacking("\(axis.value) does not go through its buffer")
            }
            return try element(channel)
        }
        if names.contains("\(Self.timestamp)_en"), let time = try? element(Self.timestamp), time.format.value.bits == 64
        {
            elements.append(time)
        }
        guard let layout = ScanLayout(elements) else { throw lacking("its channels share their cells") }
        self.layout = layout
        // Without it, the kernel's default.
        clockName = world.line(of: device.path.appending("current_timestamp_clock")) ?? "realtime"
        clock = CaptureClock(Array(clockName.utf8))
        let needsTrigger =
            device.attributes.contains("trigger") ? try read("trigger/current_trigger").allSatisfy { $0 <= 32 } : false
        trigger = needsTrigger ? Self.trigger(beside: device, in: world) : nil
        if needsTrigger, trigger == nil { throw lacking(Self.noTrigger) }
    }

    /// The name of the first trigger that the device's own driver provides.
    private static func trigger(beside device: IIODevice, in world: any World) -> String? {
        let folder = device.path.removingLastComponent()
        let names = (try? world.entries(of: folder)) ?? []
        for name in names where name.hasPrefix("trigger") {
            if let name = world.line(of: folder.appending(name).appending("name")) { return name }
        }
        return nil
    }
}

extension SensorPlan.AxisPlan {
    /// The channel of a raw value, such as `in_accel_x`; nil for a processed one, which no buffer contains.
    var channel: String? { isProcessed ? nil : String(value.dropLast("_raw".utf8.count)) }
}

/// The offsets of a device's channels in one scan of its buffer.
///
/// Cells are in the order of their indices, each at a multiple of its own size, and a scan ends at a multiple of the
/// largest one. Source: the kernel's `iio_compute_scan_bytes`.
package struct ScanLayout: Sendable {
    /// One enabled channel, such as `in_accel_x` or `in_timestamp`, its index, and the format of its cell.
    package typealias Element = (channel: String, index: Int, format: CellFormat)

    /// Where a channel's value is in a scan, and its format.
    package typealias ScanCell = (place: Int, format: CellFormat)

    package let size: Int
    package var channels: Set<String> { Set(cells.keys) }
    private let cells: [String: ScanCell]

    /// Lays out channels; nil for none, or if two share a cell with different formats.
    package init?(_ elements: [Element]) {
        var cells: [String: ScanCell] = [:]
        var size = 0
        var largest = 1
        var last: (element: Element, place: Int)?
        for element in elements.sorted(by: { ($0.index, $0.channel) < ($1.index, $1.channel) }) {
            let step = element.format.size
            if let last, last.element.index == element.index {
                guard last.element.format.size == step else { return nil }
                cells[element.channel] = (last.place, element.format)
                continue
            }
            let place = (size + step - 1) / step * step
            cells[element.channel] = (place, element.format)
            size = place + step
            largest = max(largest, step)
            last = (element, place)
        }
        guard !cells.isEmpty else { return nil }
        self.cells = cells
        self.size = (size + largest - 1) / largest * largest
    }

    package func cell(of channel: String) -> ScanCell? { cells[channel] }

    /// Where the axes of a sensor are, in order.
    func cells(of plan: SensorPlan) -> [ScanCell] { plan.axes.compactMap { $0.channel.flatMap(cell) } }
}

/// The format of a channel's value in its cell of a scan.
///
/// Form: `le:s12/16X2>>4`: byte order, sign, significant bits, storage bits, repeats, shift. The other bits of the cell
/// are undefined. Source: kernel ABI `sysfs-bus-iio`, `scan_elements/…_type`.
package struct CellFormat: Sendable, Hashable {
    package let value: SampleFormat
    let isBigEndian: Bool
    /// 8 to 64, in whole bytes.
    let storedBits: Int
    let repeats: Int
    let shift: Int

    /// Parses a format; nil for anything else, and if its bits do not fit into its cell.
    package init?(_ bytes: some Collection<UInt8>) {
        var line = Array(bytes.prefix(64))
        while let last = line.last, [0, 9, 10, 13, 32].contains(last) { line.removeLast() }
        let text = String(decoding: line, as: UTF8.self)
        guard let value = SampleFormat(line),
            let match = text.wholeMatch(of: /[^\/]*\/([0-9]{1,4})(?:X([0-9]{1,4}))?(?:>>([0-9]{1,4}))?/),
            let stored = Int(match.1), let repeats = Int(match.2 ?? "1"), let shift = Int(match.3 ?? "0"),
            8...64 ~= stored, stored.isMultiple(of: 8), 1...64 ~= repeats, shift + value.bits <= stored
        else { return nil }
        self.value = value
        isBigEndian = text.hasPrefix("be:")
        storedBits = stored
        self.repeats = repeats
        self.shift = shift
    }

    /// The channel's size in bytes in a scan; its offset is a multiple of it.
    package var size: Int { storedBits / 8 * repeats }

    /// The value at an offset, the first of repeated ones; nil if the bytes end before it does, and if it does not fit
    /// into `Int64`.
    package func integer(at place: Int, in bytes: [UInt8]) -> Int64? {
        let count = storedBits / 8
        guard place >= 0, place <= bytes.count - count else { return nil }
        var cell: UInt64 = 0
        for step in 0..<count {
            cell = cell << 8 | UInt64(bytes[place + (isBigEndian ? step : count - 1 - step)])
        }
        // The significant bits go to the top, which leaves out the others, and back, which extends the sign.
        let spare = 64 - value.bits
        let bits = (cell >> shift) << spare
        return value.isSigned ? Int64(bitPattern: bits) >> spare : Int64(exactly: bits >> spare)
    }
}
