import DriverKit
import Measurement
import Readiness
import Support
import SystemPackage
import Testing
@testable import GPSD

/// One gpsd as the probe, the watch, the apps' locations and the measurement see it.
@Suite struct AgreementTests {
    /// What a measurement of a receiver comes to.
    enum Measured: Sendable, Equatable {
        case positions, reportsWithoutPosition, nothing
        /// It ended before its time, or did not begin.
        case fault
    }
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var devices = Recorded.open
        /// gpsd's devices once it is watched, if they are others.
        var listing: String?
        var poll = Recorded.emptyPoll
        var reports: [(Double, String)] = []
        var seconds = 12.0
        var availability: Availability
        /// Whether an app gets a position.
        var isLocated: Bool
        /// Whether an app is told why it has none; the first report may not be due yet.
        var isTold = true
        var measured: Measured

        var testDescription: String { name }
        var channel: TimedChannel { TimedChannel(devices, listing: listing, poll: poll, reports: reports) }
    }

    private static func fix(_ second: Int, lat: String = "52.5", _ more: String = "", mode: Int = 3) -> String {
        Recorded.report(mode: mode, second: second, lat: lat, more: more)
    }
    /// A report each second from the first on.
    private static func each(_ seconds: ClosedRange<Int> = 1...12, _ line: (Int) -> String) -> [(Double, String)] {
        seconds.map { (Double($0), line($0)) }
    }
    private static func sky(used: Int) -> String {
        #"{"class":"SKY","device":"/dev/ttyACM0","nSat":9,"uSat":\#(used)}"#
    }
    private static let closing = #"{"class":"DEVICE","path":"/dev/ttyACM0","activated":0}"#
    private static let slow = Recorded.open.replacing(#""cycle":1.00"#, with: #""cycle":8.00"#)

    static let cases: [Case] = [
        Case(
            name: "a fix each second", reports: each { fix(20 + $0) }, availability: .available, isLocated: true,
            isTold: false,
            measured: .positions),
        Case(
            name: "a 2D fix each second", reports: each { fix(20 + $0, mode: 2) }, availability: .available,
            isLocated: true, isTold: false, measured: .positions),
        Case(
            name: "a simulated fix", reports: each { fix(20 + $0, #","status":8"#) }, availability: .available,
            isLocated: true, isTold: false, measured: .positions),
        Case(
            name: "no fix", reports: each { _ in Recorded.noFix }, availability: .unavailable(.noFix),
            isLocated: false, measured: .reportsWithoutPosition),
        Case(
            name: "a mode without a position",
            reports: each { _ in #"{"class":"TPV","device":"/dev/ttyACM0","mode":3}"# },
            availability: .unavailable(.noFix), isLocated: false, measured: .reportsWithoutPosition),
        Case(
            name: "a place that is not on Earth", reports: each { fix(20 + $0, lat: "91") },
            availability: .unavailable(.faulty), isLocated: false, measured: .reportsWithoutPosition),
        // gpsd_json(5): TPV's time is that of the fix, so a time that stands still is one fix sent again.
        Case(
            name: "the same fix again and again", poll: Recorded.poll(fix(55), at: "2026-11-21T11:21:58.000Z"),
            reports: each { _ in fix(55) }.map { ($0 + 0.1, $1) },
            availability: .unavailable(.stale), isLocated: false, measured: .positions),
        // gpsd_json(5): SKY's uSat is the number of satellites used in the navigation solution.
        Case(
            name: "a fix that uses no satellite",
            reports: each { $0 % 2 == 1 ? sky(used: 0) : fix(20 + $0) }, availability: .unavailable(.faulty),
            isLocated: false, measured: .positions),
        Case(name: "silence", availability: .unavailable(.silent), isLocated: false, measured: .nothing),
        Case(
            name: "silence within a slow cycle", devices: slow, seconds: 7, availability: .unavailable(.indeterminate),
            isLocated: false, isTold: false, measured: .nothing),
        Case(
            name: "silence after a slow cycle", devices: slow, seconds: 18, availability: .unavailable(.silent),
            isLocated: false, measured: .nothing),
        Case(
            name: "silence after being opened", devices: Recorded.closed, listing: Recorded.open,
            availability: .unavailable(.indeterminate), isLocated: false, measured: .nothing),
        Case(
            name: "no fix after being opened", devices: Recorded.closed, listing: Recorded.open,
            reports: each { _ in Recorded.noFix }, availability: .unavailable(.indeterminate), isLocated: false,
            measured: .reportsWithoutPosition),
        Case(
            name: "a receiver that gpsd closes", reports: [(1, closing)], availability: .unavailable(.faulty),
            isLocated: false, measured: .fault),
    ]

    private static let peer = HostPort(host: "127.0.0.1", port: 2947)

    private func world(_ channel: TimedChannel) -> FakeWorld {
        var world = scripted(channel)
        world.nodes[Recorded.path] = NodeStatus(owner: 0, group: 20, mode: 0o660, readable: true)
        return world
    }

    /// What a watch reads until the time is over or the receiver is closed, which makes it connect again.
    private struct Followed {
        var last = GPSDState()
        var positions = 0
        var reasons: [String] = []

        init(_ channel: TimedChannel, in world: FakeWorld, seconds: Double) throws {
            let monitor = try ChangeMonitor(.sample) { _ in }
            let end = channel.now.advanced(bySeconds: seconds)
            var found: (last: GPSDState, positions: Int, reasons: [String]) = (GPSDState(), 0, [])
            GPSDClient.follow(AgreementTests.peer, in: world, monitor) { state, message in
                guard channel.now <= end, !monitor.isCancelled else { return monitor.cancel() }
                found.last = state
                if state.position(in: message) != nil { found.positions += 1 }
                if let absence = state.absence { found.reasons.append(absence.reason) }
                if state.failure != nil || state.receivers.contains(where: \.isDropped) { monitor.cancel() }
            }
            (last, positions, reasons) = found
        }
    }

    private func measured(_ series: SensorSeries?) -> (measured: Measured, reason: String?) {
        guard case .position(let series)? = series else { return (.fault, nil) }
        if case .unmeasured(let reason, _) = series.method { return (.fault, reason) }
        if let fault = series.fault { return (.fault, fault) }
        if series.positions.isEmpty { return (.nothing, nil) }
        return (series.positions.contains(where: \.hasPlace) ? .positions : .reportsWithoutPosition, nil)
    }

    private func series(in world: FakeWorld, seconds: Double) throws -> SensorSeries? {
        let sensor = Sensor(
            key: "receiver", kind: .locationReceiver, name: "u-blox", driver: "gpsd", path: Recorded.path)
        let meter = try #require(ReceiverMeter(for: [sensor], at: Self.peer))
        let period = MeasuringPeriod(seconds: seconds, rate: nil, capacity: 100, wait: { _ in false }, report: { _ in })
        return meter.series(in: world, during: period).first
    }

    @Test(arguments: cases)
    func `a receiver is judged alike by all that look at it`(_ expected: Case) throws {
        let probe = try DriverHarness(expected.channel, seconds: expected.seconds, hasNode: true)
        #expect(probe.sensor?.availability == expected.availability)
        let channel = expected.channel
        let followed = try Followed(channel, in: world(channel), seconds: expected.seconds)
        let status = try #require(followed.last.receivers.first?.status)
        #expect(status.availability == expected.availability)
        #expect((followed.positions > 0) == expected.isLocated && followed.reasons.isEmpty != expected.isTold)
        if expected.isTold {
            #expect(followed.reasons.last == "receiver \(Recorded.path): \(status.detail ?? "")")
            #expect(followed.last.absence?.remedies == status.remedies && !status.remedies.isEmpty)
        }
        let measured = measured(try series(in: world(expected.channel), seconds: expected.seconds))
        #expect(measured.measured == expected.measured)
        if expected.measured == .fault { #expect(measured.reason == status.detail) }
    }

    /// An error of connecting; a type, since the compiler (6.3.1) crashes on a closure with a typed throw here.
    private struct Refusal: Sendable {
        var errno: Errno
        func open() throws(DriverError) -> any Channel {
            throw DriverError(errno: errno, subject: local.description)
        }
    }

    @Test func `a gpsd that does not answer is reported alike by all that ask it`() throws {
        var worlds: [(FakeWorld, Cause?)] = []
        for errno in [Errno.connectionRefused, .permissionDenied] {
            var world = FakeWorld()
            world.channels[local] = Refusal(errno: errno).open
            worlds.append((world, errno == .connectionRefused ? .unreachable : .indeterminate))
        }
        for answer in [#"{"class":"ERROR","message":"no"}"#, #"{"class":"OTHER"}"#] {
            worlds.append((scripted(TimedChannel(answer)), .unreachable))
        }
        for isClosed in [true, false] {
            var world = FakeWorld()
            let garbage = isClosed ? [] : [Array(String(repeating: "garbage\n", count: 20).utf8)]
            world.channels[local] = { FakeChannel(ends: isClosed) { _ in garbage } }
            worlds.append((world, .unreachable))
        }
        for (world, cause) in worlds {
            let obstacle = try #require(try DriverHarness(world).enumeration.obstacles.first)
            #expect(obstacle.cause == cause)
            var state: GPSDState?
            let monitor = try ChangeMonitor(.sample) { _ in }
            GPSDClient.follow(Self.peer, in: world, monitor) { read, _ in
                state = read
                monitor.cancel()
            }
            #expect(state?.absence?.reason == obstacle.detail)
            #expect(state?.absence?.remedies.isEmpty == false && state?.absence?.remedies == obstacle.remedies)
            let measured = measured(try series(in: world, seconds: 1))
            #expect(measured.measured == .fault && measured.reason == obstacle.detail)
        }
    }

    @Test func `of several receivers the one that reports says why there is no position`() throws {
        func device(_ path: String) -> String {
            #"{"class":"DEVICE","path":"\#(path)","driver":"NMEA0183","activated":"2026-11-21T11:21:54.5Z"}"#
        }
        let devices = #"{"class":"DEVICES","devices":[\#(device("/dev/a")),\#(device("/dev/b"))]}"#
        let noFix = Recorded.noFix.replacing("/dev/ttyACM0", with: "/dev/b")
        let fix = Self.fix(40).replacing("/dev/ttyACM0", with: "/dev/b")
        let lacking = TimedChannel(devices, reports: Self.each { _ in noFix })
        let followed = try Followed(lacking, in: scripted(lacking), seconds: 12)
        #expect(followed.reasons.first?.hasPrefix("receiver /dev/b: the receiver has no fix") == true)
        #expect(followed.last.absence?.remedies == ReceiverRemedies.sky)
        // One with a position is enough.
        let good = TimedChannel(
            devices, reports: Self.each { $0 < 3 ? noFix : fix.replacing(":40.", with: ":\(40 + $0).") })
        let located = try Followed(good, in: scripted(good), seconds: 12)
        #expect(located.positions == 10 && located.last.absence == nil)
    }
}
