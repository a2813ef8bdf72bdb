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
        return Array(
            other.map { byte in
                [byte >> 4, byte & 15].map { digit in
                    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: isUpper ? "A" : "a") + digit - 10
                }
            }.joined(separator: [separator]))
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
