internal import DriverKit

/// Asks the kernel's Bluetooth management interface, one command at a time.
struct ManagementClient {
    /// How many other packets may precede an answer; a socket's buffer holds fewer.
    private static let patience = 1024

    private let channel: any Channel

    init(_ channel: any Channel) { self.channel = channel }

    /// Sends a command and waits for its answer; skips events and other answers.
    func ask(
        _ command: ManagementCommand, index: UInt16 = ManagementPacket.noController, until deadline: Instant
    ) throws(DriverError) -> ManagementReply {
        try send(command, index: index, until: deadline)
        return try reply(to: command, index: index, until: deadline)
    }

    func send(_ command: ManagementCommand, index: UInt16, until deadline: Instant) throws(DriverError) {
        try channel.send(ManagementPacket(command, index: index).frame, until: deadline)
    }

    /// Waits for the answer to a command that was sent; skips events and other answers.
    func reply(
        to command: ManagementCommand, index: UInt16, until deadline: Instant
    ) throws(DriverError) -> ManagementReply {
        for _ in 0..<Self.patience {
            let frame = try channel.receive(limit: ManagementPacket.maximumSize, until: deadline)
            guard let reply = try ManagementReply(ManagementPacket(parsing: frame)) else { continue }
            if reply.command == command.rawValue && reply.index == index { return reply }
        }
        throw .malformed("\(Self.patience) packets, and none is the answer")
    }

    /// The version and revision of the interface, such as "1.22".
    func version(until deadline: Instant) throws(DriverError) -> String {
        let parameters = try success(of: try ask(.readVersion, until: deadline)).parameters
        guard parameters.count == 3, let version = parameters.byte(at: 0), let revision = parameters.uint16(at: 1)
        else {
            throw .malformed("a version of \(parameters.count) bytes")
        }
        return "\(version).\(revision)"
    }

    /// Every controller that the interface offers, in the order of their indices.
    func controllers(until deadline: Instant) throws(DriverError) -> [ControllerIndex] {
        let extended = try ask(.readExtendedIndexList, until: deadline)
        if extended.status != .unknownCommand {
            return try ControllerIndex.parse(extended: success(of: extended).parameters)
        }
        let configured = try success(of: try ask(.readIndexList, until: deadline)).parameters
        let others = try ask(.readUnconfiguredIndexList, until: deadline)
        // Kernels before 3.16 have no unconfigured controllers.
        let unconfigured = others.status == .unknownCommand ? [0, 0] : try success(of: others).parameters
        return try ControllerIndex.parse(configured: configured, unconfigured: unconfigured)
    }

    /// Asks one controller; never throws, so that an error affects that controller only.
    func information(of controller: ControllerIndex, until deadline: Instant) -> ControllerAnswer {
        do throws(DriverError) {
            switch controller.kind {
            case .configured:
                let reply = try ask(.readInformation, index: controller.index, until: deadline)
                guard reply.status == .success else { return .refused(reply.status) }
                return .information(try ControllerInformation(management: reply.parameters))
            case .unconfigured:
                let reply = try ask(.readConfiguration, index: controller.index, until: deadline)
                guard reply.status == .success else { return .refused(reply.status) }
                return .unconfigured(missing: try MissingConfiguration(management: reply.parameters))
            case .alternate, nil:
                return .withheld
            }
        } catch {
            return .failed(error)
        }
    }

    private func success(of reply: ManagementReply) throws(DriverError) -> ManagementReply {
        guard reply.status == .success else {
            throw DriverError(.refused, subject: Endpoint.management.description, detail: reply.status.words)
        }
        return reply
    }
}

/// One packet of the kernel's Bluetooth management interface: three numbers of two bytes, little-endian (opcode,
/// controller index, length), and the number of parameter bytes that the length gives.
///
/// Source: BlueZ `doc/mgmt-api.txt`, "Packet Structures".
struct ManagementPacket: Sendable, Equatable {
    static let maximumSize = 6 + Int(UInt16.max)
    /// The index that means no controller.
    static let noController: UInt16 = 0xffff

