internal import DriverKit
internal import Readiness

/// A hardware address as text: six or more bytes in hexadecimal, separated by `:`, `-` or `_`.
struct WrittenAddress {
    var range: Range<Int>
    /// Its bytes, in the order of the text.
    var address: [UInt8]

    /// The addresses in a text, in order, without overlaps.
    static func all(in bytes: [UInt8]) -> [WrittenAddress] {
        var found: [WrittenAddress] = []
        var place = 0
        while place + 17 <= bytes.count {
            if (place == 0 || !isWord(bytes[place - 1])), let address = at(place, in: bytes) {
                found.append(address)
                place = address.range.upperBound
            } else {
                place += 1
            }
        }
        return found
    }

    private static func at(_ start: Int, in bytes: [UInt8]) -> WrittenAddress? {
        let separator = bytes[start + 2]
        guard [UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "_")].contains(separator) else { return nil }
        var address: [UInt8] = []
        var place = start
        while place + 2 <= bytes.count, let high = hexadecimal(bytes[place]), let low = hexadecimal(bytes[place + 1]) {
            // A longer group is not a byte.
            if place + 2 < bytes.count && isWord(bytes[place + 2]) { return nil }
            address.append(high << 4 | low)
            place += 2
            guard place < bytes.count, bytes[place] == separator else { break }
            place += 1
        }
        // Stopped after a separator: the text after it is not a byte.
        if place > start && bytes[place - 1] == separator { place -= 1 }
        return address.count >= 6 ? WrittenAddress(range: start..<place, address: address) : nil
    }

    /// Another address of the same length, in the format of this one.
    func written(_ other: [UInt8], in bytes: [UInt8]) -> [UInt8] {
        let original = bytes[range]
        let isUpper = !original.contains { UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 }
        let separator = original[range.lowerBound + 2]
        return Array(other.map { hexadecimalDigits(of: $0, uppercase: isUpper) }.joined(separator: [separator]))
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}

/// What paths reveal about the owner of a rig.
enum WrittenPath {
    /// The serial numbers in udev's permanent links, such as `/dev/serial/by-id/usb-MAKER_MODEL_SERIAL-if00`.
    static func serials(in bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        parts(of: bytes, after: "/by-id/").flatMap { name in
            // Maker and model rarely have as many digits; one that does is treated as a number too.
            name.split { !isWord($0) }.filter { part in part.count >= 6 && part.count(where: isDigit) >= 3 }
        }
    }

    /// The names of the users whose homes paths lead into.
    static func homes(in bytes: [UInt8]) -> [String] {
        parts(of: bytes, after: "home/").map { String(decoding: $0, as: UTF8.self) }
    }

    /// The text after each occurrence of a string, up to the end of the path component.
    private static func parts(of bytes: [UInt8], after text: String) -> [ArraySlice<UInt8>] {
        let mark = Array(text.utf8)
        let places = bytes.indices.filter { bytes[$0] == mark.first && bytes[$0...].starts(with: mark) }
        return places.map { place in
            bytes[(place + mark.count)...].prefix { isWord($0) || "._:-".utf8.contains($0) }
        }.filter { !$0.isEmpty }
    }
}

/// Serial numbers in uevents, udev's database and sysfs.
enum SerialNumbers {
    /// Whether a file contains only a serial number.
    static func isOne(file: String) -> Bool {
        ["/serial", "/serial_number", "/unique_id", "/uniq"].contains { file.hasSuffix($0) }
    }

    /// The serial numbers in a file's bytes: those of the device, without its model.
    static func all(in bytes: [UInt8], file: String) -> [ArraySlice<UInt8>] {
        if isOne(file: file) { return [bytes.prefix { $0 > 0x20 }] }
        return lines(of: bytes).compactMap { line in
            value(of: line) { $0.hasSuffix("SERIAL_SHORT") || $0 == "SERIAL" || isUnique($0) }.map { bytes[$0] }
        }
    }

    /// The bytes with the values of all properties erased that can hold a serial number.
    static func erasing(in bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        for line in lines(of: bytes) {
            let value = value(of: line) { $0.includes("SERIAL") || $0.includes("UUID") || isUnique($0) }
            if let value { result.replaceSubrange(value, with: erased(bytes[value])) }
        }
        return result
    }

    /// The value with a zero for each letter and digit.
    static func erased(_ value: ArraySlice<UInt8>) -> [UInt8] { value.map { isWord($0) ? UInt8(ascii: "0") : $0 } }

    private static func isUnique(_ key: String) -> Bool { key.hasSuffix("UNIQ") || key.hasSuffix("WWN") }

    private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        // Without properties, nothing is split.
        bytes.contains(UInt8(ascii: "=")) ? bytes.split(separator: UInt8(ascii: "\n")) : []
    }

    /// The range of the value of a line `KEY=VALUE` or `E:KEY=VALUE`, for the requested keys.
    private static func value(of line: ArraySlice<UInt8>, where isWanted: (String) -> Bool) -> Range<Int>? {
        guard let equals = line.firstIndex(of: UInt8(ascii: "=")), equals - line.startIndex < 64 else { return nil }
        var key = line[..<equals]
        if key.starts(with: "E:".utf8) { key = key.dropFirst(2) }
        guard equals + 1 < line.endIndex, isWanted(String(decoding: key, as: UTF8.self)) else { return nil }
        return (equals + 1)..<line.endIndex
    }
}
