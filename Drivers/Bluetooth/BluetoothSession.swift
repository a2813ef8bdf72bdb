internal import DriverKit
internal import Readiness
internal import Synchronization
internal import SystemPackage

/// One probe of the Bluetooth controllers.
///
/// The enumeration asks every controller, since their addresses are their keys: the kernel answers from memory, so
/// nothing can hang on a bus. `look` asks only a controller that missed its share of the time, on a channel of its own.
final class BluetoothSession: Session {
    /// How long bluetoothd may delay a probe that has the controllers from the kernel, in seconds.
    private static let patience = 1.0

    private let world: any World
    private let channels = OpenChannels()
    /// Whether bluetoothd switches the only controller; set by the enumeration.
    private let isServed = Mutex(false)

    init(_ world: any World) { self.world = world }

    func enumeration(_ depth: Depth, until deadline: Instant) throws(DriverError) -> Enumeration {
        let listing = ControllerListing(from: world)
        let switches = RfkillSwitches.read(from: world, mayOpen: depth != .presence, until: deadline)
        let builder = EnumerationBuilder(world: world, listing: listing, switches: switches)
        guard depth != .presence else { return builder.presence() }
        if let enumeration = builder.notLoaded() { return enumeration }
        let kernel = try kernelAnswer(until: deadline)
        // Without the kernel's answer all is in bluetoothd's, which otherwise must not delay the probe.
        let limit = world.now().advanced(bySeconds: Self.patience)
        let isNeeded = if case .closed = kernel { true } else { false }
        let daemon = try daemonAnswer(until: isNeeded ? share(of: deadline, 1.25) : min(share(of: deadline, 4), limit))
        isServed.withLock { $0 = builder.isServed(by: daemon) }
        return builder.enumeration(kernel, daemon)
    }

    private func kernelAnswer(until deadline: Instant) throws(DriverError) -> KernelAnswer {
        do throws(DriverError) {
            return .controllers(try management(until: deadline))
        } catch {
            if error.code == .cancelled { throw error }
            if error.errno == .addressFamilyNotSupported || error.isDenied { return .closed(error) }
            do throws(DriverError) {
                return .controllers(try ioctls(until: deadline, because: error))
            } catch let second {
                if second.code == .cancelled { throw second }
                return .failed([error, second])
            }
        }
    }

    private func daemonAnswer(until deadline: Instant) throws(DriverError) -> BluetoothDaemon {
        do throws(DriverError) {
            let channel = try open(.bluez, until: deadline)
            defer { channels.drop(channel) }
            return BluetoothDaemon(try BlueZAdapters.answers(of: channel, until: deadline))
        } catch {
            if error.code == .cancelled { throw error }
            return BluetoothDaemon(
                error.explained(in: world), isContainer: ContainerEnvironment.container(in: world) != nil)
        }
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
        let controller = Controller(
            index: index, key: candidate.sensor.key, answer: answer, switches: switches, asked: .management,
            access: candidate.sensor.access, isServed: isServed.withLock(\.self))
        var sensor = controller.sensor
        sensor.take(
            BluetoothRights(
                access: candidate.sensor.access, evidence: candidate.sensor.accessEvidence,
                remedies: candidate.sensor.accessRemedies))
        return Finding(sensor, notices: [controller.addressNotice(key: sensor.key)].compactMap(\.self))
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

/// What the kernel's Bluetooth sockets returned.
enum KernelAnswer {
    case controllers(ControllerList)
    /// The management socket is not for this process: EAFNOSUPPORT, EACCES or EPERM.
    case closed(DriverError)
    /// Neither socket works.
    case failed([DriverError])
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

extension KernelAnswer {
    /// Whether something is missing only because it did not come in time.
    var isLate: Bool {
        switch self {
        case .controllers(let list):
            list.failure?.code == .timedOut || list.answers.values.contains(where: \.isWorthRepeating)
        case .closed: false
        case .failed(let errors): errors.contains { $0.code == .timedOut }
        }
    }
}
