package import DriverKit

/// The kernel's answer to one management command.
package struct ManagementReply: Sendable, Equatable {
    private static let commandComplete: UInt16 = 0x0001
    private static let commandStatus: UInt16 = 0x0002

    /// The command that it answers.
    package var command: ManagementCommand
    /// The controller that was asked.
    package var index: UInt16
    /// The result code.
    package var status: ManagementStatus
    /// The requested data; empty unless the status is success.
    package var parameters: [UInt8]

    /// Reads a packet as an answer; nil if it is another event.
    ///
    /// Command Complete (0x0001) is opcode, status and parameters; Command Status (0x0002) ends after the status.
    package init?(_ packet: ManagementPacket) throws(DriverError) {
        guard packet.opcode == Self.commandComplete || packet.opcode == Self.commandStatus else { return nil }
        guard let command = packet.parameters.uint16(at: 0), let status = packet.parameters.byte(at: 2) else {
            throw .malformed("an answer of \(packet.parameters.count) bytes, which names no command")
        }
        self.command = ManagementCommand(rawValue: command)
        self.index = packet.index
        self.status = ManagementStatus(rawValue: status)
        parameters = packet.opcode == Self.commandComplete ? Array(packet.parameters.dropFirst(3)) : []
    }
}

/// The result code of a management command.
package struct ManagementStatus: RawRepresentable, Sendable, Hashable {
    /// The status code.
    package let rawValue: UInt8
    /// Makes a status.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The command succeeded.
    package static let success = Self(rawValue: 0x00)
    /// This kernel does not know the command.
    package static let unknownCommand = Self(rawValue: 0x01)
    /// Another operation is in progress.
    package static let busy = Self(rawValue: 0x0a)
    /// No such controller, or it is being set up or owned by another process (HCI user channel).
    package static let invalidIndex = Self(rawValue: 0x11)
    /// rfkill blocks it.
    package static let blocked = Self(rawValue: 0x12)
    /// The command needs CAP_NET_ADMIN.
    package static let permissionDenied = Self(rawValue: 0x14)

    /// The name in `mgmt-api.txt` and the number, such as "Invalid Index (0x11)".
    package var words: String {
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
