// Bounds-checked reads: management packets are little-endian by protocol; ioctls and rfkill events are, because every
// supported machine is.
extension [UInt8] {
    /// The byte at an offset; nil beyond the end.
    func byte(at offset: Int) -> UInt8? {
        indices.contains(offset) ? self[offset] : nil
    }

    /// Two bytes as a number; nil if the array ends earlier.
    func uint16(at offset: Int) -> UInt16? {
        guard let low = byte(at: offset), let high = byte(at: offset + 1) else { return nil }
        return UInt16(low) | UInt16(high) << 8
    }

    /// Four bytes as a number; nil if the array ends earlier.
    func uint32(at offset: Int) -> UInt32? {
        guard let low = uint16(at: offset), let high = uint16(at: offset + 2) else { return nil }
        return UInt32(low) | UInt32(high) << 16
    }

    /// Appends a number of two bytes.
    mutating func append(_ number: UInt16) {
        append(UInt8(truncatingIfNeeded: number))
        append(UInt8(truncatingIfNeeded: number >> 8))
    }

    /// Appends a number of four bytes.
    mutating func append(_ number: UInt32) {
        append(UInt16(truncatingIfNeeded: number))
        append(UInt16(truncatingIfNeeded: number >> 16))
    }
}
