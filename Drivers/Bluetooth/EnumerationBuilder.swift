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
        let answers = unasked("power is not asked at this depth", deeper)
        guard answers.isEmpty else {
            result = enumeration(answers, access: .unknown, asked: .management)
            // A controller requested by its address may be one of these.
            let detail = "addresses and power are not asked at this depth"
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
            let detail = "no controller is listed, but the switch of a radio is: it may be blocked"
            result.obstacles = [indeterminate(detail, [], remedies: deeper)]
        } else if environment.container != nil || environment.isForeignNamespace == true {
            let detail = "no controller is listed, which proves nothing in a container or namespace"
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
        let said = "not asked, since the kernel's Bluetooth is not loaded"
        let searched = listing.evidence()
        return Enumeration(
            obstacles: [noController(searched)],
            accessEvidence: Evidence(path: Endpoint.management.description, said: said), searched: searched)
    }

    /// What an interface returned, and the controllers that it withheld.
    func enumeration(of controllers: ControllerList) -> Enumeration {
        var answers = controllers.answers
        for index in listing.indices where !controllers.known.contains(index) { answers[index] = .withheld }
        // What answered over the bus runs, whatever systemd shows here.
        let daemon = controllers.asked == .bluez ? true : world.runsBluetoothDaemon()
        var result = enumeration(
            answers, access: .readable, asked: controllers.asked, isServed: daemon == true && answers.count == 1)
        result.searched = listing.evidence(beside: controllers)
        result.accessEvidence = controllers.evidence
        result.detail = controllers.failure.map {
            "asked \(controllers.asked == .bluez ? "through BlueZ on the system bus" : "by ioctl"), since \($0)"
        }
        if controllers.asked == .bluez { result.notices += ContainerEnvironment(from: world).notices }
        if answers.isEmpty, controllers.asked == .bluez, let failure = listing.failure {
            // BlueZ does not tell of one that is unconfigured or that another process owns.
            result.obstacles = [
                indeterminate(
                    "BlueZ lists no controller, and whether the kernel has one cannot be listed: \(failure.reason)",
                    [failure.evidence()] + [result.searched].compactMap(\.self),
                    remedies: failure.sysfsRemedies(in: world))
            ]
        } else if answers.isEmpty {
            result.obstacles = [noController(result.searched)]
        } else if daemon == false {
            let detail = "bluetooth.service is not running, so nothing powers the controllers on"
            result.notices.append(Notice(.noBluetoothDaemon, detail: detail))
        }
        return result
    }

    /// EAFNOSUPPORT: there may be Bluetooth, but this process has no access to it, nor to BlueZ.
    func withoutSockets(_ error: DriverError, orBus bus: DriverError) -> Enumeration {
        let environment = ContainerEnvironment(from: world)
        var why = environment.explanation(
            kernelHasBluetooth: listing.hasClass || listing.failure != nil || !switches.list.isEmpty)
        var evidence = [error.evidence()] + [environment.container].compactMap(\.self)
        if bus.code != .notRecorded {
            why.detail += "; BlueZ cannot be asked on the system bus either: \(bus.reason)"
            why.remedies += bus.busRemedies(of: .bluez, unit: "bluetooth", isContainer: environment.container != nil)
            evidence.append(bus.evidence())
        }
        var result = enumeration(unasked(why.detail, why.remedies), access: .unknown, asked: .management)
        result.obstacles = [indeterminate(why.detail, evidence, remedies: why.remedies)]
        result.notices += environment.notices
        result.accessEvidence = error.evidence()
        result.state = .unavailable
        result.detail = why.detail
        return result
    }

    /// EACCES or EPERM: the authorization is denied, which decides the result; `bus` is why BlueZ did not answer, if it
    /// was asked.
    func denied(_ error: DriverError, orBus bus: DriverError? = nil) -> Enumeration {
        let environment = ContainerEnvironment(from: world)
        let remedies =
            environment.accessRemedies
            + (bus?.busRemedies(of: .bluez, unit: "bluetooth", isContainer: environment.container != nil) ?? [])
        var result = enumeration(unasked("this user may not ask it", remedies), access: .denied, asked: .management)
        let detail = "the operating system denies Bluetooth: \(error.reason)"
        result.obstacles = [indeterminate(detail, [error.evidence()], remedies: remedies)]
        result.accessEvidence = error.evidence()
        result.accessRemedies = remedies
        result.state = .failed
        result.detail = error.description
        return result
    }

    func failed(_ errors: [DriverError]) -> Enumeration {
        let detail = errors.map(\.description).joined(separator: "; ")
        let remedies = errors.first { $0.code == .notRecorded || $0.isDenied }?.remedies ?? kernelLog
        var result = enumeration(unasked("neither Bluetooth socket answers", remedies), access: .unknown, asked: .hci)
        result.obstacles = [
            (result.candidates.isEmpty ? blockedObstacle() : nil)
                ?? indeterminate(detail, errors.map { $0.evidence() }, remedies: remedies)
        ]
        result.accessEvidence = errors.first?.evidence()
        result.state = .failed
        result.detail = detail
        return result
    }

    // MARK: - Parts

    private func enumeration(
        _ answers: [UInt16: ControllerAnswer], access: Access, asked: Endpoint, isServed: Bool = false
    ) -> Enumeration {
        var result = Enumeration(access: access, searched: listing.evidence())
        let needsPlaces = answers.values.contains { $0.address == nil }
        let places = needsPlaces ? ControllerListing.places(in: world) : [:]
        // In bus order; the key is the address, or else the place.
        for (index, answer) in answers.sorted(by: { $0.key < $1.key }) {
            let key = answer.address?.description ?? places[index] ?? "hci\(index)"
            let controller = Controller(
                index: index, key: key, answer: answer, switches: switches, asked: asked, access: access,
                isServed: isServed)
            result.candidates.append(
                SensorCandidate(controller.sensor, isOpen: answer.isWorthRepeating, token: Int(index)))
        }
        result.makeKeysDistinct()
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
                "no controller is listed, and whether rfkill hides one cannot be read",
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

extension ControllerAnswer {
    /// Whether what was asked tells that rfkill keeps it off.
    var isBlocked: Bool {
        switch self {
        case .refused: true
        case .information(let information): information.isBlocked
        default: false
        }
    }

    /// The address, if a valid one was returned.
    var address: DeviceAddress? {
        if case .information(let information) = self, !information.address.isAny { information.address } else { nil }
    }

    /// Whether asking again can give more: only if the answer was late.
    var isWorthRepeating: Bool {
        if case .failed(let error) = self { error.code == .timedOut } else { false }
    }
}
