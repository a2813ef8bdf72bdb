import DriverKit
import DriverTesting
import Readiness
import Support
import SystemPackage
import Testing

/// A driver that breaks the rule given by a test.
private struct BrokenDriver: Driver {
    enum Fault: CaseIterable {
        case connectsAtPresence, waitsTooLong, ignoresCancel, callsUnknownAbsent, saysNothing, repeatsKeys, differs
    }

    let fault: Fault
    var name: String { "broken" }
    var kinds: [SensorKind] { [.stepCounter] }
    var causeWhenStalled: Cause { .unreachable }
    func open(_ world: any World, until deadline: Instant) -> any Session { BrokenSession(fault, world) }
}

private final class BrokenSession: Session {
    private let fault: BrokenDriver.Fault
    private let world: any World

    init(_ fault: BrokenDriver.Fault, _ world: any World) {
        self.fault = fault
        self.world = world
    }

    func enumeration(_ depth: Depth, until deadline: Instant) throws(DriverError) -> Enumeration {
        let evidence = Evidence(said: "looked")
        let sensor = Sensor(key: "a", kind: .stepCounter, name: "chip", driver: "broken", evidence: [evidence])
        switch fault {
        case .connectsAtPresence: _ = try? world.channel(to: Endpoint("peer"), until: deadline)
        case .waitsTooLong, .ignoresCancel:
            guard depth == .sample else { break }
            let end = fault == .waitsTooLong ? deadline.advanced(bySeconds: 3) : deadline
            let channel = try world.channel(to: Endpoint("peer"), until: deadline)
            while Instant.now < end {
                _ = try? channel.receive(limit: 1, until: min(end, .now.advanced(bySeconds: 0.01)))
            }
        case .callsUnknownAbsent:
            do throws(DriverError) {
                _ = try world.entries(of: "/sys")
            } catch {
                return Enumeration(
                    obstacles: [
                        Obstacle(
                            kind: .stepCounter, cause: .absent, detail: "none", remedies: [.advice("one")],
                            evidence: [evidence])
                    ])
            }
        case .saysNothing:
            var mute = sensor
            mute.availability = .unavailable(.faulty)
            return Enumeration(candidates: [SensorCandidate(mute, isOpen: false)])
        case .repeatsKeys:
            return Enumeration(candidates: [sensor, sensor].map { SensorCandidate($0, isOpen: false) })
        case .differs:
            var other = sensor
            other.key = "\(Instant.now.nanoseconds)"
            return Enumeration(candidates: [SensorCandidate(other, isOpen: false)])
        }
        return Enumeration(candidates: [SensorCandidate(sensor, isOpen: false)])
    }

    func look(at candidate: SensorCandidate, _ depth: Depth, until deadline: Instant) -> Finding {
        Finding(candidate.sensor)
    }

    func cancel() {}
}

@Suite struct DriverContractTests {
    @Test(
        arguments: [
            (.connectsAtPresence, "connects to peer at depth presence"), (.waitsTooLong, "waits beyond its deadline"),
            (.ignoresCancel, "continues after cancel"), (.callsUnknownAbsent, "stepCounter is called absent"),
            (.saysNothing, "stepCounter a faulty: no detail"), (.repeatsKeys, "2 sensors of stepCounter a"),
            (.differs, "the same world twice gives two results"),
        ] as [(BrokenDriver.Fault, String)])
    private func `a driver that breaks a rule is reported with the rule`(fault: BrokenDriver.Fault, violation: String) {
        let contract = DriverContract(BrokenDriver(fault: fault), in: ["a rig": { FakeWorld() }], patience: 1)
        let violations = contract.run(mutants: 2)
        #expect(violations.contains { $0.hasSuffix(violation) }, "\(violations)")
    }
}
