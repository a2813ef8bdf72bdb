internal import DriverKit
internal import Readiness
internal import SystemPackage

struct EnumerationBuilder {
    let world: any World
    let listing: ControllerListing
    let switches: RfkillSwitches

    /// The result without opening anything: no power state, and absence only on a plain host.
    func presence() -> Enumeration {
        var result = Enumeration(searched: listing.evidence())
        let answers = unasked("power is not read at this depth", deeper)
        guard answers.isEmpty else {
            result = enumeration(answers, BluetoothRights(), asked: .management)
            // A controller requested by its address may be one of these.
            let detail = "addresses and power are not read at this depth"
            result.obstacles = [indeterminate(detail, [result.searched].compactMap(\.self), remedies: deeper)]
            return result
        }
        let environment = ContainerEnvironment(from: world)
        result.notices = environment.notices
        if let failure = listing.failure ?? switches.failure {
            let detail = "the controllers cannot be listed: \(failure.reason)"
            result.obstacles = [
                indeterminate(detail, [failure.evidence()], remedies: failure.sysfsRemedies(in: world))
            ]
            result.searched = nil
        } else if !switches.list.isEmpty {
            let detail = "no controller listed, but a radio switch exists; rfkill may block the controller"
            result.obstacles = [indeterminate(detail, [], remedies: deeper)]
        } else if environment.container != nil || environment.isForeignNamespace == true {
            let detail = "no controller listed; a container or namespace may hide one"
            let evidence = [environment.container, result.searched].compactMap(\.self)
            result.obstacles = [indeterminate(detail, evidence, remedies: ContainerEnvironment.onHost)]
        } else {
            result.obstacles = [absent(result.searched)]
        }
        return result
    }

    /// The result if the kernel's Bluetooth is not even loaded, on a host that hides nothing; nil otherwise.
    ///
    /// Then there is no controller, and asking would make the kernel load it, which can take seconds.
    func notLoaded() -> Enumeration? {
        guard !listing.hasClass, listing.failure == nil, ContainerEnvironment(from: world).isPlainHost else {
            return nil
        }
        let said = "not opened, because the kernel's Bluetooth is not loaded"
        let searched = listing.evidence()
        return Enumeration(
            obstacles: [noController(searched)],
            accessEvidence: Evidence(path: Endpoint.management.description, said: said), searched: searched)
    }

    func enumeration(_ kernel: KernelAnswer, _ daemon: BluetoothDaemon) -> Enumeration {
        var result: Enumeration
        switch kernel {
        case .controllers(let controllers):
            result = enumeration(
                of: controllers, daemon, BluetoothRights(daemon, socket: controllers.evidence, in: world))
        case .closed(let error):
            result = withoutSockets(error, daemon, BluetoothRights(daemon, socket: nil, in: world))
        case .failed(let errors):
            result = failed(errors, BluetoothRights(daemon, socket: nil, in: world))
        }
        if ContainerEnvironment.container(in: world) != nil { result.translateRemediesForContainer() }
        let isDaemonLate = daemon.failure?.code == .timedOut
        result.isWorthRepeating = kernel.isLate || isDaemonLate
        result.isAccessLate = isDaemonLate
        return result
    }

    /// Whether bluetoothd switches the only controller, so that its own tool does.
    func isServed(by daemon: BluetoothDaemon) -> Bool {
        let isRunning = daemon.standing == .unrecorded ? world.runsBluetoothDaemon() == true : daemon.controllers != nil
        return isRunning && Set(listing.indices).union(daemon.controllers.map { Array($0.keys) } ?? []).count == 1
    }

    /// What an interface returned, and the controllers that it withheld.
    private func enumeration(
        of controllers: ControllerList, _ daemon: BluetoothDaemon, _ rights: BluetoothRights
    ) -> Enumeration {
        var answers = controllers.answers
        for index in listing.indices where !controllers.known.contains(index) { answers[index] = .withheld }
        var result = enumeration(
            answers, rights, asked: controllers.asked, isServed: isServed(by: daemon) && answers.count == 1)
        result.searched = listing.evidence(beside: controllers)
        result.detail = controllers.failure.map {
            "asked \(controllers.asked == .bluez ? "through BlueZ on the system bus" : "by ioctl"), since \($0)"
        }
        if controllers.asked == .bluez { result.notices += ContainerEnvironment(from: world).notices }
        if answers.isEmpty, controllers.asked == .bluez, let failure = listing.failure {
            // BlueZ does not list one that is unconfigured or that another process owns.
            result.obstacles = [
                indeterminate(
                    "BlueZ lists no controller, and the kernel's list cannot be read: \(failure.reason)",
                    [failure.evidence()] + [result.searched].compactMap(\.self),
                    remedies: failure.sysfsRemedies(in: world))
            ]
        } else if answers.isEmpty {
            result.obstacles = [noController(result.searched)]
        } else if let notice = notice(of: daemon) {
            result.notices.append(notice)
        }
        return result
    }

