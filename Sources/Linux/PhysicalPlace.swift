internal import Readiness
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
        // Bytes of one array, not strings: this is a good part of what a device costs.
        let all = names(in: Array(chip.string.utf8))
        let below = all.firstIndex { $0.elementsEqual("devices".utf8) }.map { $0 + 1 } ?? all.count
        let path = Array(all[below...].prefix(64))
        guard let head = head(of: path) else { return path.last.map(text) ?? "virtual" }
        var folder = chip
        for _ in below + head.index + 1..<all.count { folder.removeLastComponent() }
        var key = head.bus == .usb ? [] : firmwareNode(of: folder, in: world)
        if key.isEmpty { key = place(of: path, head) }
        for name in path[(head.index + 1)...] where head.bus == .none || !isHID(name) {
            key.append(UInt8(ascii: "/"))
            key.append(contentsOf: withoutInstance(name))
        }
        return String(decoding: key, as: UTF8.self)
    }

    private typealias Name = ArraySlice<UInt8>

    private static func text(_ name: Name) -> String { String(decoding: name, as: UTF8.self) }

    private static func names(in path: [UInt8]) -> [Name] {
        var names: [Name] = []
        names.reserveCapacity(12)
        var start = 1
        for index in 1..<max(path.count, 1) where path[index] == UInt8(ascii: "/") {
            names.append(path[start..<index])
            start = index + 1
        }
        if start < path.count { names.append(path[start...]) }
        return names
    }

    private enum Bus { case i2c, spi, usb, none }

    /// The component that carries the chip: its device on i2c, spi or USB, else the last one with a stable name.
    private static func head(of path: [Name]) -> (index: Int, bus: Bus)? {
        for index in path.indices.reversed() {
            let name = path[index]
            if index > 0 {
                let above = path[index - 1]
                if isI2CBus(above) && !isI2CBus(name) { return (index, .i2c) }
                if name.starts(with: "spi".utf8), name.starts(with: above),
                    name.dropFirst(above.count).first == UInt8(ascii: ".")
                {
                    return (index, .spi)
                }
            }
            if isUSBInterface(name) { return (index, .usb) }
        }
        return path.lastIndex { !isHID($0) && withoutInstance($0).count == $0.count }.map { ($0, .none) }
    }

    private static func place(of path: [Name], _ head: (index: Int, bus: Bus)) -> [UInt8] {
        let name = path[head.index]
        switch head.bus {
        case .i2c:
            let bus = path[head.index - 1]
            guard head.index > 1, let controller = controller(path[head.index - 2]),
                let dash = name.firstIndex(of: UInt8(ascii: "-")), dash + 1 < name.endIndex
            else { return joined(bus, "/", name) }
            return joined(controller, "/", name[(dash + 1)...])
        case .spi:
            let bus = path[head.index - 1]
            let above = path[..<(head.index - 1)].last { !$0.elementsEqual("spi_master".utf8) }
            guard let controller = above.flatMap(controller) else { return joined(bus, "/", name) }
            return joined(controller, "/cs", name.dropFirst(bus.count + 1))
        case .usb: return Array("usb-".utf8) + name
        case .none: return Array(name)
        }
    }

    private static func joined(_ place: Name, _ separator: String, _ name: Name) -> [UInt8] {
        Array(place) + Array(separator.utf8) + Array(name)
    }

    /// A component that names a controller by address or port; nil for roots, and for i2c buses above a multiplexer.
    private static func controller(_ name: Name) -> Name? {
        let isRoot = roots.contains { name.elementsEqual($0.utf8) }
        return isRoot || name.starts(with: "pci".utf8) || isI2CBus(name) ? nil : withoutInstance(name)
    }

    private static let roots = ["virtual", "platform", "soc", "system"]

    /// The key's begin by the firmware; empty if it does not know the device.
    private static func firmwareNode(of folder: FilePath, in world: some World) -> [UInt8] {
        if let properties = try? world.kernelProperties(of: folder), let name = properties["OF_FULLNAME"],
            let line = PeerText.line(name.utf8, limit: 200)
        {
            return Array("of:".utf8) + line.utf8
        }
        guard let line = world.line(of: folder.joined(with: firmwareNodePath), limit: 200) else { return [] }
        return Array("acpi:".utf8) + (line.utf8.first == UInt8(ascii: "\\") ? line.utf8.dropFirst() : line.utf8[...])
    }

    private static let firmwareNodePath = FilePath("firmware_node/path")

    private static func isI2CBus(_ name: Name) -> Bool {
        name.starts(with: "i2c-".utf8) && isNumber(name.dropFirst(4))
    }

    /// `BUS-PORT[.PORT…]:CONFIGURATION.INTERFACE`.
    private static func isUSBInterface(_ name: Name) -> Bool {
        guard name.contains(UInt8(ascii: ":")) else { return false }
        let halves = name.split(separator: UInt8(ascii: ":"))
        guard halves.count == 2 else { return false }
        let port = halves[0].split(separator: UInt8(ascii: "-"))
        let interface = halves[1].split(separator: UInt8(ascii: "."))
        return port.count == 2 && isNumber(port[0]) && port[1].split(separator: UInt8(ascii: ".")).allSatisfy(isNumber)
            && interface.count == 2 && interface.allSatisfy(isNumber)
    }

    /// `BUS:VENDOR:PRODUCT.INSTANCE`, all in hexadecimal.
    private static func isHID(_ name: Name) -> Bool {
        guard name.contains(UInt8(ascii: ":")) else { return false }
        let parts = name.split(separator: UInt8(ascii: ":"))
        guard parts.count == 3, let last = parts.last?.split(separator: UInt8(ascii: ".")), last.count == 2 else {
            return false
        }
        return (parts.dropLast() + last).allSatisfy { $0.count >= 4 && UInt32(text($0), radix: 16) != nil }
    }

    /// A name without the number that the kernel assigned: `.N.auto` of a part of a device, `.N` of a HID device.
    private static func withoutInstance(_ name: Name) -> Name {
        let dot = UInt8(ascii: ".")
        guard let last = name.lastIndex(of: dot) else { return name }
        if name[(last + 1)...].elementsEqual("auto".utf8), let number = name[..<last].lastIndex(of: dot),
            number > name.startIndex, isNumber(name[(number + 1)..<last])
        {
            return name[..<number]
        }
        return isHID(name) ? name[..<last] : name
    }

    private static func isNumber(_ text: Name) -> Bool {
        !text.isEmpty && text.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
}

