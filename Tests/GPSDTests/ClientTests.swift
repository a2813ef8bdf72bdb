import DriverKit
import Readiness
import Support
import Synchronization
import Testing

@testable import GPSD

/// The client that stays connected while a rig is watched.
@Suite(.timeLimit(.minutes(10)))
struct ClientTests {
    private final class Changes: Sendable { let count = Mutex(0) }

    /// A small driver under watch: its client runs on a thread, and its sessions probe.
    private final class Watched: Sendable {
        let gpsd = ManualGPSD()
        let driver: GPSDDriver
        let monitor: ChangeMonitor
        private let counted = Changes()

        init(criteria: FixCriteria = FixCriteria()) throws {
            driver = GPSDDriver(criteria: criteria)
            let changes = counted
            monitor = try ChangeMonitor(.sample) { _ in changes.count.withLock { $0 += 1 } }
            let (source, world, monitor) = (try #require(driver.changeSources.last), gpsd.world, monitor)
            detach { _ = try? source(world, monitor) }
            try #require(ClientTests.eventually { gpsd.isWatched })
        }

        /// The number of reported changes.
        var reported: Int { counted.count.withLock(\.self) }

        deinit { monitor.cancel() }

        /// The state as a new subscriber receives it.
        var state: GPSDState {
            let received = Mutex(GPSDState())
            driver.client.unsubscribe(driver.client.subscribe { state, _ in received.withLock { $0 = state } })
            return received.withLock(\.self)
        }

        var availability: Availability? { state.receivers.first?.status?.availability }

        func probe() throws -> Sensor? {
            let deadline = Instant.now.advanced(bySeconds: 0.2)
            let session = try driver.open(gpsd.world, until: deadline)
            let enumeration = try session.enumeration(.sample, until: deadline)
            return enumeration.candidates.first.map { session.look(at: $0, .sample, until: deadline).sensor }
        }

        func say(_ line: String, until isExpected: (Receiver) -> Bool) throws {
            gpsd.say(line)
            try #require(ClientTests.eventually { state.receivers.first.map(isExpected) == true })
        }
    }

    /// The time of a report of second 57.
    private static let later = secondsSince1970("2026-11-21T11:21:57.000Z")

    private static func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
        try RunningGPSD.wait(10, for: condition)
    }

