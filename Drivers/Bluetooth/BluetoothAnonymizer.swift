internal import DriverKit

/// Replaces the addresses and names in the data of the kernel's Bluetooth sockets, whose lengths are kept, and in what
/// bluetoothd says.
///
/// Source: BlueZ `doc/mgmt-api.txt`; `struct hci_dev_info` of `hci.h`.
struct BluetoothAnonymizer: FrameAnonymizer {
    func covers(_ endpoint: String) -> Bool {
        [Endpoint.management, .hci, .rfkill, .bluez].contains { $0.description == endpoint }
    }

    func identities(in frame: [UInt8], of endpoint: String) -> [PersonalData] {
        if endpoint == Endpoint.bluez.description {
            return BusValues(parsing: frame).values.compactMap { value in
                DeviceAddress(value.text).flatMap { $0.isDefault ? nil : .address($0.bytes) }
            }
        }
        let address = Self.place(in: frame, of: endpoint).flatMap { DeviceAddress(frame, at: $0) }
        return address.flatMap { $0.isDefault ? nil : [.address($0.bytes)] } ?? []
    }

    func anonymized(_ frames: [[UInt8]], of endpoint: String, by names: any Pseudonymizer) -> [[UInt8]] {
        frames.map { frame in
            if endpoint == Endpoint.bluez.description { return Self.renamed(frame, by: names) }
            var result = endpoint == Endpoint.management.description ? Self.erased(frame) : frame
            if let place = Self.place(in: frame, of: endpoint), let address = DeviceAddress(frame, at: place),
                !address.isDefault
            {
                result.replaceSubrange(place..<place + 6, with: names.pseudonym(of: address.bytes).reversed())
            }
            return result
        }
    }

    /// What bluetoothd said, with invented addresses and without names.
    private static func renamed(_ frame: [UInt8], by names: any Pseudonymizer) -> [UInt8] {
        BusValues.frame(
            of: BusValues(parsing: frame).values.map { value in
                var value = value
                if let address = DeviceAddress(value.text) {
                    if address.isDefault { return value }
                    value.text = DeviceAddress(names.pseudonym(of: address.bytes).reversed(), at: 0)?.description ?? ""
                } else if value.keys.last == "Alias" || value.keys.last == "Name" {
                    value.text = ""
                }
                return value
            })
    }

    /// Where an event's parameters hold an address, least significant byte first.
    private static let places: [UInt16: Int] = [
        0x0009: 1, 0x000a: 1, 0x000b: 0, 0x000c: 0, 0x000d: 0, 0x000e: 0, 0x000f: 0, 0x0010: 0, 0x0011: 0, 0x0012: 0,
        0x0014: 0, 0x0015: 0, 0x0016: 0, 0x0017: 0, 0x0019: 1, 0x001a: 0, 0x001b: 0, 0x001c: 1,
    ]
    /// Events that hold only numbers of the controller: index, settings and class.
    private static let plainEvents: Set<UInt16> = [
        0x0002, 0x0003, 0x0004, 0x0005, 0x0006, 0x0007, 0x001d, 0x001e, 0x001f, 0x0020, 0x0021,
    ]

    /// A packet of the management socket in which names, keys and advertised data are zeros.
    private static func erased(_ frame: [UInt8]) -> [UInt8] {
        guard frame.count > 6, let event = frame.uint16(at: 0), !plainEvents.contains(event) else { return frame }
        // Everything not known to be harmless is erased.
        var kept = 6
        if event == ManagementReply.commandComplete {
            switch frame.uint16(at: 6).flatMap(ManagementCommand.init(rawValue:)) {
            // Name and short name are last.
            case .readInformation: kept = 9 + 20
            case nil: kept = 9
            // Only versions, index lists and configuration.
            default: return frame
            }
        } else if let address = place(in: frame, of: Endpoint.management.description) {
            // After the address: its type and, for a device found or connected, numbers up to the length of its data.
            kept = address + (event == 0x0012 ? 14 : event == 0x000b ? 13 : 7)
        }
        return Array(frame.prefix(kept)) + [UInt8](repeating: 0, count: max(0, frame.count - kept))
    }

    /// The offset of the address in a frame; nil if it holds none.
    private static func place(in frame: [UInt8], of endpoint: String) -> Int? {
        switch endpoint {
        // A `struct hci_dev_info`, the answer to HCIGETDEVINFO.
        case Endpoint.hci.description: return frame.count == 92 ? 10 : nil
        case Endpoint.management.description where frame.count > 9:
            guard let event = frame.uint16(at: 0) else { return nil }
            guard event == ManagementReply.commandComplete else { return places[event].map { $0 + 6 } }
            return frame.uint16(at: 6) == ManagementCommand.readInformation.rawValue ? 9 : nil
        default: return nil
        }
    }
}
