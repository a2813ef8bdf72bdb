import DriverKit
import GPSD
import Readiness
import Support
import SystemPackage
import Testing

let local = Endpoint.gpsd(host: "127.0.0.1", port: 2947)

/// A world with a scripted gpsd.
func scripted(_ channel: TimedChannel) -> FakeWorld {
    var world = FakeWorld()
    world.clock = { channel.now }
    world.channels[local] = { channel }
    return world
}

/// A connection that fails; a type, since the compiler (6.3.1) crashes on a closure that only throws a typed error.
private struct Refusal: Sendable {
    let error: DriverError
    func open() throws(DriverError) -> any Channel { throw error }
}

/// From a missing gpsd to one that answers.
@Suite struct LadderTests {
    private func probe(_ channel: FakeChannel, _ depth: Depth = .state) throws -> DriverHarness {
        var world = FakeWorld()
        world.channels[local] = { channel }
        return try DriverHarness(world, depth, seconds: 5)
    }

    @Test func `a refused connection is unreachable with its errno`() throws {
        let probe = try DriverHarness(FakeWorld())
        let obstacle = try #require(probe.enumeration.obstacles.first)
        #expect(obstacle.cause == .unreachable && obstacle.evidence.first?.errno == "ECONNREFUSED")
        #expect(obstacle.evidence.first?.path == "127.0.0.1:2947")
        #expect(probe.enumeration.candidates.isEmpty && probe.enumeration.access == .unknown)
    }

    @Test(arguments: [Errno.permissionDenied, .notPermitted])
    func `a forbidden connection is denied`(_ errno: Errno) throws {
        var world = FakeWorld()
        world.channels[local] = Refusal(error: DriverError(errno: errno, subject: "gpsd")).open
        let enumeration = try DriverHarness(world).enumeration
        #expect(enumeration.access == .denied && enumeration.accessEvidence?.errno == errno.name)
        #expect(enumeration.accessRemedy?.contains("127.0.0.1:2947") == true)
        #expect(enumeration.obstacles.map(\.cause) == [.indeterminate])
    }

    @Test func `a missing recorded answer is not unreachable`() throws {
        var world = FakeWorld()
        world.channels[local] = Refusal(error: DriverError(.notRecorded, subject: "gpsd")).open
        #expect(try DriverHarness(world).enumeration.obstacles.map(\.cause) == [.indeterminate])
    }

    @Test(arguments: Recorded.greetings)
    func `every protocol version is accepted`(_ greeting: String) throws {
        let channel = FakeChannel(greeting: [Array("\(greeting)\r\n".utf8)]) { _ in
            [Array("\(Recorded.unknown)\r\n\(Recorded.open)\r\n".utf8)]
        }
        let probe = try probe(channel)
        #expect(probe.enumeration.candidates.map(\.sensor.key) == [Recorded.path])
        #expect(probe.sensor?.availability == .available && probe.sensor?.reading == nil)
        #expect(probe.enumeration.obstacles.isEmpty && probe.enumeration.access == .readable)
        #expect(channel.sent == [Array("?DEVICES;\n".utf8)])
    }

    @Test func `the release is the evidence of access`() throws {
        let enumeration = try DriverHarness(TimedChannel(), .state).enumeration
        #expect(enumeration.accessEvidence?.said == "gpsd release 3.22 answered at 127.0.0.1:2947")
    }

    @Test func `a receiver that is not activated is available at depth state`() throws {
        let channel = TimedChannel(Recorded.closed)
        #expect(try DriverHarness(channel, .state).sensor?.availability == .available)
        #expect(!channel.sent.contains { $0.contains("WATCH") })
    }

    @Test func `gpsd without a device is a completed listing`() throws {
        let enumeration = try DriverHarness(TimedChannel(Recorded.noDevices)).enumeration
        #expect(enumeration.candidates.isEmpty && enumeration.obstacles.isEmpty && enumeration.access == .readable)
        #expect(enumeration.searched?.path == "127.0.0.1:2947")
        #expect(enumeration.searched?.said == "gpsd 3.22 lists no device; the kernel shows no receiver")
    }

