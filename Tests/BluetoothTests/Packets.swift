/// Packets as the kernel sends them, field by field.
///
/// Layouts: BlueZ `doc/mgmt-api.txt`, kernel `net/bluetooth/mgmt.c`.
enum Packets {
    static let version = hex(
        """
        01 00  ff ff  06 00  // Command Complete, no controller, 6 bytes
        01 00  00            // Read Management Version, success
        01  16 00            // 1.22
        """)

    static let unknownExtendedList = hex(
        """
        02 00  ff ff  03 00  // Command Status, no controller, 3 bytes
        3c 00  01            // Read Extended Controller Index List, unknown command
        """)

    static func extendedList(_ entries: [(index: UInt8, type: UInt8)]) -> [UInt8] {
        hex("01 00  ff ff") + [UInt8(5 + 4 * entries.count), 0]  // Command Complete
            + hex("3c 00  00") + [UInt8(entries.count), 0]  // Read Extended Controller Index List, success
            + entries.flatMap { [$0.index, 0, $0.type, 1] }  // on a USB bus
    }

    static func list(_ command: UInt8, _ indices: [UInt8]) -> [UInt8] {
        hex("01 00  ff ff") + [UInt8(5 + 2 * indices.count), 0] + [command, 0, 0, UInt8(indices.count), 0]
            + indices.flatMap { [$0, 0] }
    }

    /// Current settings: powered, bondable, BR/EDR, LE.
    static let on = hex("91 02 00 00")
    /// Current settings: the same without power.
    static let off = hex("90 02 00 00")
    /// Current settings: powered, bondable, BR/EDR.
    static let onWithoutLowEnergy = hex("91 00 00 00")
    /// Supported settings without LE.
    static let withoutLowEnergy = hex("bf 00 00 00")
    static let everything = hex("ff ff 00 00")

    static func information(
        _ index: UInt8, address: [UInt8] = hex("00 00 00 01 aa 00"), supported: [UInt8] = everything,
        current: [UInt8] = on, name: String = "rig"
    ) -> [UInt8] {
        let field = Array(name.utf8.prefix(248))
        var packet = hex("01 00") + [index, 0] + hex("1b 01")  // Command Complete, 283 bytes
        packet += hex("04 00  00")  // Read Controller Information, success
        packet += address  // least significant byte first
        packet += hex("09  3f 00")  // Bluetooth 5.0, a manufacturer
        packet += supported + current
        packet += hex("00 00 0c")  // class
        packet += field + [UInt8](repeating: 0, count: 249 - field.count)
        packet += [UInt8](repeating: 0, count: 11)  // short name
        return packet
    }

    static func status(_ command: UInt8, _ index: UInt8, _ status: UInt8) -> [UInt8] {
        hex("02 00") + [index, 0] + hex("03 00") + [command, 0, status]
    }

    static func configuration(_ index: UInt8, missing: UInt8) -> [UInt8] {
        hex("01 00") + [index, 0] + hex("0d 00")  // Command Complete, 13 bytes
            + hex("37 00  00")  // Read Controller Configuration Information, success
            + hex("0f 00  03 00 00 00") + [missing, 0, 0, 0]  // manufacturer, supported, missing options
    }

    static let newSettings = hex(
        """
        06 00  00 00  04 00  // New Settings, hci0, 4 bytes
        90 02 00 00          // no longer powered
        """)

    /// A `struct hci_dev_list_req`.
    static func deviceList(_ entries: [(index: UInt8, flags: UInt8)]) -> [UInt8] {
        var packet: [UInt8] = [UInt8(entries.count), 0, 0, 0]
        for entry in entries { packet += [entry.index, 0, 0, 0, entry.flags, 0, 0, 0] }
        return packet + [UInt8](repeating: 0, count: 8 * (256 - entries.count))
    }

    /// A `struct hci_dev_info`.
    static func deviceInformation(_ index: UInt8, flags: UInt8, features: UInt8 = 0x40) -> [UInt8] {
        var packet: [UInt8] = [index, 0] + Array("hci\(index)".utf8) + [0, 0, 0, 0]  // number and name
        packet += hex("01 00 00 01 aa 00")  // address
        packet += [flags, 0, 0, 0] + hex("01")  // flags, type
        packet += hex("00 00 00 00") + [features] + hex("00 00 00")  // features
        return packet + [UInt8](repeating: 0, count: 92 - 29)
    }

    /// A `struct rfkill_event_ext`.
    static func radioEvent(
        _ number: UInt8, type: UInt8 = 2, operation: UInt8 = 0, soft: UInt8, hard: UInt8
    ) -> [UInt8] {
        [number, 0, 0, 0, type, operation, soft, hard, 0]
    }
}