    var opcode: UInt16
    /// The controller; `noController` if none is concerned.
    var index: UInt16
    var parameters: [UInt8]

    init(_ command: ManagementCommand, index: UInt16) {
        opcode = command.rawValue
        self.index = index
        parameters = []
    }

    /// Parses a received packet; `malformed` if header and length disagree.
    init(parsing frame: [UInt8]) throws(DriverError) {
        guard let opcode = frame.uint16(at: 0), let index = frame.uint16(at: 2), let length = frame.uint16(at: 4) else {
            throw .malformed("a packet of \(frame.count) bytes, shorter than its header")
        }
        guard frame.count - 6 == Int(length) else {
            throw .malformed("a packet with \(frame.count - 6) bytes of parameters whose header says \(length)")
        }
        self.opcode = opcode
        self.index = index
        parameters = Array(frame.dropFirst(6))
    }

    var frame: [UInt8] {
        [opcode, index, UInt16(truncatingIfNeeded: parameters.count)].flatMap(\.littleEndianBytes) + parameters
    }
}

/// A command of the management interface that any user may give.
enum ManagementCommand: UInt16 {
    case readVersion = 0x0001
    case readIndexList = 0x0003
    case readInformation = 0x0004
    case readUnconfiguredIndexList = 0x0036
    case readConfiguration = 0x0037
    /// All controllers with type and bus; since version 1.9.
    case readExtendedIndexList = 0x003c
}

extension DriverError {
    static func malformed(_ detail: String, from endpoint: Endpoint = .management) -> Self {
        DriverError(.malformed, subject: endpoint.description, detail: detail)
    }
}

struct ManagementReply: Sendable, Equatable {
    static let commandComplete: UInt16 = 0x0001
    private static let commandStatus: UInt16 = 0x0002

    let command: UInt16
    let index: UInt16
    let status: ManagementStatus
    /// The requested data; empty unless the status is success.
    let parameters: [UInt8]

    /// Reads a packet as an answer; nil if it is another event.
    ///
    /// Command Complete is opcode, status and parameters; Command Status ends after the status.
    init?(_ packet: ManagementPacket) throws(DriverError) {
        guard packet.opcode == Self.commandComplete || packet.opcode == Self.commandStatus else { return nil }
        guard let command = packet.parameters.uint16(at: 0), let status = packet.parameters.byte(at: 2) else {
            throw .malformed("an answer of \(packet.parameters.count) bytes, which names no command")
        }
        self.command = command
        index = packet.index
        self.status = ManagementStatus(rawValue: status)
        parameters = packet.opcode == Self.commandComplete ? Array(packet.parameters.dropFirst(3)) : []
    }
}

struct ManagementStatus: RawRepresentable, Sendable, Hashable {
    let rawValue: UInt8

    static let success = Self(rawValue: 0x00)
    static let unknownCommand = Self(rawValue: 0x01)
    static let busy = Self(rawValue: 0x0a)
    /// No such controller, or it is being set up or owned by another process (HCI user channel).
    static let invalidIndex = Self(rawValue: 0x11)
    static let blocked = Self(rawValue: 0x12)
    /// The command needs CAP_NET_ADMIN.
    static let permissionDenied = Self(rawValue: 0x14)

    /// The name in `mgmt-api.txt` and the number, such as "Invalid Index (0x11)".
    var words: String {
        let name = Self.names.indices.contains(Int(rawValue)) ? Self.names[Int(rawValue)] : "Status"
        return "\(name) (0x\(rawValue < 16 ? "0" : "")\(String(rawValue, radix: 16)))"
    }

    // In order of their numbers, from 0x00. Source: BlueZ doc/mgmt-api.txt, "Error Codes".
    private static let names = [
        "Success", "Unknown Command", "Not Connected", "Failed", "Connect Failed", "Authentication Failed",
        "Not Paired", "No Resources", "Timeout", "Already Connected", "Busy", "Rejected", "Not Supported",
        "Invalid Parameters", "Disconnected", "Not Powered", "Cancelled", "Invalid Index", "RFKilled",
        "Already Paired", "Permission Denied",
    ]
}
