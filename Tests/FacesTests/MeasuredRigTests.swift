import DriverKit
import Synchronization
import Testing
@testable import LocalRig

/// What a measurement asks of a person, and how long it lasted.
struct MeasuredRigTests {
    private final class Asked: Sendable {
        let counts = Mutex<[Int]>([])
    }

    @Test(arguments: [true, false])
    func `only for a guided motion a person is asked to move the rig`(isMoved: Bool) throws {
        let asked = Asked()
        var request = MeasurementRequest(seconds: 1, isMoved: isMoved)
        request.ask = { requests in asked.counts.withLock { $0.append(requests.count) } }
        _ = try LocalRig(recording: "demo").series(request, halt: Waker())
        let counts = asked.counts.withLock(\.self)
        #expect(counts.count == 1 && counts.allSatisfy { ($0 > 0) == isMoved }, "\(counts)")
    }

    @Test func `a measurement that is ended at once lasted less than was asked for`() throws {
        let halt = try Waker()
        halt.wake()
        let measured = try LocalRig(LocalRig.Options()).series(MeasurementRequest(seconds: 3600), halt: halt)
        #expect(measured.seconds < 3600)
    }
}
