import DriverKit
import Readiness
import LocalRig
import Support
import SystemPackage
import Testing
@testable import IIO

/// iiod's text protocol, with peers that violate it at various points.
@Suite struct ServerTests {
    private static func inventory(_ uri: String, timeout: Double) throws -> Inventory {
        try Probe([.init(RemoteIIODriver(uri: uri), in: MockRig.world)]).inventory(
            depth: .sample, limit: ProbeLimit(.seconds(timeout)))
    }

    private static var soon: Instant { .now.advanced(bySeconds: 10) }

    /// A conversation whose peer sends these frames, one at a time.
    private static func channel(_ frames: [String], ends: Bool = false) throws -> IIODChannel {
        let line = FakeChannel(greeting: (["0.24.v0.24\n"] + frames).map { Array($0.utf8) }, ends: ends)
        return try IIODChannel(IIODConversation(over: line, RemoteTests.uri), until: soon)
    }

    @Test func `a peer that follows the protocol is read`() throws {
        let server = try #require(ScriptedServer { _ in nil })
        let inventory = try Self.inventory(server.uri, timeout: 10)
        #expect(inventory.sensors.allSatisfy { $0.availability == .available })
        let axes = AxesReading(x: 4, y: 4, z: nil, unit: .metresPerSecondSquared)
        #expect(inventory.sensors.first { $0.kind == .accelerometer }?.reading == .axes(axes))
        #expect(inventory.sensors.first { $0.kind == .stepCounter }?.reading == .steps(2))
        #expect(server.asked.contains("READ iio:device0 INPUT accel_x raw"))
        #expect(server.asked.contains("READ iio:device0 in_mount_matrix"))
        #expect(server.asked.filter { $0.hasSuffix("accel_x raw") }.count == 1)
    }

    @Test(.waits) func `a peer that hangs in the middle of a reading is silent, which affects only that sensor`() throws
    {
        let server = try #require(ScriptedServer { $0.contains("accel_") ? .hang : nil })
        let inventory = try Self.inventory(server.uri, timeout: 8)
        let sensor = try #require(inventory.sensors.first { $0.kind == .accelerometer })
        #expect(sensor.availability == .unavailable(.silent), "\(sensor)")
        #expect(sensor.remedy == "ssh -t 127.0.0.1 'sudo systemctl restart iiod'")
        let others = inventory.sensors.filter { $0.kind != .accelerometer }
        #expect(others.count == 2 && others.allSatisfy { $0.availability == .available })
    }

    @Test(.waits) func `a peer that hangs in the middle of an answer is silent`() throws {
        let server = try #require(ScriptedServer { $0.contains(" accel_y raw") ? .text("30\n12") : nil })
        let sensor = try Self.inventory(server.uri, timeout: 3).sensors.first { $0.kind == .accelerometer }
        #expect(sensor?.availability == .unavailable(.silent))
    }

    @Test func `a peer that ends in the middle of a reading is unreachable, not silent`() throws {
        let server = try #require(ScriptedServer { $0.contains("accel_") ? .close : nil })
        let inventory = try Self.inventory(server.uri, timeout: 10)
        let sensor = try #require(inventory.sensors.first { $0.kind == .accelerometer })
        #expect(sensor.availability == .unavailable(.unreachable) && sensor.remedy?.contains("iiod") == true)
        #expect(inventory.sensors.filter { $0.availability == .available }.count == 2)
    }

    @Test(arguments: ["SSH-2.0-OpenSSH_9.2\r\n", "\n", String(repeating: "1", count: 1000)])
    func `another server is reported with its greeting`(greeting: String) throws {
        let server = try #require(ScriptedServer { _ in .text(greeting) })
        let inventory = try Self.inventory(server.uri, timeout: 10)
        #expect(inventory.obstacles.count == 3)
        #expect(inventory.obstacles.allSatisfy { $0.detail.contains("is not iiod; it answered") })
    }

    @Test func `libiio's own connections report a hanging peer as silent too`() throws {
        let server = try #require(ScriptedServer { $0.contains("accel_y") ? .hang : nil })
        let library = try LibIIO()
        let channel = try LibIIOChannel(server.uri, library)
        try channel.send(Array("read iio:device0 in:accel_x raw".utf8), until: Self.soon)
        #expect(try channel.receive(limit: 64, until: Self.soon) == Array("2".utf8))
        let deadline = Instant.now.advanced(bySeconds: 0.5)
        try channel.send(Array("read iio:device0 in:accel_y raw".utf8), until: deadline)
        let error = #expect(throws: DriverError.self) { try channel.receive(limit: 64, until: deadline) }
        #expect(error?.code == .timedOut && error?.availability == .unavailable(.silent))
    }

    @Test func `answers may be cut anywhere`() throws {
        let text = ScriptedServer.answer("100\0") + "-2\n\r\n" + ScriptedServer.answer("") + ScriptedServer.answer("7")
        for cut in 1..<text.utf8.count {
            let channel = try Self.channel([String(text.prefix(cut)), String(text.dropFirst(cut))])
            #expect(try channel.receive(limit: 64, until: Self.soon) == Array("100".utf8))
            let refusal = #expect(throws: DriverError.self) { try channel.receive(limit: 64, until: Self.soon) }
            #expect(refusal?.code == .refused && refusal?.errno == .noSuchFileOrDirectory)
            #expect(try channel.receive(limit: 64, until: Self.soon) == [])
            #expect(try channel.receive(limit: 64, until: Self.soon) == Array("7".utf8))
        }
    }

    @Test(arguments: ["65\n", "99999999999\n", "-2147483648\n", "x\n", "1 2\n", String(repeating: "0", count: 64)])
    func `an invalid or too long answer is malformed`(text: String) throws {
        let channel = try Self.channel([text])
        let error = #expect(throws: DriverError.self) { try channel.receive(limit: 64, until: Self.soon) }
        #expect(error?.code == .malformed && error?.detail.contains("it answered") == true)
    }

    @Test func `a peer that never ends a line has the deadline`() throws {
        let channel = try Self.channel(Array(repeating: "\n", count: 100_000))
        let error = #expect(throws: DriverError.self) { try channel.receive(limit: 64, until: .now) }
        #expect(error?.code == .timedOut)
    }

    @Test func `the end of the connection is reported as such`() throws {
        let channel = try Self.channel(["30\n12"], ends: true)
        let error = #expect(throws: DriverError.self) { try channel.receive(limit: 64, until: Self.soon) }
        #expect(error?.code == .closed && error?.availability == .unavailable(.unreachable))
    }
}
