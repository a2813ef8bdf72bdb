import DriverKit
import Glibc
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

        /// The state as a probe receives it.
        var state: GPSDState {
            let known = (try? ChangeMonitor(.sample) { _ in }).flatMap {
                driver.watched.state(in: gpsd.world, $0, until: .now)
            }
            return known ?? GPSDState()
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

    @Test func `each message comes with the state that it led to`() throws {
        let lines = [Recorded.noFix, Recorded.sky, Recorded.report(second: 56), Recorded.report(mode: 1, second: 57)]
        let channel = TimedChannel(reports: lines.enumerated().map { (Double($0) + 1, $1) })
        let monitor = try ChangeMonitor(.sample) { _ in }
        var availabilities: [Availability?] = []
        GPSDClient.follow(HostPort(host: "127.0.0.1", port: 2947), in: scripted(channel), monitor) { state, message in
            guard case .report(let report)? = message else { return }
            #expect(state.receivers.first?.latest?.report == report)
            #expect(state.receivers.first?.evaluatedAt == channel.now)
            availabilities.append(state.receivers.first?.status?.availability)
            if availabilities.count == 3 { monitor.cancel() }
        }
        #expect(availabilities == [.unavailable(.noFix), .available, .unavailable(.noFix)])
    }

    @Test func `a probe that waits for the watch is woken by the state that settles it`() throws {
        let watched = try Watched()
        detach {
            usleep(200_000)
            watched.gpsd.say(Recorded.report(second: 56))
        }
        let monitor = try ChangeMonitor(.sample) { _ in }
        let (world, began) = (watched.gpsd.world, Instant.now)
        let state = watched.driver.watched.state(in: world, monitor, until: began.advanced(bySeconds: 30))
        #expect(state?.receivers.first?.status?.availability == .available && began.seconds(to: .now) < 10)
        // Its own monitor is not over: the probe goes on to ask others.
        #expect(!monitor.isCancelled && !monitor.end.isWoken)
    }

    @Test func `a probe that waits for the watch is cancelled at any time`() throws {
        let watched = try Watched()
        let monitor = try ChangeMonitor(.sample) { _ in }
        detach {
            usleep(100_000)
            monitor.cancel()
        }
        let began = Instant.now
        let state = watched.driver.watched.state(in: watched.gpsd.world, monitor, until: began.advanced(bySeconds: 60))
        #expect(state?.isSettled == false && began.seconds(to: .now) < 30 && monitor.end.isWoken)
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

    private func client(in world: FakeWorld, isPatient: Bool = false) -> GPSDClient {
        let address = GPSDAddress(HostPort(host: "127.0.0.1", port: 2947), world: world)
        return GPSDClient(at: address, StatusRules(isPatient: isPatient, at: address), in: world)
    }

    @Test func `reports after the list of devices in one frame are not lost`() throws {
        var world = FakeWorld()
        world.channels[local] = {
            FakeChannel { _ in [Array("\(Recorded.open)\n\(Recorded.report(second: 56))\n".utf8)] }
        }
        var client = client(in: world)
        let end = world.now().advanced(bySeconds: 2)
        client.connect(until: end)
        #expect(client.state.failure == nil && client.state.receivers.first?.latest == nil)
        let isRead = client.read(until: end)
        #expect(isRead && client.state.receivers.first?.latest?.report.time != nil)
    }

    @Test func `after a first fix the client does not wait for another`() throws {
        let world = scripted(
            TimedChannel(reports: [(0.5, Recorded.noFix), (1, Recorded.noFix), (2, Recorded.report(second: 56))]))
        let end = world.now().advanced(bySeconds: 60)
        var client = client(in: world, isPatient: true)
        client.connect(until: end)
        let (state, at) = client.decide(0, until: end)
        #expect(state.receivers.first?.status?.availability == .available && at < end)
    }
}
