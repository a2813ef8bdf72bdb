package import DriverKit

/// One packet of the kernel's Bluetooth management interface: three numbers of two bytes, little-endian (opcode,
/// controller index, length), and the number of parameter bytes that the length gives.
///
/// Source: BlueZ `doc/mgmt-api.txt`, "Packet Structures".
package struct ManagementPacket: Sendable, Equatable {
    /// The longest packet that its length field allows.
    package static let maximumSize = 6 + Int(UInt16.max)
    /// The index that means no controller.
    package static let noController: UInt16 = 0xffff

    /// The command or event.
    package var opcode: UInt16
    /// The controller; `noController` if none is concerned.
    package var index: UInt16
    /// What follows the header.
    package var parameters: [UInt8]

    /// Makes a command.
    package init(_ opcode: ManagementCommand, index: UInt16) {
        self.opcode = opcode.rawValue
        self.index = index
        parameters = []
    }

    /// Parses a received packet; `malformed` if header and length disagree.
    package init(parsing frame: [UInt8]) throws(DriverError) {
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

    /// The packet as sent.
    package var frame: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(opcode)
        bytes.append(index)
        bytes.append(UInt16(truncatingIfNeeded: parameters.count))
        return bytes + parameters
    }
}

/// A command of the management interface that any user may give.
package struct ManagementCommand: RawRepresentable, Sendable, Hashable {
    /// The opcode.
    package let rawValue: UInt16
    /// Makes a command.
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Version and revision of the interface.
    package static let readVersion = Self(rawValue: 0x0001)
    /// The configured controllers.
    package static let readIndexList = Self(rawValue: 0x0003)
    /// Address, settings and name of one controller.
    package static let readInformation = Self(rawValue: 0x0004)
    /// The controllers that still need configuration.
    package static let readUnconfiguredIndexList = Self(rawValue: 0x0036)
    /// What configuration a controller needs.
    package static let readConfiguration = Self(rawValue: 0x0037)
    /// All controllers with type and bus; since version 1.9.
    package static let readExtendedIndexList = Self(rawValue: 0x003c)
}

extension DriverError {
    /// The error of bytes that violate the protocol.
    static func malformed(_ detail: String) -> Self {
        DriverError(.malformed, subject: Endpoint.management.description, detail: detail)
    }
}
