package import DriverKit
package import Readiness
internal import Synchronization

/// A driver whose enumeration a test sets, and changes during a watch.
package final class StagedDriver: Driver {
    private struct State {
        var enumeration: Enumeration
        var monitors: [ChangeMonitor] = []
    }
    private let state: Mutex<State>
    /// The name in reports.
    package let name: String
    /// The kinds of sensor that it finds.
    package let kinds: [SensorKind]
    /// The access, which is unknown.
    package let causeWhenStalled = Cause.indeterminate

    /// Creates a driver with this enumeration.
    package init(_ name: String, _ kinds: [SensorKind], _ enumeration: Enumeration) {
        self.name = name
        self.kinds = kinds
        state = Mutex(State(enumeration: enumeration))
    }

    /// Sets another enumeration and announces the change.
    package func set(_ enumeration: Enumeration) {
        let monitors = state.withLock { state in
            state.enumeration = enumeration
            return state.monitors
        }
        for monitor in monitors { monitor.report(.findings) }
    }

    /// Announces the set enumeration.
    package var changeSources: [ChangeSource] {
        @Sendable func source(_ world: any World, _ monitor: ChangeMonitor) throws(DriverError) {
            state.withLock { $0.monitors.append(monitor) }
            monitor.report(.findings)
            monitor.wait(.seconds(3600))
        }
        return [source]
    }

    /// The set enumeration.
    package func open(_ world: any World, until deadline: Instant) throws(DriverError) -> any Session {
        StagedSession(state.withLock(\.enumeration))
    }
}

private final class StagedSession: Session {
    private let found: Enumeration
    init(_ enumeration: Enumeration) { found = enumeration }
    func enumeration(_ depth: Depth, until deadline: Instant) throws(DriverError) -> Enumeration { found }
    func look(at candidate: SensorCandidate, _ depth: Depth, until deadline: Instant) -> Finding {
        Finding(candidate.sensor)
    }
    func cancel() {}
}
