import DriverKit
import Readiness
import Synchronization

/// A driver of fixed leads, some of which never answer.
struct StubDriver: Driver {
    var name = "stub"
    var kinds: [SensorKind] = [.accelerometer]
    var causeWhenStalled: Cause = .indeterminate
    var patience: Double = 0
    var candidates: [String] = []
    /// Keys whose look blocks until the gate opens.
    var hanging: Set<String> = []
    /// Keys whose look meets what a replayed rig never answered.
    var unanswered: Set<String> = []
    /// Keys of leads that are told by the survey alone.
    var closed: Set<String> = []
    var openError: DriverError?
    var surveyHangs = false
    var surveyIsUnanswered = false
    var gate = Gate()

    func open(_ world: any World, until deadline: Instant) throws(DriverError) -> any Session {
        if let openError { throw openError }
        return StubSession(self)
    }
}

/// What blocked calls wait for, as long as it takes.
final class Gate: Sendable {
    private let isOpen = Mutex(false)

    func open() { isOpen.withLock { $0 = true } }

    func wait() { while !isOpen.withLock({ $0 }) { nap() } }

    private func nap() { Thread.sleep(milliseconds: 2) }
}

final class StubSession: Session {
    private let driver: StubDriver

    init(_ driver: StubDriver) { self.driver = driver }

    func enumeration(_ depth: Depth, until deadline: Instant) throws(DriverError) -> Enumeration {
        if driver.surveyHangs { driver.gate.wait() }
        if driver.surveyIsUnanswered { UnansweredFlag.current?.meet() }
        return Enumeration(
            candidates: driver.candidates.map { key in
                SensorCandidate(
                    Sensor(key: key, kind: driver.kinds[0], name: key, driver: driver.name),
                    isOpen: !driver.closed.contains(key))
            }, access: .readable)
    }

    func look(at candidate: SensorCandidate, _ depth: Depth, until deadline: Instant) -> Finding {
        if driver.hanging.contains(candidate.sensor.key) { driver.gate.wait() }
        if driver.unanswered.contains(candidate.sensor.key) { UnansweredFlag.current?.meet() }
        var sensor = candidate.sensor
        sensor.reading = .steps(7)
        return Finding(sensor)
    }

    func cancel() {}
}