    @Test func `a report without a device belongs to the only receiver, and to none of two`() throws {
        let text = Recorded.report().replacing(#""device":"/dev/ttyACM0","#, with: "")
        let report = try #require(Message(line: Array(text.utf8)))
        for (paths, expected) in [(["/dev/a"], [0]), (["/dev/a", "/dev/b"], [])] {
            let devices = paths.map { #"{"path":"\#($0)","driver":"u-blox","activated":"2026-11-21T11:00:00.000Z"}"# }
            let list = #"{"class":"DEVICES","devices":[\#(devices.joined(separator: ","))]}"#
            guard case .devices(let listed)? = Message(line: Array(list.utf8)) else {
                Issue.record("no list")
                return
            }
            var state = GPSDState(.answered(release: nil, listed), isPresent: { _ in true })
            #expect(state.receivers.count == paths.count)
            #expect(state.take(report, at: .now) == expected)
        }
    }

    @Test(arguments: [Recorded.report(second: 56), Recorded.noFix])
    func `a report is evaluated once, however many probes follow`(_ line: String) throws {
        let watched = try Watched()
        try watched.say(line) { $0.latest != nil }
        let receiver = try #require(watched.state.receivers.first)
        #expect(receiver.evaluatedAt == receiver.latest?.at)
        for _ in 0..<3 {
            #expect(try watched.probe()?.availability == receiver.status?.availability)
        }
        #expect(watched.state.receivers.first?.evaluatedAt == receiver.evaluatedAt)
        #expect(watched.gpsd.connections == 1)
    }

    @Test func `each report is evaluated again`() throws {
        let watched = try Watched()
        try watched.say(Recorded.report(second: 56)) { $0.status?.availability == .available }
        let first = watched.state.receivers.first?.evaluatedAt
        try watched.say(Recorded.report(second: 57)) { $0.latest?.report.time == Self.later }
        #expect(watched.state.receivers.first?.evaluatedAt != first)
    }

    @Test(.waits) func `a watch tells that an inertial unit fell silent, and that it reports again`() throws {
        let watched = try Watched()
        try watched.say(Recorded.report(second: 56)) { $0.status?.availability == .available }
        try watched.say(Recorded.inertial) { $0.inertialKinds.count == 2 }
        let (reported, began) = (watched.reported, Instant.now)
        // Nothing else comes, and the fix lasts for longer.
        #expect(Self.eventually { watched.reported > reported })
        #expect(4.9...8 ~= began.seconds(to: .now) && watched.availability == .available)
        #expect(watched.state.receivers.first?.isInertialSilent == true)
        let silent = watched.reported
        watched.gpsd.say(Recorded.inertial)
        #expect(Self.eventually { watched.reported > silent })
        #expect(watched.state.receivers.first?.isInertialSilent == false)
    }

    @Test func `a subscriber that comes later receives the current state`() throws {
        let watched = try Watched()
        try watched.say(Recorded.report(second: 56)) { $0.latest != nil }
        let received = Mutex<[(GPSDState, TPV?)]>([])
        let number = watched.driver.client.subscribe { state, report in received.withLock { $0.append((state, report)) }
        }
        let first = received.withLock { $0.first }
        #expect(first?.0.receivers.first?.status?.availability == .available && first?.1 == nil)
        try watched.say(Recorded.report(second: 57)) { $0.latest?.report.time == Self.later }
        #expect(received.withLock { $0.contains { $0.1?.time == Self.later } })
        watched.driver.client.unsubscribe(number)
    }

    @Test func `the client connects again after gpsd was restarted`() throws {
        let watched = try Watched()
        try watched.say(Recorded.report(second: 56)) { $0.status?.availability == .available }
        watched.gpsd.restart(down: true)
        #expect(Self.eventually { watched.state.failure != nil && watched.state.receivers.isEmpty })
        #expect(try watched.probe() == nil)
        let before = watched.reported
        watched.gpsd.restart(down: false)
        #expect(Self.eventually { watched.gpsd.isWatched })
        try watched.say(Recorded.report(second: 56)) { $0.status?.availability == .available }
        #expect(try watched.probe()?.availability == .available)
        #expect(watched.gpsd.connections == 2 && watched.reported > before)
    }

    @Test(.waits) func `a gpsd that stops answering is replaced by a new connection`() throws {
        let watched = try Watched(criteria: FixCriteria(maximumAge: .seconds(0.2)))
        watched.gpsd.mute()
        try watched.say(Recorded.report(second: 56)) { $0.latest != nil }
        #expect(Self.eventually { watched.gpsd.connections == 2 })
    }

    @Test func `a device that gpsd adds is found by a new connection`() throws {
        let watched = try Watched()
        watched.gpsd.say(#"{"class":"DEVICE","path":"/dev/ttyACM1","activated":"2026-11-21T11:21:54.542Z"}"#)
        #expect(Self.eventually { watched.gpsd.connections == 2 })
    }

    @Test func `reports after the list of devices in one frame are not lost`() throws {
        var connection = GPSDConnection(
            FakeChannel { _ in [Array("\(Recorded.open)\n\(Recorded.report(second: 56))\n".utf8)] })
        let world = FakeWorld()
        let address = GPSDAddress(HostPort(host: "127.0.0.1", port: 2947), world: world)
        let end = world.now().advanced(bySeconds: 2)
        guard case .answered = DeviceListResponse.ask(&connection, at: address, in: world, until: end) else {
            Issue.record("gpsd did not answer")
            return
        }
        guard case .report? = try connection.listen(until: end).first else {
            Issue.record("the report was lost")
            return
        }
    }

    @Test func `after a first fix the client does not wait for another`() throws {
        let peer = HostPort(host: "127.0.0.1", port: 2947)
        let client = GPSDClient(peer, criteria: FixCriteria(), isPatient: true)
        let world = scripted(
            TimedChannel(reports: [(0.5, Recorded.noFix), (1, Recorded.noFix), (2, Recorded.report(second: 56))]))
        let end = world.now().advanced(bySeconds: 60)
        let monitor = try ChangeMonitor(.sample) { _ in }
        client.connect(to: GPSDAddress(peer, world: world), in: world, monitor, until: end)
        let (state, at) = client.decide(0, in: world, until: end)
        #expect(state.receivers.first?.status?.availability == .available && at < end)
    }
}
