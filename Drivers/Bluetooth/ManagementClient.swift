package import DriverKit

/// Asks the kernel's Bluetooth management interface, one command at a time.
package struct ManagementClient {
    /// How many other packets may precede an answer; a socket's buffer holds fewer.
    private static let patience = 1024

    private let channel: any Channel

    /// Makes a client of an open channel, which nothing else may use meanwhile.
    package init(_ channel: any Channel) { self.channel = channel }

    /// Sends a command and waits for its answer; skips events and other answers.
    package func ask(
        _ command: ManagementCommand, index: UInt16 = ManagementPacket.noController, until deadline: Instant
    ) throws(DriverError) -> ManagementReply {
        try channel.send(ManagementPacket(command, index: index).frame, until: deadline)
        for _ in 0..<Self.patience {
            let frame = try channel.receive(limit: ManagementPacket.maximumSize, until: deadline)
            guard let reply = try ManagementReply(ManagementPacket(parsing: frame)) else { continue }
            if reply.command == command && reply.index == index { return reply }
        }
        throw .malformed("\(Self.patience) packets, none of which answers")
    }

    /// The version and revision of the interface, such as "1.22".
    package func version(until deadline: Instant) throws(DriverError) -> String {
        let parameters = try success(of: try ask(.readVersion, until: deadline)).parameters
        guard parameters.count == 3, let version = parameters.byte(at: 0), let revision = parameters.uint16(at: 1)
        else {
            throw .malformed("a version of \(parameters.count) bytes")
        }
        return "\(version).\(revision)"
    }

    /// Every controller that the interface offers, in the order of their indices.
    package func controllers(until deadline: Instant) throws(DriverError) -> [ControllerIndex] {
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
    package func information(of controller: ControllerIndex, until deadline: Instant) -> ControllerAnswer {
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
            default:
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
