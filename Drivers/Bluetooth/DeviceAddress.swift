/// The address of a Bluetooth controller.
package struct DeviceAddress: Sendable, Equatable, CustomStringConvertible {
    /// The six bytes, most significant first, as printed.
    package let bytes: [UInt8]

    /// Makes an address from six bytes in kernel order, least significant first; nil if fewer are left.
    package init?(_ field: [UInt8], at offset: Int) {
        guard offset >= 0, offset <= field.count - 6 else { return nil }
        bytes = field[offset..<offset + 6].reversed()
    }

    /// Whether it is `00:00:00:00:00:00`: the controller has no public address, or does not know it yet.
    package var isAny: Bool { bytes.allSatisfy { $0 == 0 } }

    /// The address as BlueZ prints it, such as `00:AA:01:00:00:00`.
    package var description: String {
        bytes.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count == 1 ? "0" + digits : digits
        }.joined(separator: ":")
    }
}
