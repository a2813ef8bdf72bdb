internal import DriverKit

/// The address of a Bluetooth controller, which is an EUI-48.
struct DeviceAddress: Sendable, Hashable, CustomStringConvertible {
    /// The six bytes, most significant first, as printed.
    let bytes: [UInt8]

    init?(_ field: [UInt8], at offset: Int) {
        guard offset >= 0, offset <= field.count - 6 else { return nil }
        bytes = field[offset..<offset + 6].reversed()
    }

    /// Parses an address as BlueZ prints it; nil for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { $0.utf8.count == 2 ? UInt8($0, radix: 16) : nil }
        guard parts.count == 6, bytes.count == 6 else { return nil }
        self.bytes = bytes
    }

    /// Whether it is `00:00:00:00:00:00`: the controller has no public address, or does not know it yet.
    var isAny: Bool { bytes.allSatisfy { $0 == 0 } }

    /// Whether it can belong to this controller alone: neither invalid nor the same in all chips of a type.
    ///
    /// A controller's address is an individual one, so the lowest bit of its first byte is 0 (IEEE 802-2014, 8.2.2;
    /// Bluetooth Core Specification 5.4, Vol 2 Part B, 1.2). That excludes FF:FF:FF:FF:FF:FF, and most defaults of
    /// Broadcom, which begin with the chip's number: 43:43:A1:12:1F:AC is a BCM43430A1's.
    var isUnique: Bool {
        (bytes.first ?? 1) & 1 == 0 && !isDefault
    }

    /// Whether all chips of a type have it; such an address identifies nobody.
    var isDefault: Bool { bytes.allSatisfy { $0 == bytes.first } || Self.defaults.contains(bytes) }

    /// The addresses of chips whose own address, or the firmware patch that holds it, is missing.
    ///
    /// Source: Linux `drivers/bluetooth`: `btbcm.c` (`btbcm_check_bdaddr`), `btintel.c` (`btintel_check_bdaddr`) and
    /// `btqca.c` (`QCA_BDADDR_DEFAULT` of Linux 6.9).
    private static let defaults: Set<[UInt8]> = [
        [0x00, 0x20, 0x70, 0x02, 0xa0, 0x00],  // BCM20702A0
        [0x20, 0x70, 0x02, 0xa0, 0x00, 0x00],  // BCM20702A1
        [0x20, 0x76, 0xa0, 0x00, 0x56, 0x79],  // BCM2076B1
        [0x00, 0x03, 0x19, 0x9e, 0x8b, 0x00],  // Intel
        [0x00, 0x00, 0x00, 0x00, 0x5a, 0xad],  // Qualcomm
    ]

    /// The address as BlueZ prints it, such as `00:AA:01:00:00:00`.
    var description: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: ":")
    }
}
