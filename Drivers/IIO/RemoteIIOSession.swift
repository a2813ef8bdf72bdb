internal import DriverKit
internal import Readiness
internal import Synchronization
internal import SystemPackage

final class RemoteIIOSession: Session {
    private struct Target {
        var device: ContextDescription.ContextDevice
        var plan: SensorPlan
        /// The sampling frequency, if it was read before the values, and the time that follows from it.
        var frequency: Result<[UInt8], DriverError>?
        var readingTime: ReadingTime?
    }
    private struct State {
        var targets: [Target] = []
        /// Channels that are not in use: a look that stalls keeps its own, the next one gets another.
        var idle: [any Channel] = []
    }

    let uri: String
    private let world: any World
    private let state = Mutex(State())
    private let channels = OpenChannels()

    init(_ uri: String, _ world: any World) {
        self.uri = uri
        self.world = world
    }

    /// Connects and reads the context's description; reads no attribute, and at depth `presence` nothing at all.
    func enumeration(_ depth: Depth, until deadline: Instant) throws(DriverError) -> Enumeration {
        if depth == .presence {
            let detail = "\(uri) is not queried at this depth"
            let evidence = [Evidence(path: uri, said: detail)]
            return Enumeration(
                obstacles: IIODriver.kinds.obstacles(
                    .indeterminate, detail, remedies: [.option(.depth(.state))], evidence: evidence))
        }
        let description: ContextDescription
        do throws(DriverError) {
            let bytes = try ask(.description, limit: ContextDescription.byteLimit, until: deadline)
            description = try ContextDescription(parsing: bytes, of: uri)
        } catch {
            return Enumeration(failing: error, uri, in: world)
        }
        let evidence = Evidence(path: uri, said: "the context opened")
        var enumeration = Enumeration(access: .readable, accessEvidence: evidence)
        var targets: [Target] = []
        for device in description.devices {
            for plan in device.plans {
                let key = "\(uri)!\(device.id)"
                let own = Evidence(sensor: key, path: uri, said: evidence.said)
                enumeration.candidates.append(
                    SensorCandidate(
                        Sensor(
                            key: key, kind: plan.kind, name: device.name ?? device.id, driver: uri, path: device.id,
                            label: device.label, access: .readable, accessEvidence: own, evidence: [own]),
                        isOpen: depth == .sample, token: targets.count,
                        // A USB device or a serial line is opened by one connection at a time.
                        group: uri.hasPrefix("usb:") || uri.hasPrefix("serial:") ? uri : device.id))
                targets.append(Target(device: device, plan: plan))
            }
        }
        enumeration.makeKeysDistinct()
        enumeration.searched = Evidence(
            path: uri, said: counted(description.devices.map { $0.name ?? $0.id }, "IIO device"))
        state.withLock { $0.targets = targets }
        return enumeration
    }

    /// Reads the sampling frequency; the kernel driver of a remote device is unknown.
    func readingTime(of candidate: SensorCandidate, until deadline: Instant) -> ReadingTime? {
        guard let target = target(of: candidate), let attribute = target.plan.frequency else { return nil }
        let answer = RemoteAttributes(device: target.device, session: self, deadline: deadline).answer(attribute)
        let frequency = (try? answer.get()).flatMap { SamplingFrequency($0) }
        let time = frequency.flatMap { ReadingTime(target.plan, at: $0, kernelDriver: { nil }, faster: { [] }) }
        state.withLock { state in
            state.targets[candidate.token].frequency = answer
            state.targets[candidate.token].readingTime = time
        }
        return time
    }

    func look(at candidate: SensorCandidate, _ depth: Depth, until deadline: Instant) -> Finding {
        guard let target = target(of: candidate) else { return Finding(candidate.sensor) }
        let given = world.now().seconds(to: deadline)
        let reader = RemoteAttributes(device: target.device, session: self, deadline: deadline)
        var sample = Sample(target.plan, from: reader, knownFrequency: target.frequency)
        if sample.refusal?.code == .timedOut, let time = target.readingTime, time.duration * 2 > .seconds(given) {
            sample.availability = .unavailable(.indeterminate)
            sample.remarks.append(time.reason)
        }
        return Finding(sample, of: candidate.sensor, at: .remote(uri: uri, device: target.device))
    }

