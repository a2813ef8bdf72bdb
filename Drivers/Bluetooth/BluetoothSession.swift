internal import DriverKit
internal import Readiness
internal import SystemPackage

/// One probe of the Bluetooth controllers.
///
/// The enumeration asks every controller, since their addresses are their keys: the kernel answers from memory, so
/// nothing can hang on a bus. `look` asks only a controller that missed its share of the time, on a channel of its own.
final class BluetoothSession: Session {
    private let world: any World
    private let channels = OpenChannels()

    init(_ world: any World) { self.world = world }

    func enumeration(_ depth: Depth, until deadline: Instant) throws(DriverError) -> Enumeration {
        let listing = ControllerListing(from: world)
        let switches = RfkillSwitches.read(from: world, mayOpen: depth != .presence, until: deadline)
        let composer = EnumerationBuilder(world: world, listing: listing, switches: switches)
        guard depth != .presence else { return composer.presence() }
        if let enumeration = composer.notLoaded() { return enumeration }
        do throws(DriverError) {
            return composer.enumeration(of: try management(until: deadline))
        } catch {
            if error.code == .cancelled { throw error }
            if error.errno == .addressFamilyNotSupported || error.isDenied {
                return try withoutSockets(composer, error, until: deadline)
            }
            do throws(DriverError) {
                return composer.enumeration(of: try ioctls(until: deadline, because: error))
            } catch let second {
                if second.code == .cancelled { throw second }
                return composer.failed([error, second])
            }
        }
    }

    /// What bluetoothd tells where the sockets are out of reach, because there are none here or a container or unit may not
    /// open them; a refusal of this user's own is not bypassed.
    private func withoutSockets(
        _ composer: EnumerationBuilder, _ error: DriverError, until deadline: Instant
    ) throws(DriverError) -> Enumeration {
        if error.isDenied, !ContainerEnvironment(from: world).isConfined { return composer.denied(error) }
        do throws(DriverError) {
            return composer.enumeration(of: try adapters(until: share(of: deadline, 1.25), because: error))
        } catch let bus {
            if bus.code == .cancelled { throw bus }
            return error.isDenied ? composer.denied(error, orBus: bus) : composer.withoutSockets(error, orBus: bus)
        }
    }

    private func adapters(until deadline: Instant, because failure: DriverError) throws(DriverError) -> ControllerList {
        let channel = try open(.bluez, until: deadline)
        defer { channels.drop(channel) }
        try channel.send(BlueZAdapters.call.frame, until: deadline)
        let frame = try channel.receive(limit: BusValues.byteLimit, until: deadline)
        let answers = BlueZAdapters.answers(parsing: frame)
        return ControllerList(
            asked: .bluez, answers: answers, known: Set(answers.keys), said: "bluetoothd answered on the system bus",
            failure: failure)
    }

    func look(at candidate: SensorCandidate, _ depth: Depth, until deadline: Instant) -> Finding {
        guard candidate.isOpen, depth != .presence, let index = UInt16(exactly: candidate.token) else {
            return Finding(candidate.sensor)
        }
        var answer: ControllerAnswer
        do throws(DriverError) {
            let channel = try open(.management, until: deadline)
            defer { channels.drop(channel) }
            let client = ManagementClient(channel)
            answer = client.information(of: ControllerIndex(index: index, kind: .configured), until: deadline)
            // Also the reply for an unconfigured controller, which needs another command.
            if case .refused(.invalidIndex) = answer {
                answer = client.information(of: ControllerIndex(index: index, kind: .unconfigured), until: deadline)
            }
        } catch {
            answer = .failed(error)
        }
        let switches = RfkillSwitches.read(from: world, mayOpen: true, until: deadline)
        let isServed =
            ControllerListing(from: world).indices == [index] && world.runsBluetoothDaemon() == true
        let controller = Controller(
            index: index, key: candidate.sensor.key, answer: answer, switches: switches, asked: .management,
            access: candidate.sensor.access, isServed: isServed)
        return Finding(controller.sensor)
    }

    func cancel() { channels.cancel() }

    // MARK: - Conversations

    private func management(until deadline: Instant) throws(DriverError) -> ControllerList {
        let channel = try open(.management, until: deadline)
        defer { channels.drop(channel) }
        let client = ManagementClient(channel)
        // Half of the time at most for the list, to leave some for the fallback.
        let listed = share(of: deadline, 2)
        let version = try client.version(until: listed)
        let entries = try client.controllers(until: listed)
        var answers: [UInt16: ControllerAnswer] = [:]
        for entry in entries where entry.kind != .alternate {
            answers[entry.index] = client.information(of: entry, until: share(of: deadline, 4))
        }
        return ControllerList(
            asked: .management, answers: answers, known: Set(entries.map(\.index)),
            said: "management socket opened without privilege, version \(version)")
    }

    private func ioctls(until deadline: Instant, because failure: DriverError) throws(DriverError) -> ControllerList {
        let channel = try open(.hci, until: deadline)
        defer { channels.drop(channel) }
        let client = HCIClient(channel)
        var answers: [UInt16: ControllerAnswer] = [:]
        let indices = try client.controllers(until: deadline)
        for index in indices { answers[index] = client.information(of: index, until: deadline) }
        return ControllerList(
            asked: .hci, answers: answers, known: Set(indices), said: "HCI socket opened without privilege",
            failure: failure)
    }

    // The instant when one of `parts` shares of the remaining time is used up.
    private func share(of deadline: Instant, _ parts: Double) -> Instant {
        let now = world.now()
        return now.advanced(bySeconds: max(0, now.seconds(to: deadline)) / parts)
    }

    private func open(_ endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> any Channel {
        if channels.isCancelled { throw DriverError(.cancelled, subject: endpoint.description) }
        let channel = try world.channel(to: endpoint, until: deadline)
        channels.keep(channel)
        return channel
    }
}

/// The controllers that one of the interfaces returned.
struct ControllerList {
    var asked: Endpoint
    var answers: [UInt16: ControllerAnswer]
    /// All that the interface lists, unusable controllers (AMP) included.
    var known: Set<UInt16>
    /// What shows that this user may ask.
    var said: String
    /// Why the management interface was not used.
    var failure: DriverError?

    var evidence: Evidence {
        let words = said + (failure.map { "; \($0)" } ?? "")
        return Evidence(path: asked.description, errno: failure?.errno?.name, said: words)
    }
}
