import DriverKit
import Readiness
import Support
import Synchronization
import Testing

/// One frame, two waits that are over at once, and the end.
private final class BriefChannel: Channel {
    private let count = Mutex(0)

    func send(_ frame: [UInt8], until deadline: Instant) {}

    func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        let number = count.withLock { count in
            count += 1
            return count
        }
        if number == 1 { return [1] }
        throw DriverError(number < 4 ? .timedOut : .closed, subject: "the scripted peer")
    }

    func cancel() {}
}

@Suite struct ListenTests {
    /// What is reported of such a channel.
    private func changes(settling: Duration?) throws -> [Change] {
        let reported = Mutex<[Change]>([])
        let monitor = try ChangeMonitor(.sample) { change in reported.withLock { $0.append(change) } }
        var world = FakeWorld()
        @Sendable func channel() throws(DriverError) -> any Channel { BriefChannel() }
        world.channels[.uevents] = channel
        #expect(throws: DriverError.self) {
            try listen(to: .uevents, in: world, monitor, settling: settling) { _ in .findings }
        }
        return reported.withLock(\.self)
    }

    @Test func `a state that settles without an event is reported once more`() throws {
        // The opening, the frame, and what settled after it.
        #expect(try changes(settling: .seconds(2)) == [.listing, .findings, .findings])
        #expect(try changes(settling: nil) == [.listing, .findings])
    }
}
