internal import DriverKit

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
            guard let value = value(of: line, where: { $0.hasSuffix("SERIAL_SHORT") || $0 == "SERIAL" || isUnique($0) })
            else { return nil }
            return bytes[value]
        }
    }

    /// The bytes with the values of all properties erased that can hold a serial number.
    static func erasing(in bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        for line in lines(of: bytes) {
            guard
                let value = value(of: line, where: { $0.includes("SERIAL") || $0.includes("UUID") || isUnique($0) })
            else { continue }
            result.replaceSubrange(value, with: erased(bytes[value]))
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
