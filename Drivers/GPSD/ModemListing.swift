internal import DriverKit
internal import Readiness

/// The receivers in modems, which ModemManager serves and no gpsd does.
///
/// ModemManager is asked only if the kernel shows a modem that gpsd does not read: a port that ModemManager's udev rules
/// name (`ID_MM_CANDIDATE`), or a device of the class `wwan`; and in a container without udev's database any port on USB
/// that is not known for a receiver. It is not started, and nothing in a modem is switched on.
struct ModemListing: Sendable {
    private(set) var receivers: [Modem] = []
    /// Those of which it cannot be determined.
    private var locked: [Modem] = []
    /// Why ModemManager could not be asked of a modem that the kernel shows.
    private var failure: DriverError?
    /// The ports of which only udev could tell whether they are a modem's or a receiver's.
    private var unclassified: [Port] = []
    private let world: any World
    private let monitor: ChangeMonitor

    /// Asks ModemManager, if there is a modem to ask for; `owned` are the paths that gpsd owns.
    init(_ world: any World, ports: [Port], owned: Set<String>, until deadline: Instant, _ monitor: ChangeMonitor) {
        self.world = world
        self.monitor = monitor
        let isRead = { (port: Port) in !port.names.isDisjoint(with: owned) }
        let others = ports.filter { $0.receiver == nil && !isRead($0) }
        let hasModem = others.contains(where: \.isModem) || (try? world.devices(in: "wwan"))?.isEmpty == false
        let onUSB = others.filter { $0.isUSB && !$0.isModem }
        if !onUSB.isEmpty, ContainerEnvironment.lacksUdev(in: world) { unclassified = onUSB }
        guard hasModem || !unclassified.isEmpty else { return }
        do throws(DriverError) {
            let read = ports.filter(isRead).map(\.device)
            let all = Modem.modems(parsing: try ask(Modem.call, until: deadline)).prefix(Enumeration.candidateLimit)
            // gpsd reads the receiver of these.
            let modems = all.filter { modem in !read.contains(where: modem.contains) }
            receivers = modems.filter { $0.hasReceiver == true }
            locked = modems.filter { $0.hasReceiver == nil }
            unclassified.removeAll { port in all.contains { $0.contains(port.device) } }
        } catch {
            if hasModem { failure = error }
        }
    }

    private func ask(_ call: BusCall, until deadline: Instant) throws(DriverError) -> [UInt8] {
        let channel = try world.channel(to: .modemManager, until: deadline)
        monitor.keep(channel)
        defer { monitor.drop(channel) }
        try channel.send(call.frame, until: deadline)
        return try channel.receive(limit: BusValues.byteLimit, until: deadline)
    }

    func add(to enumeration: inout Enumeration, _ depth: Depth) {
        for (index, modem) in receivers.enumerated() {
            var sensor = Sensor(
                key: modem.key, kind: .locationReceiver, name: modem.name, driver: "gpsd", path: modem.object,
                evidence: [modem.evidence])
            guard modem.givesPositions else {
                sensor.take(modem.inactivity)
                enumeration.candidates.append(SensorCandidate(sensor, isOpen: false))
                continue
            }
            sensor.access = .readable
            if depth == .state { sensor.detail = "ModemManager serves it" }
            enumeration.candidates.append(
                SensorCandidate(sensor, isOpen: depth == .sample, token: Self.token(of: index), group: modem.object))
        }
        for modem in locked {
            let (detail, remedies) = modem.lock
            enumeration.obstacles += ReceiverListing.kinds.obstacles(
                .indeterminate, detail, remedies: remedies, evidence: [modem.evidence])
        }
        if !receivers.isEmpty {
            // Where no gpsd can run none is needed: ModemManager serves these, or could.
            enumeration.obstacles.removeAll { obstacle in
                obstacle.cause == .unreachable
                    && obstacle.evidence.contains { $0.errno == "ECONNREFUSED" || $0.errno == "ENETUNREACH" }
            }
            if enumeration.access == .unknown {
                enumeration.access = .readable
                enumeration.accessEvidence = Evidence(
                    path: Endpoint.modemManager.description, said: "ModemManager answered")
            }
        }
        if let failure { add(failure, to: &enumeration) }
        for port in unclassified where !enumeration.isFull {
            enumeration.obstacles += ReceiverListing.kinds.obstacles(
                .indeterminate,
                "only udev's database shows whether \(port.model ?? port.node) is a receiver or a modem, and this "
                    + "container does not have it",
                remedies: [HostMount.udev.remedy],
                evidence: [Evidence(path: port.node, said: "a port on USB, and no \(HostMount.database)")])
        }
    }

    /// Adds that ModemManager could not be asked; a host where none runs has nothing that could be.
    private func add(_ failure: DriverError, to enumeration: inout Enumeration) {
        let endpoint = Endpoint.modemManager
        let isContainer = ContainerEnvironment.container(in: world) != nil
        guard isContainer || failure != .unowned(endpoint.address, subject: endpoint.description) else { return }
        enumeration.obstacles += ReceiverListing.kinds.obstacles(
            .indeterminate,
            "the kernel lists a modem, but ModemManager, which knows its receiver, cannot be queried: "
                + failure.reason,
            remedies: remedies(for: failure), evidence: [failure.evidence()])
    }