    /// The notice that no bluetoothd runs; nil if one does, or if that is unknown.
    private func notice(of daemon: BluetoothDaemon) -> Notice? {
        if daemon.standing == .stopped {
            let start = daemon.failure?.busRemedies(of: .bluez, service: .bluetoothd, in: world).words ?? ""
            return Notice(
                .noBluetoothDaemon,
                detail: "bluetoothd is not running, so programs that use BlueZ find no controller: \(start)")
        }
        guard daemon.standing == .unrecorded, world.runsBluetoothDaemon() == false else { return nil }
        return Notice(
            .noBluetoothDaemon, detail: "bluetooth.service is not running, so nothing powers the controllers on")
    }

    /// EAFNOSUPPORT, EACCES or EPERM: what bluetoothd answers instead, or that Bluetooth is out of reach.
    private func withoutSockets(
        _ error: DriverError, _ daemon: BluetoothDaemon, _ rights: BluetoothRights
    ) -> Enumeration {
        var rights = rights
        if let answers = daemon.controllers {
            rights.evidence?.said += "; \(error)"
            rights.evidence?.errno = error.errno?.name
            let controllers = ControllerList(
                asked: .bluez, answers: answers, known: Set(answers.keys),
                said: "bluetoothd answered on the system bus", failure: error)
            return enumeration(of: controllers, daemon, rights)
        }
        let environment = ContainerEnvironment(from: world)
        if daemon.standing == .refused, rights.access == .denied { return denied(rights) }
        // A refused socket is a denial, unless bluetoothd could still permit Bluetooth.
        if error.isDenied, daemon.standing != .refused, daemon.standing != .unclear {
            rights = BluetoothRights(
                access: .denied, evidence: error.evidence(),
                remedies: environment.accessRemedies + (daemon.standing == .unrecorded ? [] : rights.remedies))
            return denied(rights)
        }
        var why = environment.explanation(
            kernelHasBluetooth: listing.hasClass || listing.failure != nil || !switches.list.isEmpty)
        if error.isDenied { why = ("the operating system denies the Bluetooth sockets: \(error.reason)", []) }
        var evidence = [error.evidence()] + [environment.container].compactMap(\.self)
        if daemon.standing == .unrecorded {
            rights.evidence = error.evidence()
        } else {
            why.detail += "; bluetoothd cannot be queried on the system bus either: \(daemon.reason)"
            why.remedies += rights.remedies
            evidence.append(daemon.evidence)
        }
        rights.remedies = why.remedies
        var result = enumeration(unasked(why.detail, why.remedies), rights, asked: .management)
        result.obstacles = [indeterminate(why.detail, evidence, remedies: why.remedies)]
        result.notices += environment.notices
        result.state = .unavailable
        result.detail = why.detail
        return result
    }

    /// The operating system denies Bluetooth, and nothing shows the controllers.
    private func denied(_ rights: BluetoothRights) -> Enumeration {
        let reason = rights.evidence?.said ?? ""
        var result = enumeration(unasked("this user may not ask it", rights.remedies), rights, asked: .management)
        let detail = "the operating system denies Bluetooth: \(reason)"
        result.obstacles = [
            indeterminate(detail, [rights.evidence].compactMap(\.self), remedies: rights.remedies)
        ]
        result.notices += ContainerEnvironment(from: world).notices
        result.state = .failed
        result.detail = rights.evidence.map { "\($0.path ?? Endpoint.bluez.description): \($0.said)" }
        return result
    }

    private func failed(_ errors: [DriverError], _ rights: BluetoothRights) -> Enumeration {
        let detail = errors.map(\.description).joined(separator: "; ")
        let remedies = errors.first { $0.code == .notRecorded || $0.isDenied }?.remedies ?? kernelLog
        var result = enumeration(unasked("neither Bluetooth socket answers", remedies), rights, asked: .hci)
        result.obstacles = [
            (result.candidates.isEmpty ? blockedObstacle() : nil)
                ?? indeterminate(detail, errors.map { $0.evidence() }, remedies: remedies)
        ]
        result.state = .failed
        result.detail = detail
        return result
    }

