internal import DriverKit
internal import Readiness

/// The receivers of the kernel, combined with those that gpsd owns.
struct ReceiverListing {
    static let kinds: [SensorKind] = [.locationReceiver]
    private let world: any World
    private let address: GPSDAddress
    /// This machine's ports; empty if gpsd runs on another machine.
    let ports: [Port]
    private let failure: DriverError?

    init(_ world: any World, _ address: GPSDAddress, _ cache: PortCache) {
        self.world = world
        self.address = address
        do throws(DriverError) {
            ports = address.isLocal ? try cache.ports(in: world) : []
            failure = nil
        } catch {
            ports = []
            failure = error
        }
    }

    private var advice: ReceiverRemedies { ReceiverRemedies(address: address) }

    /// The listing without gpsd, which is not asked at this depth.
    func enumeration() -> Enumeration {
        let detail = "gpsd is not queried at depth presence, because connecting may start it"
        let evidence = Evidence(path: address.text, said: "not connected to, at depth presence")
        return unknown(detail, [.option(.depth(.state))], evidence)
    }

    private func unknown(_ detail: String, _ remedies: [Remedy], _ evidence: Evidence) -> Enumeration {
        Enumeration(
            candidates: kernel(.indeterminate, detail, remedies: { _ in remedies }),
            obstacles: Self.kinds.obstacles(.indeterminate, detail, remedies: remedies, evidence: [evidence]))
    }

    func enumeration(_ state: GPSDState, _ depth: Depth) -> Enumeration {
        let response =
            if let answer = state.response, state.loss == nil { answer } else {
                DeviceListResponse(state.loss ?? DriverError(.timedOut, subject: address.endpoint.description), address)
            }
        let remedies = response.remedies(at: address, in: world, nodes: kernelReceivers.map(\.node))
        switch response {
        case .answered(let release, let devices):
            return enumeration(of: state.receivers.map(\.device), among: devices, release: release, depth)
        case .denied(let error):
            var enumeration = unknown(response.clause ?? "", remedies, error.evidence())
            enumeration.access = .denied
            enumeration.accessEvidence = error.evidence()
            enumeration.accessRemedies = remedies
            return enumeration
        case .unknown(let error):
            var enumeration = unknown(response.clause ?? "", remedies, error.evidence())
            enumeration.state = error.code == .unsupported ? .unavailable : .failed
            enumeration.detail = error.reason
            return enumeration
        case .unreachable(let clause, let evidence, let fault):
            let opening = OpeningRemedies(
                world: world, address: address, nodes: kernelReceivers.map(\.node), fault: fault)
            // A refused connection shows that no gpsd runs, so none owns the receiver; a missing answer does not.
            let candidates =
                fault == .refused
                ? kernel(.inactive, "the kernel lists the receiver, but no gpsd runs", remedies: opening.adding)
                : kernel(.unreachable, "gpsd does not answer, so the receiver is not read", remedies: { _ in remedies })
            var enumeration = Enumeration(
                candidates: candidates,
                obstacles: Self.kinds.obstacles(.unreachable, clause, remedies: remedies, evidence: [evidence]))
            (enumeration.isWorthRepeating, enumeration.isAccessLate) = (fault.isLate, fault.isLate)
            return enumeration
        }
    }

    /// The listing with gpsd's devices; `owned` are those that can be receivers.
    private func enumeration(
        of owned: [Message.GPSDDevice], among devices: [Message.GPSDDevice], release: String?, _ depth: Depth
    ) -> Enumeration {
        let answer = Evidence(said: "gpsd release \(release ?? "unknown") answered at \(address.text)")
        let searched = Evidence(path: address.text, said: account(of: owned.count, among: devices.count, release))
        var enumeration = Enumeration(access: .readable, accessEvidence: answer, searched: searched)
        for (token, device) in owned.enumerated() {
            if device.isReceiver == nil && depth != .sample {
                enumeration.obstacles += Self.kinds.obstacles(
                    .indeterminate,
                    "gpsd reads \(device.driver.flatMap(Message.GPSDDevice.content) ?? "other data") from "
                        + "\(device.path); only a watch shows whether it is a receiver, too",
                    remedies: [.option(.depth(.sample))], evidence: [Evidence(path: device.path, said: device.words)])
                continue
            }
            let port = port(at: device.path)
            let key = port?.key ?? device.path
            let sensor = Sensor(
                key: key, kind: .locationReceiver,
                name: device.driver ?? port?.model ?? port?.receiver?.name ?? "receiver", driver: "gpsd",
                path: port?.node ?? device.path, access: .readable,
                detail: depth == .state ? "gpsd owns it\(device.isActive ? " and has it open" : "")" : nil,
                evidence: [Evidence(sensor: key, path: device.path, said: device.words)])
            // All receivers share one stream, which one thread reads.
            enumeration.candidates.append(
                SensorCandidate(sensor, isOpen: depth == .sample, token: token, group: "gpsd"))
        }
        let names = Set(devices.map(\.path))
        enumeration.candidates += kernel(
            .inactive, "the kernel lists the receiver, but gpsd does not own it", but: names,
            remedies: { advice.adding($0, in: world) })
        if let failure, owned.isEmpty {
            // Whether there is a receiver to add is unknown, so nothing may be called absent.
            enumeration.obstacles += Self.kinds.obstacles(
                .indeterminate, "the kernel's receivers could not be listed: \(failure.reason)",
                remedies: [.advice("let this user list /sys/class/tty and /sys/class/gnss")],
                evidence: [failure.evidence()])
        }
        return enumeration
    }

    /// This machine's port that gpsd reads by that name; nil if the kernel shows none.
    func port(at path: String) -> Port? { ports.first { $0.names.contains(path) } }

    private func account(of owned: Int, among devices: Int, _ release: String?) -> String {
        let listed =
            switch (owned, devices) {
            case (_, 0): "no device"
            case (0, _): "no receiver among \(devices) devices"
            default: "\(owned) of \(devices) devices as receivers"
            }
        let gpsd = "gpsd \(release ?? "of an unknown release") lists \(listed)"
        guard address.isLocal else { return gpsd }
        guard failure == nil else { return "\(gpsd); what the kernel shows could not be listed" }
        return "\(gpsd); the kernel shows \(kernelReceivers.isEmpty ? "no receiver" : "\(kernelReceivers.count)")"
    }

    private var kernelReceivers: [Port] { ports.filter { $0.receiver != nil } }

    /// The kernel's receivers as sensors that are not examined further.
    private func kernel(
        _ cause: Cause, _ detail: String, but names: Set<String> = [], remedies: (String) -> [Remedy]
    ) -> [SensorCandidate] {
        ports.filter { $0.names.isDisjoint(with: names) }.compactMap { port in
            guard let receiver = port.receiver else { return nil }
            let doubt =
                receiver.isCertain
                ? "" : "; it may be something else: gpsd's udev rules match every \(receiver.name)"
            let sensor = Sensor(
                key: port.key, kind: .locationReceiver, name: port.model ?? receiver.name, driver: "gpsd",
                path: port.node, availability: .unavailable(cause), detail: detail + doubt,
                remedies: remedies(port.node),
                evidence: [Evidence(sensor: port.key, path: port.node, said: receiver.name)])
            return SensorCandidate(sensor, isOpen: false)
        }
    }
}

extension Message.GPSDDevice {
    var words: String {
        let parts = [isActive ? "activated" : "not activated", driver.map { "driver \($0)" }, subtype]
        return "DEVICE " + parts.compactMap(\.self).joined(separator: ", ")
    }
}