    private func remedies(for error: DriverError) -> [Remedy] {
        switch error.code {
        case .notRecorded: [.option(.recordAgain)]
        case .cancelled: [.option(.again)]
        default: error.busRemedies(of: .modemManager, service: DaemonUnit("ModemManager"), in: world)
        }
    }

    // MARK: - One receiver

    /// The token of a receiver here; those of gpsd's are not negative.
    private static func token(of index: Int) -> Int { -1 - index }

    func modem(of candidate: SensorCandidate) -> Modem? {
        let index = -1 - candidate.token
        return receivers.indices.contains(index) ? receivers[index] : nil
    }

    /// How often a position is asked for, in seconds.
    private static let interval = 0.25

    /// Asks for the position until it is known to be recent: until its own time goes on.
    ///
    /// ModemManager keeps the last position, without saying how old it is.
    func look(
        at modem: Modem, _ sensor: Sensor, _ criteria: FixCriteria, isPatient: Bool, until deadline: Instant
    ) -> Finding {
        var sensor = sensor
        var (first, since) = (ModemPosition?.none, Instant?.none)
        let limit = Int(max(0, min(world.now().seconds(to: deadline), 86_400)) / Self.interval) + 2
        for _ in 0..<limit {
            let position: ModemPosition?
            do throws(DriverError) {
                position = ModemPosition(parsing: try ask(ModemPosition.call(modem), until: deadline))
            } catch {
                // A late answer leaves what an earlier one said.
                if since != nil, error.code == .timedOut { break }
                return Finding(failing(error, sensor))
            }
            let now = world.now()
            if let position, let last = first, position.time != nil, position.time != last.time {
                return Finding(Self.judged(position, sensor, modem, criteria))
            }
            if since == nil || (position == nil) != (first == nil) { (first, since) = (position, now) }
            // Without a position there is nothing to wait for, unless the caller waits for one.
            if position == nil, !isPatient { break }
            if position != nil, position?.time == nil { break }
            if let since, since.seconds(to: now) > criteria.maximumAge.seconds, !isPatient { break }
            guard now.advanced(bySeconds: Self.interval) < deadline, !monitor.isCancelled else { break }
            if world.replayCounts == nil { monitor.wait(.seconds(Self.interval)) }
        }
        guard let first else {
            sensor.fail(.noFix, "ModemManager has no position of it", ReceiverRemedies.sky)
            sensor.reading = .position(PositionReading(fix: .none))
            return Finding(sensor)
        }
        let waited = since.map { $0.seconds(to: world.now()) } ?? 0
        sensor = Self.judged(first, sensor, modem, criteria)
        guard sensor.availability == .available else { return Finding(sensor) }
        if case .position(var reading)? = sensor.reading {
            reading.ageSeconds = nil
            sensor.reading = .position(reading)
        }
        if waited > criteria.maximumAge.seconds {
            let words = "its time has stood still for \(Int(waited)) s"
            sensor.fail(.stale, words, ReceiverRemedies.sky)
        } else {
            let reason = first.time == nil ? "it has no time" : "its time did not go on while it was watched"
            let words = "whether its position is recent cannot be determined: \(reason)"
            sensor.fail(.indeterminate, words, ReceiverRemedies.wait)
        }
        return Finding(sensor)
    }

    /// The sensor with a position that has just come.
    private static func judged(
        _ position: ModemPosition, _ sensor: Sensor, _ modem: Modem, _ criteria: FixCriteria
    ) -> Sensor {
        var sensor = sensor
        sensor.reading = .position(
            PositionReading(
                fix: position.fix, latitude: position.latitude, longitude: position.longitude,
                altitude: position.altitude, ageSeconds: 0))
        sensor.evidence = [
            Evidence(
                sensor: sensor.key, path: modem.object,
                said: "ModemManager gives a \(position.fix.rawValue) fix of \(position.time ?? "an unknown time")")
        ]
        if position.isOrigin {
            sensor.reading = nil
            sensor.fail(
                .faulty, "its position is exactly 0, 0", [.advice("switch the modem's receiver off and on again")])
        } else if criteria.minimumFix == .threeDimensional, position.fix == .twoDimensional {
            sensor.fail(.noFix, "a 2D fix, and 3D is required", ReceiverRemedies.sky)
        }
        return sensor
    }

    private func failing(_ error: DriverError, _ sensor: Sensor) -> Sensor {
        var sensor = sensor
        let isSilent = [.timedOut, .unanswered, .closed].contains(error.code)
        sensor.fail(
            isSilent ? .unreachable : .indeterminate, "ModemManager does not give its position: \(error.reason)",
            remedies(for: error))
        sensor.evidence.append(error.evidence(of: sensor.key))
        if error.isDenied { sensor.deny(Modem.access(for: world.userName)) }
        return sensor
    }
}
