import DriverKit
import Readiness
import Support
import Testing
@testable import LocalRig

@Suite struct ResultTests {
    private struct FailingDriver: Driver {
        let error: DriverError
        var name: String { "failing" }
        var kinds: [SensorKind] { [.gyroscope] }
        var causeWhenStalled: Cause { .unreachable }
        func open(_ world: any World, until deadline: Instant) throws(DriverError) -> any Session { throw error }
    }

    @Test(
        arguments: [
            (DriverError(.notRecorded, subject: "iio"), [.option(.recordAgain)]),
            (DriverError(.timedOut, subject: "iio"), [.option(.timeout(9)), .advice("find what blocks failing")]),
        ] as [(DriverError, [Remedy])])
    func `more time is no remedy for an answer that a recording lacks`(error: DriverError, remedies: [Remedy]) {
        let answers = DriverAnswers(failure: error)
        let result = DriverResult(FailingDriver(error: error), answers, elapsed: 0, limit: ProbeLimit(.seconds(2)))
        #expect(result.obstacles.map(\.remedies) == [remedies])
    }
}
