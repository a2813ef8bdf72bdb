import DriverKit
import Readiness
import Synchronization

/// One conversation with a step counter.
final class PedometerSession: Session {
    private let endpoint: Endpoint
    private let world: any World
    private let state = Mutex<(channels: [any Channel], isCancelled: Bool)>(([], false))

    init(_ peer: HostPort, _ world: any World) {
        endpoint = PedometerDriver.endpoint(peer)
        self.world = world
    }

    func enumeration(_ depth: Depth, until deadline: Instant) throws(DriverError) -> Enumeration {
        guard depth != .presence else {
            return unknown(
                .indeterminate, "it is not asked at this depth", "look with --depth state", said: "not asked")
        }
        let greeting: String
        do throws(DriverError) {
            greeting = try ask("WHO", until: deadline)
        } catch {
            let cause: Cause = error.code == .timedOut || error.errno != nil ? .unreachable : .indeterminate
            return unknown(cause, error.reason, "check that the step counter is on", said: error.reason)
        }
        let words = greeting.split(separator: " ")
        guard words.first == "PEDOMETER", let serial = value("serial", in: words) else {
            return unknown(.indeterminate, "what answers is not a step counter", "name another port", said: greeting)
        }
        let sensor = Sensor(
            key: serial, kind: .stepCounter, name: "pedometer", driver: "pedometer", path: endpoint.address,
            access: .readable, evidence: [Evidence(sensor: serial, path: endpoint.description, said: greeting)])
        return Enumeration(
            candidates: [SensorCandidate(sensor, isOpen: depth == .sample)], access: .readable,
            searched: Evidence(path: endpoint.description, said: "one step counter"))
    }

    func look(at candidate: SensorCandidate, _ depth: Depth, until deadline: Instant) -> Finding {
        var sensor = candidate.sensor
        do throws(DriverError) {
            let answer = try ask("COUNT", until: deadline)
            guard answer != "OFF" else {
                sensor.availability = .unavailable(.poweredOff)
                sensor.detail = "it is switched off"
                sensor.remedies = [.advice("switch the step counter on")]
                sensor.evidence.append(Evidence(sensor: sensor.key, path: endpoint.description, said: answer))
                return Finding(sensor)
            }
            guard let count = UInt64(answer) else {
                throw DriverError(.malformed, subject: endpoint.description, detail: "a count of '\(answer)'")
            }
            sensor.reading = .steps(count)
        } catch {
            sensor.availability = error.availability
            sensor.detail = error.reason
            sensor.remedies = [.advice("switch the step counter off and on")]
            sensor.evidence.append(error.evidence(of: sensor.key))
        }
        return Finding(sensor)
    }

    func cancel() {
        let channels = state.withLock { state in
            state.isCancelled = true
            return state.channels
        }
        for channel in channels { channel.cancel() }
    }

    private func unknown(_ cause: Cause, _ detail: String, _ remedy: String, said: String) -> Enumeration {
        let evidence = Evidence(path: endpoint.description, said: said)
        return Enumeration(
            obstacles: [
                Obstacle(kind: .stepCounter, cause: cause, detail: detail, remedies: [.advice(remedy)], evidence: [evidence])
            ])
    }

    private func value(_ name: String, in words: [Substring]) -> String? {
        words.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
            .flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Sends one request on a connection of its own; the answer is one line of at most 256 bytes.
    private func ask(_ question: String, until deadline: Instant) throws(DriverError) -> String {
        let channel = try world.channel(to: endpoint, until: deadline)
        let isCancelled = state.withLock { state in
            state.channels.append(channel)
            return state.isCancelled
        }
        if isCancelled { throw DriverError(.cancelled, subject: endpoint.description) }
        defer { state.withLock { state in state.channels.removeAll { $0 === channel } } }
        try channel.send(Array("\(question)\n".utf8), until: deadline)
        var bytes: [UInt8] = []
        while bytes.count <= 256, world.now() < deadline {
            bytes += try channel.receive(limit: 256, until: deadline)
            if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) { return PeerText.line(bytes[..<end]) ?? "" }
        }
        throw DriverError(.malformed, subject: endpoint.description, detail: "an unterminated line")
    }
}