    private func target(of candidate: SensorCandidate) -> Target? {
        state.withLock { $0.targets.indices.contains(candidate.token) ? $0.targets[candidate.token] : nil }
    }

    func cancel() { channels.cancel() }

    /// Sends one request on a channel that nothing else uses meanwhile; a channel that failed is not used again.
    func ask(_ request: RemoteRequest, limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        let channel = try take(until: deadline)
        do throws(DriverError) {
            try channel.send(request.frame, until: deadline)
            let answer = try channel.receive(limit: limit, until: deadline)
            give(back: channel)
            return answer
        } catch {
            // An error number belongs to the attribute; any other error leaves the conversation in an unknown state,
            // and so does a connection that broke.
            let broken: [Errno] = [.brokenPipe, .connectionReset, .timedOut]
            if error.code == .refused, let errno = error.errno, !broken.contains(errno) {
                give(back: channel)
            } else {
                channels.drop(channel)
            }
            throw error
        }
    }

    private func take(until deadline: Instant) throws(DriverError) -> any Channel {
        if channels.isCancelled { throw DriverError(.cancelled, subject: uri) }
        if let idle = state.withLock({ $0.idle.popLast() }) { return idle }
        do throws(DriverError) {
            let channel = try world.channel(to: .iio(uri: uri), until: deadline)
            channels.keep(channel)
            return channel
        } catch {
            var error = error
            // A failed connection is not the sensor's fault: what served it is gone.
            if error.code == .refused, !error.isDenied { error.code = .closed }
            throw error
        }
    }

    private func give(back channel: any Channel) { state.withLock { $0.idle.append(channel) } }
}

extension Enumeration {
    fileprivate init(failing error: DriverError, _ uri: String, in world: any World) {
        let isMissing = error.code == .unsupported
        let cause: Cause =
            if error.isDenied {
                .denied
            } else if isMissing || uri.hasPrefix("xml:") || [.malformed, .notRecorded, .cancelled].contains(error.code)
            {
                .indeterminate
            } else {
                .unreachable
            }
        let context = ContextRemedy(uri: uri, world: world)
        let detail = isMissing ? error.reason : "\(uri): \(error.reason)"
        self.init(
            obstacles: IIODriver.kinds.obstacles(
                cause, detail, remedies: context.remedies(for: error), evidence: [error.evidence()]),
            access: error.isDenied ? .denied : .unknown, accessEvidence: error.evidence(),
            accessRemedies: error.isDenied ? context.access : [],
            state: isMissing ? .unavailable : error.code == .timedOut ? .timedOut : .failed, detail: detail)
    }
}

/// The attributes of one device of a libiio context, by their file names in sysfs.
struct RemoteAttributes: AttributeReader {
    let device: ContextDescription.ContextDevice
    let session: RemoteIIOSession
    let deadline: Instant

    func read(_ attribute: String) throws(DriverError) -> [UInt8] {
        guard let known = device.attributes[attribute] else {
            throw DriverError(errno: .noSuchFileOrDirectory, subject: place(of: attribute))
        }
        return try session.ask(.read(device: device.id, known), limit: 4096, until: deadline)
    }

    func place(of attribute: String) -> String { "\(session.uri) \(device.id)/\(attribute)" }

    func format(of value: String) -> SampleFormat? { device.formats[value] }

    /// libiio does not show whether a buffer is enabled; on a device with one, EBUSY is how the kernel reports that
    /// (`iio_device_claim_direct_mode`).
    func isCaptured() -> Bool { device.isBuffered }

    func overridingMatrix(for kind: SensorKind) -> (place: String, bytes: [UInt8])? { nil }
}