extension Sequence {
    /// The elements in bus order: numbers in their paths compare by value, so that `iio:device10` follows
    /// `iio:device9`.
    package func inBusOrder(_ path: (Element) -> String) -> [Element] {
        let elements = Array(self)
        // All keys in one array, each made once: sorting compares them many times, and moves only their places. A key is at
        // most twice as long as its path.
        let paths = elements.map(path)
        var keys: [(range: Range<Int>, index: Int)] = []
        keys.reserveCapacity(paths.count)
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: paths.reduce(1) { $0 + $1.utf8.count * 2 })
        defer { unsafe bytes.deallocate() }
        guard let all = bytes.baseAddress else { return elements }
        var end = 0
        for index in paths.indices {
            let start = end
            unsafe appendBusOrderKey(of: paths[index], to: bytes, &end)
            keys.append((start..<end, index))
        }
        keys.sort { first, second in
            let (one, other) = (first.range, second.range)
            let order = unsafe memcmp(
                all + one.lowerBound, all + other.lowerBound, Swift.min(one.count, other.count))
            return order == 0 ? one.count < other.count : order < 0
        }
        return keys.map { elements[$0.index] }
    }
}

/// Appends bytes that sort as a path does on the bus: before each number, without leading zeros, stands how long it is.
@unsafe
private func appendBusOrderKey(of path: String, to key: UnsafeMutableBufferPointer<UInt8>, _ end: inout Int) {
    func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
    func append(_ byte: UInt8) {
        unsafe key[end] = byte
        end += 1
    }
    var path = path
    path.withUTF8 { bytes in
        var index = 0
        while index < bytes.count {
            guard unsafe isDigit(bytes[index]) else {
                append(unsafe bytes[index])
                index += 1
                continue
            }
            while index < bytes.count, unsafe bytes[index] == UInt8(ascii: "0") { index += 1 }
            let start = index
            while index < bytes.count, unsafe isDigit(bytes[index]) { index += 1 }
            // A nine for every nine digits, then the rest: more digits come later, and any digit before a letter.
            for _ in 0..<(index - start) / 9 { append(UInt8(ascii: "9")) }
            append(UInt8(ascii: "0") + UInt8((index - start) % 9))
            for digit in start..<index { append(unsafe bytes[digit]) }
        }
    }
}
