package import DriverKit
package import SystemPackage

/// Where a sensor is, as a key that survives a reboot and a change of the order in which drivers load.
///
/// First the device that carries the chip, then what is below it, without the numbers that the kernel assigns at each
/// boot:
///
/// | chip | key |
/// | --- | --- |
/// | any with a device tree node | `of:/soc/i2c@7e804000/imu@68` |
/// | any with an ACPI node | `acpi:_SB_.PCI0.I2C2.ACC0` |
/// | i2c, controller known | `0000:00:1f.4/0068`: controller and address |
/// | i2c, else (also behind a multiplexer) | `i2c-1/1-0068`: bus and device |
/// | spi | `fe204000.spi/cs0`, else `spi0/spi0.0` |
/// | HID over USB | `usb-1-1.2:1.0/HID-SENSOR-200073`: port path, interface, usage |
/// | HID elsewhere | `uhid/0003:1209:0001/HID-SENSOR-200073`: its parent, vendor and product, usage |
/// | platform | `fe000000.adc`, `GOOG0004:00/cros-ec-accel`: its name |
package enum PhysicalPlace {
    /// The key of the chip at a path below `/sys/devices`; reads its firmware node, nothing of the chip.
    package static func key(of chip: FilePath, in world: some World) -> String {
        let names = chip.components.map(\.string).drop { $0 != "devices" }.dropFirst()
        let path = Array(names.prefix(64))
        guard let head = head(of: path) else { return path.last ?? "virtual" }
        let isAnchored = head.bus != .none
        let tail = path[(head.index + 1)...].compactMap { name -> String? in
            isAnchored && isHID(name) ? nil : withoutInstance(name)
        }
        let folder = FilePath("/sys/devices").appending(path[...head.index].joined(separator: "/"))
        let node = head.bus == .usb ? nil : firmwareNode(of: folder, in: world)
        return ([node ?? place(of: path, head)] + tail).joined(separator: "/")
    }

    private enum Bus { case i2c, spi, usb, none }

    /// The component that carries the chip: its device on i2c, spi or USB, else the last one with a stable name.
    private static func head(of path: [String]) -> (index: Int, bus: Bus)? {
        for index in path.indices.reversed() {
            let name = path[index]
            if index > 0 {
                let above = path[index - 1]
                if isI2CBus(above) && !isI2CBus(name) { return (index, .i2c) }
                if name.hasPrefix("spi") && name.contains(".") && name.hasPrefix(above + ".") { return (index, .spi) }
            }
            if isUSBInterface(name) { return (index, .usb) }
        }
        let lasting = path.lastIndex { !isHID($0) && withoutInstance($0) == $0 }
        return lasting.map { ($0, .none) }
    }

    private static func place(of path: [String], _ head: (index: Int, bus: Bus)) -> String {
        let name = path[head.index]
        switch head.bus {
        case .i2c:
            let bus = path[head.index - 1]
            let pieces = name.split(separator: "-", maxSplits: 1)
            guard head.index > 1, let controller = controller(path[head.index - 2]), pieces.count == 2 else {
                return "\(bus)/\(name)"
            }
            return "\(controller)/\(pieces[1])"
        case .spi:
            let bus = path[head.index - 1]
            let above = path[..<(head.index - 1)].last { $0 != "spi_master" }
            guard let controller = above.flatMap(controller) else { return "\(bus)/\(name)" }
            return "\(controller)/cs\(name.dropFirst(bus.utf8.count + 1))"
        case .usb: return "usb-\(name)"
        case .none: return name
        }
    }

    /// A component that names a controller by address or port; nil for roots, and for i2c buses above a multiplexer.
    private static func controller(_ name: String) -> String? {
        let roots = ["virtual", "platform", "soc", "system"]
        return roots.contains(name) || name.hasPrefix("pci") || isI2CBus(name) ? nil : withoutInstance(name)
    }

    private static func firmwareNode(of folder: FilePath, in world: some World) -> String? {
        if let properties = try? world.kernelProperties(of: folder), let name = properties["OF_FULLNAME"],
            let line = PeerText.line(name.utf8, limit: 200)
        {
            return "of:\(line)"
        }
        guard let line = world.line(of: folder.appending("firmware_node/path"), limit: 200) else { return nil }
        return "acpi:" + (line.hasPrefix("\\") ? String(line.dropFirst()) : line)
    }

    private static func isI2CBus(_ name: String) -> Bool {
        name.hasPrefix("i2c-") && isNumber(name.dropFirst(4))
    }

    /// `BUS-PORT[.PORT…]:CONFIGURATION.INTERFACE`.
    private static func isUSBInterface(_ name: String) -> Bool {
        let halves = name.split(separator: ":")
        guard halves.count == 2 else { return false }
        let port = halves[0].split(separator: "-")
        return port.count == 2 && isNumber(port[0]) && port[1].split(separator: ".").allSatisfy(isNumber)
            && halves[1].split(separator: ".").count == 2 && halves[1].split(separator: ".").allSatisfy(isNumber)
    }

    /// `BUS:VENDOR:PRODUCT.INSTANCE`, all in hexadecimal.
    private static func isHID(_ name: String) -> Bool {
        let parts = name.split(separator: ":")
        guard parts.count == 3, let last = parts.last?.split(separator: "."), last.count == 2 else { return false }
        return (parts.dropLast() + last).allSatisfy { $0.utf8.count >= 4 && UInt32($0, radix: 16) != nil }
    }

    /// A name without the number that the kernel assigned: `.N.auto` of a part of a device, `.N` of a HID device.
    private static func withoutInstance(_ name: String) -> String {
        let parts = name.split(separator: ".")
        if parts.count > 2, parts.last == "auto", isNumber(parts[parts.count - 2]) {
            return parts.dropLast(2).joined(separator: ".")
        }
        return isHID(name) ? parts.dropLast().joined(separator: ".") : name
    }

    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
}

extension Sequence {
    /// The elements in bus order: numbers in their paths compare by value, so that `iio:device10` follows
    /// `iio:device9`.
    func inBusOrder(_ path: (Element) -> FilePath) -> [Element] {
        // The bytes of each path once: sorting reads them many times.
        map { ($0, Array(path($0).string.utf8)) }.sorted { precedesOnBus($0.1, $1.1) }.map(\.0)
    }
}

private func precedesOnBus(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
    /// The digits from an index on without leading zeros; the index is then behind them.
    func number(in bytes: [UInt8], _ index: inout Int) -> Range<Int> {
        while index < bytes.count, bytes[index] == UInt8(ascii: "0") { index += 1 }
        let start = index
        while index < bytes.count, isDigit(bytes[index]) { index += 1 }
        return start..<index
    }
    var (left, right) = (0, 0)
    while left < one.count, right < other.count {
        guard isDigit(one[left]), isDigit(other[right]) else {
            if one[left] != other[right] { return one[left] < other[right] }
            (left, right) = (left + 1, right + 1)
            continue
        }
        let (first, second) = (number(in: one, &left), number(in: other, &right))
        if first.count != second.count { return first.count < second.count }
        for (index, counterpart) in zip(first, second) where one[index] != other[counterpart] {
            return one[index] < other[counterpart]
        }
    }
    return one.count - left < other.count - right
}
