internal import DriverKit

/// Replaces the addresses and names in the data of the kernel's Bluetooth sockets; lengths are kept.
///
/// Source: BlueZ `doc/mgmt-api.txt`; `struct hci_dev_info` of `hci.h`.
struct BluetoothAnonymizer: FrameAnonymizer {
    func covers(_ endpoint: String) -> Bool {
        [Endpoint.management, .hci, .rfkill].contains { $0.description == endpoint }
    }

    func identities(in frame: [UInt8], of endpoint: String) -> [PersonalData] {
        switch endpoint {
        case Endpoint.management.description: Self.address(in: frame, at: Self.place(in: frame)).map { .address($0) }
        case Endpoint.hci.description:
            Self.address(in: frame, at: Self.placeOfInformation(in: frame)).map { .address($0) }
        default: []
        }
    }

    func anonymized(_ frames: [[UInt8]], of endpoint: String, by names: any Pseudonymizer) -> [[UInt8]] {
        switch endpoint {
        case Endpoint.management.description: frames.map { Self.management($0, by: names) }
        case Endpoint.hci.description:
            frames.map { Self.replacing(in: $0, at: Self.placeOfInformation(in: $0), by: names) }
        // A switch has a number and no name.
        default: frames
        }
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
    /// Commands whose replies hold only versions, index lists and configuration.
    private static let plainCommands: Set<UInt16> = [0x0001, 0x0003, 0x0036, 0x0037, 0x003c]

    /// A packet of the management socket with invented addresses; names, keys and advertised data become zeros.
    private static func management(_ frame: [UInt8], by names: any Pseudonymizer) -> [UInt8] {
        guard frame.count > 6 else { return frame }
        let event = number(in: frame, at: 0)
        if plainEvents.contains(event) { return frame }
        var result = frame
        let address = place(in: frame)
        // Everything not known to be harmless is erased.
        var kept = 6
        if event == 0x0001 {
            let command = number(in: frame, at: 6)
            if plainCommands.contains(command) { return frame }
            // Read Controller Information: name and short name are last.
            kept = command == 0x0004 ? 9 + 20 : 9
        } else if let address {
            // After the address: its type and, for a device found or connected, numbers up to the length of its data.
            kept = address + (event == 0x0012 ? 14 : event == 0x000b ? 13 : 7)
        }
        for place in result.indices.dropFirst(kept) { result[place] = 0 }
        return replacing(in: result, at: address, by: names)
    }

    /// The offset of the address in a `struct hci_dev_info`, the answer to HCIGETDEVINFO.
    private static func placeOfInformation(in frame: [UInt8]) -> Int? { frame.count == 92 ? 10 : nil }

    private static func place(in frame: [UInt8]) -> Int? {
        guard frame.count > 9 else { return nil }
        let event = number(in: frame, at: 0)
        if event == 0x0001 { return number(in: frame, at: 6) == 0x0004 ? 9 : nil }
        return places[event].map { $0 + 6 }
    }

    private static func number(in frame: [UInt8], at offset: Int) -> UInt16 {
        offset + 1 < frame.count ? UInt16(frame[offset]) | UInt16(frame[offset + 1]) << 8 : 0
    }

    private static func address(in frame: [UInt8], at place: Int?) -> [[UInt8]] {
        guard let place, place + 6 <= frame.count else { return [] }
        return [frame[place..<place + 6].reversed()]
    }

    private static func replacing(in frame: [UInt8], at place: Int?, by names: any Pseudonymizer) -> [UInt8] {
        guard let place, let address = address(in: frame, at: place).first else { return frame }
        var frame = frame
        frame.replaceSubrange(place..<place + 6, with: names.pseudonym(of: address).reversed())
        return frame
    }
}
