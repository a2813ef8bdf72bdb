import DriverKit
import Readiness
import Support
import SystemPackage
import Testing
@testable import IIO

@Suite struct RemoteTests {
    static let uri = "ip:bench-07"
    static let xml = """
        <?xml version="1.0" encoding="utf-8"?><!DOCTYPE context [<!ELEMENT context (device | context-attribute)*>\
        <!ATTLIST channel id CDATA #REQUIRED type (input|output) #REQUIRED name CDATA #IMPLIED>]>\
        <context name="network" description="a &amp; b"><context-attribute name="uri" value="local:" />\
        <device id="iio:device0" name="mpu&lt;6050&#x3e;" label="base" >\
        <channel id="accel_x" type="input" ><scan-element index="0" format="be:S16/16&gt;&gt;0" scale="0.5" />\
        <attribute name="raw" filename="in_accel_x_raw" /><attribute name="scale" filename="in_accel_scale" /></channel>\
        <channel id="accel_y" type="input" ><attribute name="raw" filename="in_accel_y_raw" />\
        <attribute name="scale" filename="in_accel_scale" /></channel>\
        <channel id="anglvel_z" type="input" ><attribute name="raw" filename="in_anglvel_z_raw" />\
        <attribute name="scale" filename="in_anglvel_scale" /></channel>\
        <channel id="steps" type="input"><attribute name="input"/><attribute name="en"/></channel>\
        <attribute name="in_mount_matrix" /><buffer-attribute name="data_available" /></device>\
        <device id="trigger0" name="t"></device></context>
        """

    static let values = [
        "xml": xml, "read iio:device0 in:accel_x raw": "10\n", "read iio:device0 in:accel_y raw": "20",
        "read iio:device0 in:accel_x scale": "0.5", "read iio:device0 in:anglvel_z raw": "4",
        "read iio:device0 in:anglvel_z scale": "0.25", "read iio:device0 in:steps input": "7",
        "read iio:device0 in:steps en": "1", "read iio:device0 - in_mount_matrix": "1, 0, 0; 0, -1, 0; 0, 0, 1",
    ]

    static func world(
        _ values: [String: String], _ channels: @escaping @Sendable (FakeChannel) -> Void = { _ in }
    ) -> FakeWorld {
        var world = FakeWorld()
        world.channels[.iio(uri: uri)] = {
            let channel = FakeChannel { frame in
                values[String(decoding: frame, as: UTF8.self)].map { [Array($0.utf8)] } ?? []
            }
            channels(channel)
            return channel
        }
        return world
    }

