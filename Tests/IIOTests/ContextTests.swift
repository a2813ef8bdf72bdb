import Support
import DriverKit
import Glibc
import Readiness
import LocalRig
import SystemPackage
import Testing
@testable import IIO

/// The remote driver with the real iiod and with misbehaving peers.
@Suite struct ContextTests {
    private static func inventory(_ uri: String, timeout: Double = 10) throws -> Inventory {
        try Probe([.init(RemoteIIODriver(uri: uri), in: MockRig.world)]).inventory(
            depth: .sample, limit: ProbeLimit(.seconds(timeout)))
    }

    /// Starts iiod over the mock rig and waits until it answers.
    private static func server(_ file: String) throws -> (Child, String) {
        let port = Listener.freePort
        let server = try #require(Child(["umockdev-run", "--device", file, "--", "iiod", "-p", "\(port)"]))
        let uri = "ip:127.0.0.1:\(port)"
        let limit = Instant.now.advanced(bySeconds: 20)
        while (try? openIIOChannel(uri, until: .now.advanced(bySeconds: 1))) == nil {
            try #require(Instant.now < limit, "iiod did not start: \(server.text)")
            usleep(20_000)
        }
        return (server, uri)
    }

    @Test func `iiod's devices are evaluated like local ones, keyed by context`() throws {
        let file = try MockRig.file()
        defer { unsafe unlink(file) }
        let (server, uri) = try Self.server(file)
        let inventory = try Self.inventory(uri)
        #expect(inventory.drivers.map(\.state) == [.ok] && inventory.obstacles.isEmpty, "\(server.text)")
        #expect(inventory.sensors.count == MockRig.expected.count)
        let six = try #require(inventory.sensors.first { $0.key == "\(uri)!iio:device10" && $0.kind == .accelerometer })
        #expect(six.name == "chip10" && six.availability == .available && six.access == .readable)
        #expect(six.detail == "12.5 Hz")
        #expect(six.reading == .axes(AxesReading(x: 5, y: -1, z: 8192, unit: .metresPerSecondSquared)))
        let gyroscope = try #require(inventory.sensors.first { $0.key == "\(uri)!iio:device11" })
        #expect(gyroscope.reading == .axes(AxesReading(x: nil, y: nil, z: 2.75, unit: .radiansPerSecond)))
        let steps = inventory.sensors.filter { $0.kind == .stepCounter }
        #expect(steps.count == 20 && steps.filter { $0.availability == .available }.count == 10)

        // libiio, used for other contexts, gives the same result for this one.
        for request in ["read iio:device10 in:accel_x raw", "read iio:device10 in:accel_x scale"] {
            let deadline = Instant.now.advanced(bySeconds: 5)
            let library = try LibIIOChannel(uri, LibIIO())
            let own = try openIIOChannel(uri, until: deadline)
            try library.send(Array(request.utf8), until: deadline)
            try own.send(Array(request.utf8), until: deadline)
            #expect(
                try library.receive(limit: 4096, until: deadline) == own.receive(limit: 4096, until: deadline))
        }

        // The same context as a file: everything is listed, but nothing can be read from it.
        let channel = try openIIOChannel(uri, until: .now.advanced(bySeconds: 5))
        try channel.send(Array("xml".utf8), until: .now.advanced(bySeconds: 5))
        let xml = try channel.receive(limit: 4 << 20, until: .now.advanced(bySeconds: 5))
        let saved = try MockRig.file(String(decoding: xml, as: UTF8.self))
        defer { unsafe unlink(saved) }
        let still = try Self.inventory("xml:\(saved)")
        #expect(still.sensors.map(\.kind) == inventory.sensors.map(\.kind))
        #expect(still.sensors.allSatisfy { $0.availability == .unavailable(.indeterminate) && $0.reading == nil })
        #expect(still.sensors.allSatisfy { sensor in sensor.evidence.contains { $0.errno == "ENOSYS" } })

