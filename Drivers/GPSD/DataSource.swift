internal import Readiness

/// Where gpsd reads a receiver from, by the name that it has for it; what can be done about silence depends on it.
///
/// Source: gpsd(8), "The source name"; `net_gnss_dispatch.c`.
enum DataSource: Sendable, Equatable {
    /// A receiver on a wire: a serial port, or USB.
    case wire
    /// A receiver on a bus of the board, which the kernel's class `gnss` serves.
    case board
    case bluetooth
    /// A terminal, to which a program of this machine writes.
    case terminal
    /// A program that serves positions at an address, over TCP.
    case server(String)
    /// Datagrams that come to an address.
    case datagrams(String)
    /// Another gpsd.
    case gpsd(String)
    /// A CAN bus, or what a later release of gpsd reads.
    case other

    init(_ path: String) {
        func address(_ scheme: String) -> String? {
            guard path.hasPrefix(scheme) else { return nil }
            return String(path.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" })
        }
        if let address = address("tcp://") {
            self = .server(address)
        } else if let address = address("udp://") {
            self = .datagrams(address)
        } else if let address = address("gpsd://") {
            self = .gpsd(address)
        } else if path.hasPrefix("/dev/pts/") {
            self = .terminal
        } else if path.hasPrefix("/dev/gnss") {
            self = .board
        } else if path.hasPrefix("/dev/rfcomm") {
            self = .bluetooth
        } else {
            self = path.hasPrefix("/") ? .wire : .other
        }
    }

    /// What makes it send again.
    var reviving: Remedy {
        switch self {
        case .wire: .advice("check the receiver's cable, power and bit rate")
        case .board: .advice("check the receiver's power, and the kernel's messages about it")
        case .bluetooth: .advice("switch the Bluetooth receiver on, and bring it near")
        case .terminal: .advice("check that the program that writes to this terminal runs, and sends positions")
        case .server(let address): .advice("check that the program that serves \(address) runs, and sends positions")
        case .datagrams(let address):
            .advice("check that a program sends positions to UDP \(address), and that no firewall drops them")
        case .gpsd(let address): .advice("check that the gpsd at \(address) runs, and that its receiver reports")
        case .other: .advice("check that what gpsd reads it from runs, and sends positions")
        }
    }

    /// What makes it begin anew, after it has sent what cannot be true.
    var restarting: Remedy {
        switch self {
        case .wire: .advice("unplug the receiver and plug it in again")
        case .board, .bluetooth: .advice("switch the receiver off and on again")
        case .terminal: .advice("restart the program that writes to this terminal")
        case .server(let address): .advice("restart the program that serves \(address), or its receiver")
        case .datagrams(let address): .advice("restart the program that sends to UDP \(address), or its receiver")
        case .gpsd(let address): .advice("restart the receiver of the gpsd at \(address)")
        case .other: .advice("restart what gpsd reads it from")
        }
    }
}