    @Test func `a remote context is evaluated like a local device`() throws {
        let probe = try DriverHarness(RemoteIIODriver(uri: Self.uri), Self.world(Self.values))
        #expect(probe.sensors.map(\.kind) == [.accelerometer, .gyroscope, .stepCounter])
        #expect(probe.sensors.allSatisfy { $0.key == "ip:bench-07!iio:device0" && $0.access == .readable })
        #expect(probe.sensors.allSatisfy { $0.name == "mpu<6050>" && $0.label == "base" && $0.driver == Self.uri })
        #expect(
            probe.first(.accelerometer)?.axes == AxesReading(x: 5, y: -10, z: nil, unit: .metresPerSecondSquared))
        // Its y and x need nothing that it lacks.
        #expect(probe.first(.gyroscope)?.axes == AxesReading(x: nil, y: nil, z: 1, unit: .radiansPerSecond))
        #expect(probe.first(.stepCounter)?.reading == .steps(7))
        #expect(probe.enumeration.access == .readable && probe.enumeration.state == .ok)
        #expect(probe.enumeration.searched == Evidence(path: Self.uri, said: "1 IIO device: mpu<6050>"))
    }

    @Test func `every query is sent once, over one connection`() throws {
        nonisolated(unsafe) var channels: [FakeChannel] = []
        let world = Self.world(Self.values) { unsafe channels.append($0) }
        _ = try DriverHarness(RemoteIIODriver(uri: Self.uri), world)
        let sent = unsafe channels.map { $0.sent.map { String(decoding: $0, as: UTF8.self) } }
        #expect(sent.count == 1)
        #expect(Set(sent[0]).count == sent[0].count - 1, "only the shared matrix is asked for by both halves")
    }

    @Test func `the sampling frequency of a remote sensor is reported`() throws {
        var values = Self.values
        let scale = "<attribute name=\"scale\" filename=\"in_anglvel_scale\" />"
        let own = "<attribute name=\"sampling_frequency\" filename=\"in_anglvel_sampling_frequency\" />"
        let shared = "<attribute name=\"in_mount_matrix\" />"
        values["xml"] = Self.xml.replacing(scale, with: scale + own)
            .replacing(shared, with: shared + "<attribute name=\"sampling_frequency\" />")
        values["read iio:device0 in:anglvel_z sampling_frequency"] = "400.000000\n"
        values["read iio:device0 - sampling_frequency"] = "25\n"
        let probe = try DriverHarness(RemoteIIODriver(uri: Self.uri), Self.world(values))
        #expect(probe.sensors.map(\.detail) == ["25 Hz", "400 Hz", nil])
        // A peer that stops answering there costs only the frequency.
        values["read iio:device0 - sampling_frequency"] = nil
        let mute = try DriverHarness(RemoteIIODriver(uri: Self.uri), Self.world(values))
        #expect(mute.sensors.map(\.detail) == [nil, "400 Hz", nil])
        #expect(mute.sensors.map(\.availability) == probe.sensors.map(\.availability))
    }

    @Test(arguments: [(5, Cause.indeterminate), (600, .silent)])
    func `a slow sensor that had less than twice its time is not silent`(seconds: Double, cause: Cause) throws {
        var values = Self.values
        let shared = "<attribute name=\"in_mount_matrix\" />"
        values["xml"] = Self.xml.replacing(shared, with: shared + "<attribute name=\"sampling_frequency\" />")
        values["read iio:device0 - sampling_frequency"] = "0.1\n"
        values["read iio:device0 in:accel_x raw"] = nil
        let deadline = Instant.now.advanced(bySeconds: seconds)
        let session = try RemoteIIODriver(uri: Self.uri).open(Self.world(values), until: deadline)
        let candidates = try session.enumeration(.sample, until: deadline).candidates
        let candidate = try #require(candidates.first { $0.sensor.kind == .accelerometer })
        let time = try #require(session.readingTime(of: candidate, until: deadline))
        let sensor = session.look(at: candidate, .sample, until: deadline).sensor
        #expect(sensor.availability == .unavailable(cause))
        #expect(sensor.detail?.contains(time.reason) == (cause == .indeterminate))
    }

    @Test(arguments: [(79, true), (80, false)])
    func `a reading of more than a twentieth of a second is told`(hertz: Int, isTold: Bool) throws {
        var values = Self.values
        let scale = "<attribute name=\"scale\" filename=\"in_anglvel_scale\" />"
        let own = "<attribute name=\"sampling_frequency\" filename=\"in_anglvel_sampling_frequency\" />"
        values["xml"] = Self.xml.replacing(scale, with: scale + own)
        values["read iio:device0 in:anglvel_z sampling_frequency"] = "\(hertz)\n"
        let deadline = Instant.now.advanced(bySeconds: 5)
        let session = try RemoteIIODriver(uri: Self.uri).open(Self.world(values), until: deadline)
        let candidates = try session.enumeration(.sample, until: deadline).candidates
        // Four samples of its one axis.
        let candidate = try #require(candidates.first { $0.sensor.kind == .gyroscope })
        #expect((session.readingTime(of: candidate, until: deadline) != nil) == isTold)
    }

    @Test func `bits outside the described format are faulty`() throws {
        var values = Self.values
        values["read iio:device0 in:accel_x raw"] = "32768"
        let probe = try DriverHarness(RemoteIIODriver(uri: Self.uri), Self.world(values))
        #expect(probe.first(.accelerometer)?.availability == .unavailable(.faulty))
    }

    @Test func `a peer that stops answering affects the current sensor, others get a new connection`() throws {
        var values = Self.values
        values["read iio:device0 in:accel_x raw"] = nil
        let probe = try DriverHarness(RemoteIIODriver(uri: Self.uri), Self.world(values))
        #expect(probe.first(.accelerometer)?.availability == .unavailable(.silent))
        #expect(probe.first(.gyroscope)?.availability == .available)
    }

    @Test(arguments: [
        (DriverError(errno: .connectionRefused, subject: uri), Cause.unreachable, DriverReport.State.failed),
        (DriverError(.timedOut, subject: uri), .unreachable, .timedOut),
        (DriverError(.closed, subject: uri), .unreachable, .failed),
        (DriverError(.unsupported, subject: uri, detail: "libiio is not installed"), .indeterminate, .unavailable),
        (DriverError(errno: .permissionDenied, subject: uri), .denied, .failed),
        (DriverError(errno: .notPermitted, subject: uri), .denied, .failed),
        (DriverError(.notRecorded, subject: uri), .indeterminate, .failed),
        (DriverError(.malformed, subject: uri), .indeterminate, .failed),
        (DriverError(.cancelled, subject: uri), .indeterminate, .failed),
    ])
    func `a context that does not open is an obstacle for each kind`(
        error: DriverError, cause: Cause, state: DriverReport.State
    ) throws {
        let probe = try DriverHarness(
            RemoteIIODriver(uri: Self.uri), ListeningWorld(world: FakeWorld(), refusal: error))
        #expect(probe.enumeration.obstacles.map(\.kind) == [.accelerometer, .gyroscope, .stepCounter])
        #expect(
            probe.enumeration.obstacles.allSatisfy { $0.cause == cause && $0.remedy != nil && !$0.evidence.isEmpty })
        #expect(probe.enumeration.state == state)
        #expect(probe.enumeration.access == (error.isDenied ? .denied : .unknown))
        #expect((probe.enumeration.accessRemedy != nil) == error.isDenied && probe.enumeration.accessEvidence != nil)
        #expect(probe.enumeration.searched == nil)
    }

    @Test(arguments: ["usb:1.5.0", "serial:/dev/ttyUSB0"])
    func `a context is opened to the user whose rights are evaluated`(uri: String) throws {
        var world = FakeWorld()
        world.user = Account(user: 1001, groups: [1001], loginGroups: [1001])
        world.add("/proc/self/status", "Uid:\t0\t0\t0\t0\n")
        let error = DriverError(errno: .permissionDenied, subject: uri)
        let probe = try DriverHarness(RemoteIIODriver(uri: uri), ListeningWorld(world: world, refusal: error))
        #expect(probe.enumeration.accessRemedy?.hasPrefix("sudo setfacl -m \"u:$(id -un 1001):rw\" /dev/") == true)
    }

    @Test(arguments: [
        ("usb:1.5.0", "sudo setfacl -m \"u:$(id -un):rw\" /dev/bus/usb/001/005 "),
        ("usb:", "sudo apt-get install libiio-utils && "), ("usb:x.y", "sudo apt-get install libiio-utils && "),
        ("xml:rigs/a b.xml", "sudo chmod a+r 'rigs/a b.xml'"), ("ip:bench-07", "sudo nft list ruleset "),
    ])
    func `a context that the operating system refuses is denied, with a remedy`(
        uri: String, remedy: String
    ) throws {
        let error = DriverError(errno: .permissionDenied, subject: uri)
        let probe = try DriverHarness(RemoteIIODriver(uri: uri), ListeningWorld(world: FakeWorld(), refusal: error))
        #expect(probe.enumeration.access == .denied && probe.enumeration.accessEvidence?.errno == "EACCES")
        #expect(probe.enumeration.accessRemedy?.hasPrefix(remedy) == true)
        #expect(
            probe.enumeration.obstacles.allSatisfy {
                $0.cause == .denied && $0.remedy == probe.enumeration.accessRemedy
            })
        #expect(try RemedyTests.canBeTyped(probe.enumeration.accessRemedy ?? "("))
    }

    @Test(arguments: [
        "", "<", "<context", "<context></device>", "not xml", "<context a='&bomb;'/>", "<other/>",
        "<context/><context/>",
    ])
    func `an invalid description is reported with the place`(text: String) throws {
        var values = Self.values
        values["xml"] = text
        let probe = try DriverHarness(RemoteIIODriver(uri: Self.uri), Self.world(values))
        #expect(probe.enumeration.obstacles.count == 3)
        #expect(probe.enumeration.obstacles.allSatisfy { $0.cause == .indeterminate && $0.detail.contains("at byte") })
    }

    @Test func `nesting, values and counts are bounded`() {
        let deep = "<context>" + String(repeating: "<a>", count: 9)
        #expect(throws: DriverError.self) { try ContextDescription(parsing: Array(deep.utf8), of: Self.uri) }
        let long = "<context name=\"" + String(repeating: "x", count: 5000) + "\"/>"
        #expect(throws: DriverError.self) { try ContextDescription(parsing: Array(long.utf8), of: Self.uri) }
        let many = "<context>" + String(repeating: "<device id=\"iio:device0\"/>", count: 1025) + "</context>"
        #expect(throws: DriverError.self) { try ContextDescription(parsing: Array(many.utf8), of: Self.uri) }
    }

    @Test func `requests are parsed from their frames, and other frames are not requests`() throws {
        for request in [
            RemoteRequest.description, .read(device: "iio:device0", .init(name: "label")),
            .read(device: "iio:device1", .init(channel: "accel_x", name: "raw")),
            .read(device: "iio:device1", .init(channel: "voltage0", isOutput: true, name: "raw")),
        ] {
            #expect(try RemoteRequest(request.frame, to: Self.uri) == request)
        }
        for frame in ["", "xml ", "read a b c", "read  - c", "read a - c d", "write a - c"] {
            #expect(throws: DriverError.self) { try RemoteRequest(Array(frame.utf8), to: Self.uri) }
        }
    }

    @Test(
        arguments: [
            ("ip:host", "host", 30431), ("ip:host:99", "host", 99), ("ip:fe80::1", "fe80::1", 30431),
            ("ip:[fe80::1]:99", "fe80::1", 99), ("ip:[fe80::1]", "fe80::1", 30431),
        ] as [(String, String, UInt16)])
    func `an address is parsed as libiio parses it`(uri: String, host: String, port: UInt16) {
        #expect(HostPort(context: uri) == HostPort(host: host, port: port))
    }

    @Test(arguments: ["ip:", "usb:1.2.3", "ip:host:", "ip:host:99999", "ip:[::1]x"])
    func `an invalid address is refused`(uri: String) { #expect(HostPort(context: uri) == nil) }

    @Test func `a device whose name a request cannot hold makes the description malformed`() throws {
        func description(_ length: Int) throws -> ContextDescription {
            let id = "iio:device" + String(repeating: "0", count: length - 10)
            let xml = "<context><device id=\"\(id)\"></device></context>"
            return try ContextDescription(parsing: Array(xml.utf8), of: Self.uri)
        }
        #expect(try description(128).devices.map(\.id.utf8.count) == [128])
        #expect(throws: DriverError.self) { try description(129) }
    }

    @Test func `a second context is an error at the beginning`() {
        let error = #expect(throws: DriverError.self) {
            try ContextDescription(parsing: Array("<context></context><context></context>".utf8), of: Self.uri)
        }
        #expect(error?.reason == "its description cannot be read: two contexts at byte 0")
    }
}