        try channel.send(Array("read iio:device0 in:accel_x nothing".utf8), until: .now.advanced(bySeconds: 5))
        let refusal = #expect(throws: DriverError.self) {
            try channel.receive(limit: 4096, until: .now.advanced(bySeconds: 5))
        }
        #expect(refusal?.errno == .noSuchFileOrDirectory)
    }

    @Test func `a server that ends between listing and reading is reported and blocks nothing`() throws {
        let file = try MockRig.file()
        defer { unsafe unlink(file) }
        var server: (Child, String)? = try Self.server(file)
        let uri = try #require(server?.1)
        let deadline = Instant.now.advanced(bySeconds: 5)
        let session = try RemoteIIODriver(uri: uri).open(MockRig.world, until: deadline)
        let candidate = try #require(try session.enumeration(.sample, until: deadline).candidates.first)
        server = nil
        let finding = session.look(at: candidate, .sample, until: deadline)
        #expect(finding.sensor.availability == .unavailable(.unreachable) && finding.sensor.reading == nil)
        #expect(finding.sensor.evidence.last?.said.isEmpty == false)
        // Reconnecting is refused, which is not a fault of the sensor either.
        #expect(session.look(at: candidate, .sample, until: deadline).sensor.availability == .unavailable(.unreachable))
    }

    @Test func `a server that hangs between listing and reading is silent`() throws {
        let file = try MockRig.file()
        defer { unsafe unlink(file) }
        let (server, uri) = try Self.server(file)
        let deadline = Instant.now.advanced(bySeconds: 10)
        let session = try RemoteIIODriver(uri: uri).open(MockRig.world, until: deadline)
        let candidate = try #require(try session.enumeration(.sample, until: deadline).candidates.first)
        server.halt(true)
        // The signal takes a moment: wait until connections get no greeting any more.
        while (try? openIIOChannel(uri, until: .now.advanced(bySeconds: 0.3))) != nil {
            try #require(Instant.now < deadline, "iiod does not halt")
        }
        let finding = session.look(at: candidate, .sample, until: .now.advanced(bySeconds: 0.5))
        #expect(finding.sensor.availability == .unavailable(.silent) && finding.sensor.reading == nil)
        server.halt(false)
        let again = session.look(at: candidate, .sample, until: .now.advanced(bySeconds: 10))
        #expect(again.sensor.availability == .available)
    }

    @Test func `a port without a listener is unreachable`() throws {
        let uri = "ip:127.0.0.1:\(Listener.freePort)"
        let inventory = try Self.inventory(uri)
        #expect(inventory.obstacles.map(\.kind) == [.accelerometer, .gyroscope, .stepCounter])
        for obstacle in inventory.obstacles {
            #expect(obstacle.cause == .unreachable && obstacle.evidence.first?.errno == "ECONNREFUSED")
            #expect(obstacle.remedy?.contains("iiod") == true)
        }
        #expect(inventory.drivers.map(\.name) == [uri] && inventory.drivers.map(\.state) == [.failed])
    }

    @Test func `a peer that accepts and never answers is unreachable at the deadline`() throws {
        let listener = try #require(Listener())
        let inventory = try Self.inventory("ip:127.0.0.1:\(listener.port)", timeout: 0.5)
        #expect(inventory.obstacles.count == 3 && inventory.obstacles.allSatisfy { $0.cause == .unreachable })
        #expect(inventory.obstacles.allSatisfy { $0.detail.contains("did not answer") })
        #expect(inventory.drivers.map(\.state) == [.timedOut])
    }

    @Test(arguments: [("/nonexistent/rig.xml", "ENOENT"), ("/", "EISDIR"), ("", "ENOENT")])
    func `a file that cannot be read is reported as such`(path: String, errno: String) throws {
        let inventory = try Self.inventory("xml:\(path)")
        #expect(inventory.obstacles.count == 3)
        #expect(inventory.obstacles.allSatisfy { $0.cause == .indeterminate && $0.evidence.first?.errno == errno })
    }

    @Test(arguments: ["", "no xml", "<context", "<rig></rig>", "\u{0}\u{1}"])
    func `a file that is not a context is reported with the place`(text: String) throws {
        let file = try MockRig.file(text)
        defer { unsafe unlink(file) }
        let inventory = try Self.inventory("xml:\(file)")
        #expect(inventory.obstacles.count == 3)
        #expect(inventory.obstacles.allSatisfy { $0.cause == .indeterminate && $0.detail.contains("at byte") })
    }
}
