package import DriverKit
internal import Glibc
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
        let names = names(in: chip).drop { $0 != "devices" }.dropFirst()
        let path = Array(names.prefix(64))
        guard let head = head(of: path) else { return path.last ?? "virtual" }
        let isAnchored = head.bus != .none
        let tail = path[(head.index + 1)...].compactMap { name -> String? in
            isAnchored && isHID(name) ? nil : withoutInstance(name)
        }
        var folder = chip
        for _ in head.index + 1..<names.count { folder.removeLastComponent() }
        let node = head.bus == .usb ? nil : firmwareNode(of: folder, in: world)
        let start = node ?? place(of: path, head)
        return tail.isEmpty ? start : ([start] + tail).joined(separator: "/")
    }

    /// The components of an absolute path.
    private static func names(in path: FilePath) -> [String] {
        let bytes = Array(path.string.utf8)
        var names: [String] = []
        var start = 1
        for index in 1..<max(bytes.count, 1) where bytes[index] == UInt8(ascii: "/") {
            names.append(String(decoding: bytes[start..<index], as: UTF8.self))
            start = index + 1
        }
        if start < bytes.count { names.append(String(decoding: bytes[start...], as: UTF8.self)) }
        return names
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
            guard head.index > 1, let controller = controller(path[head.index - 2]) else { return "\(bus)/\(name)" }
            let pieces = name.split(separator: "-", maxSplits: 1)
            return pieces.count == 2 ? "\(controller)/\(pieces[1])" : "\(bus)/\(name)"
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
        roots.contains(name) || name.hasPrefix("pci") || isI2CBus(name) ? nil : withoutInstance(name)
    }

    private static let roots = ["virtual", "platform", "soc", "system"]

    private static func firmwareNode(of folder: FilePath, in world: some World) -> String? {
        if let properties = try? world.kernelProperties(of: folder), let name = properties["OF_FULLNAME"],
            let line = PeerText.line(name.utf8, limit: 200)
        {
            return "of:\(line)"
        }
        guard let line = world.line(of: folder.pushing(firmwareNodePath), limit: 200) else { return nil }
        return "acpi:" + (line.hasPrefix("\\") ? String(line.dropFirst()) : line)
    }

    private static let firmwareNodePath = FilePath("firmware_node/path")

    private static func isI2CBus(_ name: String) -> Bool {
        name.hasPrefix("i2c-") && isNumber(Substring(name.utf8.dropFirst(4)))
    }

    /// `BUS-PORT[.PORT…]:CONFIGURATION.INTERFACE`.
    private static func isUSBInterface(_ name: String) -> Bool {
        guard name.utf8.contains(UInt8(ascii: ":")) else { return false }
        let halves = name.split(separator: ":")
        guard halves.count == 2 else { return false }
        let port = halves[0].split(separator: "-")
        return port.count == 2 && isNumber(port[0]) && port[1].split(separator: ".").allSatisfy(isNumber)
            && halves[1].split(separator: ".").count == 2 && halves[1].split(separator: ".").allSatisfy(isNumber)
    }

    /// `BUS:VENDOR:PRODUCT.INSTANCE`, all in hexadecimal.
    private static func isHID(_ name: String) -> Bool {
        guard name.utf8.contains(UInt8(ascii: ":")) else { return false }
        let parts = name.split(separator: ":")
        guard parts.count == 3, let last = parts.last?.split(separator: "."), last.count == 2 else { return false }
        return (parts.dropLast() + last).allSatisfy { $0.utf8.count >= 4 && UInt32($0, radix: 16) != nil }
    }

    /// A name without the number that the kernel assigned: `.N.auto` of a part of a device, `.N` of a HID device.
    private static func withoutInstance(_ name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: ".")) else { return name }
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
    package func inBusOrder(_ path: (Element) -> String) -> [Element] {
        let elements = Array(self)
        // All keys in one array, each made once: sorting compares them many times, and moves only their places.
        var bytes: [UInt8] = []
        var keys: [(range: Range<Int>, index: Int)] = []
        for index in elements.indices {
            let start = bytes.count
            appendBusOrderKey(of: path(elements[index]), to: &bytes)
            keys.append((start..<bytes.count, index))
        }
        unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let all = bytes.baseAddress else { return }
            keys.sort { first, second in
                let (one, other) = (first.range, second.range)
                let order = unsafe memcmp(
                    all + one.lowerBound, all + other.lowerBound, Swift.min(one.count, other.count))
                return order == 0 ? one.count < other.count : order < 0
            }
        }
        return keys.map { elements[$0.index] }
    }
}

/// Appends bytes that sort as a path does on the bus: before each number, without leading zeros, stands how long it is.
private func appendBusOrderKey(of path: String, to key: inout [UInt8]) {
    func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
    let bytes = Array(path.utf8)
    var index = 0
    while index < bytes.count {
        let text = index
        while index < bytes.count, !isDigit(bytes[index]) { index += 1 }
        key.append(contentsOf: bytes[text..<index])
        guard index < bytes.count else { return }
        while index < bytes.count, bytes[index] == UInt8(ascii: "0") { index += 1 }
        let start = index
        while index < bytes.count, isDigit(bytes[index]) { index += 1 }
        // A nine for every nine digits, then the rest: more digits come later, and any digit before a letter.
        for _ in 0..<(index - start) / 9 { key.append(UInt8(ascii: "9")) }
        key.append(UInt8(ascii: "0") + UInt8((index - start) % 9))
        key.append(contentsOf: bytes[start..<index])
    }
}
