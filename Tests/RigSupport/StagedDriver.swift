package import DriverKit
package import Readiness
internal import Synchronization

/// A driver whose survey a test sets, and changes under a watch.
package final class StagedDriver: Driver {
    private struct State {
        var survey: Survey
        var lookouts: [Lookout] = []
    }
    private let state: Mutex<State>
    /// In reports.
    package let name: String
    /// What it looks for.
    package let kinds: [SensorKind]
    /// Nobody can tell.
    package let causeWhenStalled = Cause.indeterminate

    /// Makes a driver that finds this.
    package init(_ name: String, _ kinds: [SensorKind], _ survey: Survey) {
        self.name = name
        self.kinds = kinds
        state = Mutex(State(survey: survey))
    }

    /// Has it find something else, and announces that.
    package func set(_ survey: Survey) {
        let lookouts = state.withLock { state in
            state.survey = survey
            return state.lookouts
        }
        for lookout in lookouts { lookout.report(.findings) }
    }

    /// Announces what is set.
    package var changeSources: [ChangeSource] {
        @Sendable func source(_ world: any World, _ lookout: Lookout) throws(DriverError) {
            state.withLock { $0.lookouts.append(lookout) }
            lookout.report(.findings)
            lookout.wait(3600)
        }
        return [source]
    }

    /// What is set.
    package func open(_ world: any World, until deadline: Instant) throws(DriverError) -> any Session {
        StagedSession(state.withLock(\.survey))
    }
}

private final class StagedSession: Session {
    private let found: Survey
    init(_ survey: Survey) { found = survey }
    func survey(_ depth: Depth, until deadline: Instant) throws(DriverError) -> Survey { found }
    func look(at lead: Lead, _ depth: Depth, until deadline: Instant) -> Finding { Finding(lead.sensor) }
    func cancel() {}
}