    @Test func `devices that are not receivers are counted as searched`() throws {
        let devices = #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/pps0"}]}"#
        let enumeration = try DriverHarness(TimedChannel(devices)).enumeration
        #expect(
            enumeration.searched?.said == "gpsd 3.22 lists no receiver among 1 devices; the kernel shows no receiver")
        #expect(
            try DriverHarness(TimedChannel()).enumeration.searched?.said
                == "gpsd 3.22 lists 1 of 1 devices as receivers; the kernel shows no receiver")
    }

    @Test func `nothing was searched if gpsd was not asked`() throws {
        #expect(try DriverHarness(FakeWorld()).enumeration.searched == nil)
        #expect(try DriverHarness(TimedChannel(), .presence).enumeration.searched == nil)
    }

    @Test func `a very short time is still used`() throws {
        let probe = try DriverHarness(TimedChannel(reports: [(0.01, Recorded.report())]), seconds: 0.04)
        #expect(probe.sensor?.availability == .available)
    }

    @Test func `the driver asks for the time that a fix may take`() {
        #expect(GPSDDriver(waitForFix: 60).patience == .seconds(60))
        #expect(GPSDDriver().patience == .seconds(0))
        #expect(GPSDDriver(waitForFix: -.infinity).patience == .seconds(0))
    }

    @Test func `nothing is asked at depth presence`() throws {
        let channel = TimedChannel()
        let enumeration = try DriverHarness(channel, .presence).enumeration
        #expect(channel.sent.isEmpty && enumeration.candidates.isEmpty)
        #expect(enumeration.obstacles.map(\.cause) == [.indeterminate] && enumeration.access == .unknown)
    }

    @Test func `answers may be split at every byte`() throws {
        let stream = Array("\(Recorded.greetings[1])\r\n\(Recorded.open)\r\n".utf8)
        for cut in 1..<stream.count {
            let channel = FakeChannel(greeting: [Array(stream[..<cut])]) { _ in [Array(stream[cut...])] }
            #expect(try probe(channel).enumeration.candidates.count == 1)
        }
    }

    @Test func `garbage around the answers is skipped`() throws {
        var junk = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
        junk += Array("\n\u{0}\n{\"class\":\n".utf8) + [0xff, 0xfe, 0x0a]
        let channel = FakeChannel(greeting: [junk]) { _ in [Array("\(Recorded.open)\n".utf8)] }
        #expect(try probe(channel).enumeration.candidates.count == 1)
    }

    @Test(arguments: ["SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 400 Bad Request\r\n\r\n<html>", "{}\n[1]\n", "half a line"])
    func `another server is not gpsd`(_ words: String) throws {
        for ends in [true, false] {
            let obstacle = try probe(FakeChannel(greeting: [Array(words.utf8)], ends: ends)).enumeration.obstacles.first
            #expect(obstacle?.cause == .unreachable && obstacle?.detail.contains("is not gpsd") == true)
        }
    }

    @Test func `a peer that sends endless garbage is not waited for`() throws {
        let lines = [[UInt8]](repeating: Array("rubbish\n".utf8), count: 100)
        let channel = FakeChannel(greeting: lines)
        #expect(try probe(channel).enumeration.obstacles.first?.detail.contains("is not gpsd") == true)
        #expect(throws: Never.self) { try channel.receive(limit: 100, until: .now) }
    }

    @Test func `a peer that sends nothing or disconnects is unreachable`() throws {
        #expect(try probe(FakeChannel()).enumeration.obstacles.first?.detail.contains("sends nothing") == true)
        #expect(
            try probe(FakeChannel(ends: true)).enumeration.obstacles.first?.detail.contains("without reply") == true)
        let greeting = [Array("\(Recorded.greetings[1])\n".utf8)]
        #expect(
            try probe(FakeChannel(greeting: greeting)).enumeration.obstacles.first?.detail.contains("does not list")
                == true)
        #expect(
            try probe(FakeChannel(greeting: greeting, ends: true)).enumeration.obstacles.first?.cause == .unreachable)
    }

    @Test func `a gpsd that disconnects while watched is unreachable`() throws {
        let channel = FakeChannel(ends: true) { _ in [Array("\(Recorded.open)\n".utf8)] }
        #expect(try probe(channel, .sample).sensor?.availability == .unavailable(.unreachable))
    }
}
