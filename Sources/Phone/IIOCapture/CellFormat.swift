package import IIO

/// The format of a channel's value in its cell of a scan.
///
/// Form: `le:s12/16X2>>4`: byte order, sign, significant bits, storage bits, repeats, shift. The other bits of the cell
/// are undefined. Source: kernel ABI `sysfs-bus-iio`, `scan_elements/…_type`.
package struct CellFormat: Sendable, Hashable {
    /// The significant bits.
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
        guard let value = SampleFormat(line) else { return nil }
        self.value = value
        let text = String(decoding: line, as: UTF8.self)
        isBigEndian = text.hasPrefix("be:")
        // After the slash: STORED [X REPEATS] [>> SHIFT].
        guard let slash = text.firstIndex(of: "/") else { return nil }
        let rest = text[text.index(after: slash)...]
        let mark = rest.firstIndex(of: ">") ?? rest.endIndex
        let sizes = rest[..<mark].split(separator: "X", omittingEmptySubsequences: false)
        guard let stored = sizes.first.flatMap({ Self.number($0) }), sizes.count <= 2 else { return nil }
        guard let repeats = sizes.count == 2 ? Self.number(sizes[1]) : 1, 1...64 ~= repeats else { return nil }
        let tail = rest[mark...]
        guard tail.isEmpty || tail.hasPrefix(">>"),
            let shift = tail.isEmpty ? 0 : Self.number(tail.dropFirst(2))
        else { return nil }
        guard 8...64 ~= stored, stored.isMultiple(of: 8), shift + value.bits <= stored else { return nil }
        storedBits = stored
        self.repeats = repeats
        self.shift = shift
    }

    private static func number(_ digits: some StringProtocol) -> Int? {
        guard 1...4 ~= digits.utf8.count, digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return nil }
        return Int(digits)
    }

    /// The channel's size in bytes in a scan; its offset is a multiple of it.
    package var size: Int { storedBits / 8 * repeats }

    /// The value at an offset, the first of repeated ones; nil if the bytes end before it does.
    package func number(at place: Int, in bytes: [UInt8]) -> Double? {
        guard let bits = bits(at: place, in: bytes) else { return nil }
        return value.isSigned ? Double(extended(bits)) : Double(bits)
    }

    /// The value as an integer, since a `Double` cannot hold a time in nanoseconds; nil if it does not fit into
    /// `Int64`.
    package func integer(at place: Int, in bytes: [UInt8]) -> Int64? {
        guard let bits = bits(at: place, in: bytes) else { return nil }
        return value.isSigned ? extended(bits) : Int64(exactly: bits)
    }

    private func bits(at place: Int, in bytes: [UInt8]) -> UInt64? {
        let count = storedBits / 8
        guard place >= 0, place <= bytes.count - count else { return nil }
        var cell: UInt64 = 0
        for step in 0..<count {
            cell = cell << 8 | UInt64(bytes[place + (isBigEndian ? step : count - 1 - step)])
        }
        cell >>= UInt64(shift)
        return value.bits == 64 ? cell : cell & (1 << UInt64(value.bits) - 1)
    }

    private func extended(_ bits: UInt64) -> Int64 {
        let spare = UInt64(64 - value.bits)
        return Int64(bitPattern: bits << spare) >> Int64(spare)
    }
}
