// Bounds-checked numbers in what kernels and peers send, which is little-endian by protocol, or because every supported
// machine is.
extension [UInt8] {
    package func byte(at offset: Int) -> UInt8? { indices.contains(offset) ? self[offset] : nil }

    package func uint16(at offset: Int) -> UInt16? {
        guard let low = byte(at: offset), let high = byte(at: offset + 1) else { return nil }
        return UInt16(low) | UInt16(high) << 8
    }

    package func uint32(at offset: Int) -> UInt32? {
        guard let low = uint16(at: offset), let high = uint16(at: offset + 2) else { return nil }
        return UInt32(low) | UInt32(high) << 16
    }
}

extension FixedWidthInteger {
    package var littleEndianBytes: [UInt8] {
        (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
    }
}
