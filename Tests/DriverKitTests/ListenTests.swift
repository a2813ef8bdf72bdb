import DriverKit
import Readiness
import Support
import Synchronization
import Testing

@Suite struct ListenTests {
    @Test func `a state that settles without an event is reported once more`() throws {
        let ended = Mutex<ChangeMonitor?>(nil)
        let reported = Mutex<[Change]>([])
        let monitor = try ChangeMonitor(.sample) { change in
            let count = reported.withLock { changes in
                changes.append(change)
                return changes.count
            }
            if count == 3 { ended.withLock(\.self)?.cancel() }
        }
        ended.withLock { $0 = monitor }
        var world = FakeWorld()
        // One frame, then every wait is over at once.
        @Sendable func channel() throws(DriverError) -> any Channel { FakeChannel(greeting: [[1]]) }
        world.channels[.uevents] = channel
        try listen(to: .uevents, in: world, monitor, settling: .seconds(2)) { _ in .findings }
        // The opening, the frame, and what settled after it.
        #expect(reported.withLock(\.self) == [.listing, .findings, .findings])
    }
}