    // MARK: - Parts

    private func enumeration(
        _ answers: [UInt16: ControllerAnswer], _ rights: BluetoothRights, asked: Endpoint, isServed: Bool = false
    ) -> Enumeration {
        var result = Enumeration(
            access: rights.access, accessEvidence: rights.evidence, accessRemedies: rights.remedies,
            searched: listing.evidence())
        let needsPlaces = answers.values.contains { $0.address == nil }
        let places = needsPlaces ? ControllerListing.places(in: world) : [:]
        var controllers: [Controller] = []
        // In bus order; the key is the address, or else the place.
        for (index, answer) in answers.sorted(by: { $0.key < $1.key }) {
            let key = answer.address?.description ?? places[index] ?? "hci\(index)"
            let controller = Controller(
                index: index, key: key, answer: answer, switches: switches, asked: asked, access: rights.access,
                isServed: isServed)
            var sensor = controller.sensor
            sensor.take(rights)
            result.candidates.append(
                SensorCandidate(sensor, isOpen: answer.isWorthRepeating, token: Int(index)))
            controllers.append(controller)
        }
        result.makeKeysDistinct()
        for (controller, candidate) in zip(controllers, result.candidates) {
            if let notice = controller.addressNotice(key: candidate.sensor.key) { result.notices.append(notice) }
        }
        return result
    }

    private func unasked(_ reason: String, _ remedies: [Remedy]) -> [UInt16: ControllerAnswer] {
        Dictionary(uniqueKeysWithValues: listing.indices.map { ($0, .unasked(reason, remedies: remedies)) })
    }

    // The enumeration is complete and empty.
    private func noController(_ searched: Evidence?) -> Obstacle {
        if let blocked = blockedObstacle() { return blocked }
        if let failure = switches.failure {
            return indeterminate(
                "no controller listed, and rfkill cannot be read, so it may hide one",
                [failure.evidence()] + [searched].compactMap(\.self), remedies: failure.sysfsRemedies(in: world))
        }
        return absent(searched)
    }

    private func blockedObstacle() -> Obstacle? {
        guard let cause = switches.list.cause else { return nil }
        return Obstacle(
            kind: .bluetoothAdapter, cause: cause, detail: "\(switches.list.clause), and therefore invisible",
            remedies: cause.remedies, evidence: switches.list.blocked.map(\.evidence))
    }

    // A switch that is on without a controller: the enumeration is valid, and the detail mentions the switch.
    private func absent(_ searched: Evidence?) -> Obstacle {
        let names = switches.list.compactMap(\.name).joined(separator: ", ")
        let isSwitchedOn = !switches.list.isEmpty
        return Obstacle(
            kind: .bluetoothAdapter, cause: .absent,
            detail: isSwitchedOn
                ? "no controller, though the radio's switch is on (\(names)): its driver or firmware may be missing"
                : "no Bluetooth controller",
            remedies: isSwitchedOn ? kernelLog : [.advice("plug in a Bluetooth controller")],
            evidence: switches.list.map(\.evidence) + [searched].compactMap(\.self))
    }

    private func indeterminate(_ detail: String, _ evidence: [Evidence], remedies: [Remedy]) -> Obstacle {
        Obstacle(
            kind: .bluetoothAdapter, cause: .indeterminate, detail: detail, remedies: remedies,
            evidence: evidence + switches.list.map(\.evidence))
    }
}

extension Enumeration {
    /// Changes the remedies to what can be done from a container.
    fileprivate mutating func translateRemediesForContainer() {
        accessRemedies = accessRemedies.map(\.fromContainer)
        for index in obstacles.indices {
            obstacles[index].remedies = obstacles[index].remedies.map(\.fromContainer)
        }
        for index in candidates.indices {
            candidates[index].sensor.remedies = candidates[index].sensor.remedies.map(\.fromContainer)
            candidates[index].sensor.accessRemedies = candidates[index].sensor.accessRemedies.map(\.fromContainer)
        }
    }
}

extension ControllerAnswer {
    /// Whether what was asked tells that rfkill keeps it off.
    var isBlocked: Bool {
        switch self {
        case .refused: true
        case .information(let information): information.isBlocked
        default: false
        }
    }

    /// The address, if one was returned that can belong to this controller alone.
    var address: DeviceAddress? {
        if case .information(let information) = self, information.address.isUnique { information.address } else { nil }
    }

    /// Whether asking again can give more: only if the answer was late.
    var isWorthRepeating: Bool {
        if case .failed(let error) = self { error.code == .timedOut } else { false }
    }
}
