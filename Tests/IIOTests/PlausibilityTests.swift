import DriverKit
import Readiness
import Support
import SystemPackage
import Testing
@testable import IIO

/// Values that cannot be true, and chips that do not answer, as the driver reports them.
@Suite struct PlausibilityTests {
    private static let folder = LocalTests.folder

    private func accelerometer(
        _ counts: [String], scale: String = "0.000598", _ more: KeyValuePairs<String, String> = [:]
    ) throws -> (sensor: Sensor, notices: [Notice]) {
        var world = FakeWorld()
        world.add([:])
        world.add("\(Self.folder)/in_accel_scale", scale + "\n")
        for (axis, count) in zip(["x", "y", "z"], counts) {
            world.add("\(Self.folder)/in_accel_\(axis)_raw", count + "\n")
        }
        for (name, text) in more { world.add("\(Self.folder)/\(name)", text + "\n") }
        let probe = try DriverHarness(world)
        return (try #require(probe.first(.accelerometer)), probe.notices)
    }

    @Test func `a sample that cannot be true is faulty, with what was read`() throws {
        let (sensor, _) = try accelerometer(["62", "64497", "65369"], scale: "0.009806650")
        #expect(sensor.availability == .unavailable(.faulty) && sensor.reading == nil)
        #expect(sensor.detail?.contains("unsigned 16-bit wrap-around") == true)
        #expect(sensor.evidence.contains { $0.path == "\(Self.folder)/in_accel_y_raw" && $0.said == "read \"64497\"" })
        #expect(sensor.remedy?.contains("firmware") == true && sensor.remedy?.contains("dmesg") == true)
    }

    @Test func `a bus that reads ones on all axes is faulty, and a reset is the remedy`() throws {
        let (sensor, _) = try accelerometer(["-1", "-1", "-1"])
        #expect(sensor.availability == .unavailable(.faulty))
        #expect(sensor.evidence.filter { $0.said == "read \"-1\"" }.count == 3)
        #expect(sensor.remedy?.contains("wiring") == true && sensor.remedy?.contains("/unbind") == true)
    }

    @Test func `a number outside its signed bits is told as the wrap-around that it looks like`() throws {
        let (sensor, _) = try accelerometer(
            ["62", "64497", "3"], ["scan_elements/in_accel_y_type": "le:s16/16>>0"])
        #expect(sensor.detail?.contains("outside its 16 signed bits") == true)
        #expect(sensor.detail?.contains("unsigned 16-bit wrap-around of -1039") == true)
    }

    @Test(
        arguments: [
            // The widest scale times 32768 is 156.8 m/s²; a hundredth is left for rounding.
            ("32000", "0.0049", "0.000598 0.004785", nil, nil), ("32000", "0.0050", "0.000598 0.004785", nil, .faulty),
            ("32000", "0.0050", "[0.000598 0.0001 0.009]", nil, nil), ("32000", "0.0050", "none", nil, nil),
            ("32000", "0.0050", nil, nil, nil),
            // Its format has more bits, or is not known to have so few.
            ("32000", "0.0050", "0.000598 0.004785", "le:s17/32>>0", nil),
            ("33000", "0.0050", "0.000598 0.004785", nil, nil),
        ] as [(String, String, String?, String?, Cause?)])
    func `the widest range that the driver lists is the bound`(
        count: String, scale: String, list: String?, format: String?, cause: Cause?
    ) throws {
        var world = FakeWorld()
        world.add(["in_accel_x_raw": "1", "in_accel_z_raw": "-2"])
        world.add("\(Self.folder)/in_accel_y_raw", count + "\n")
        world.add("\(Self.folder)/in_accel_scale", scale + "\n")
        if let list { world.add("\(Self.folder)/in_accel_scale_available", list + "\n") }
        if let format { world.add("\(Self.folder)/scan_elements/in_accel_y_type", format + "\n") }
        let sensor = try #require(try DriverHarness(world).first(.accelerometer))
        #expect(sensor.availability == (cause.map { .unavailable($0) } ?? .available))
    }

    @Test func `the list of scales is read for a value beyond every smallest range alone`() throws {
        var world = LocalTests.sixAxis
        world.add("\(Self.folder)/in_accel_scale", "0.000598\n")
        world.add("\(Self.folder)/in_accel_scale_available", "0.000598 0.004785\n")
        let calm = ListeningWorld(world: world)
        _ = try DriverHarness(calm)
        #expect(!calm.log.all.contains { $0.hasSuffix("in_accel_scale_available") })
        world.add("\(Self.folder)/in_accel_scale", "0.004785\n")
        let shaken = ListeningWorld(world: world)
        #expect(try DriverHarness(shaken).first(.accelerometer)?.availability == .available)
        #expect(shaken.log.all.filter { $0.hasSuffix("in_accel_scale_available") }.count == 1)
    }

    @Test func `a doubtful sample stays available, with a notice`() throws {
        let (inG, notices) = try accelerometer(["10", "-20", "16384"], scale: "0.000061")
        #expect(inG.availability == .available && inG.reading != nil)
        #expect(notices.map(\.id) == [.implausibleValue] && notices.first?.sensor == inG.key)
        #expect(notices.first?.detail.contains("scale is in g") == true)
        #expect(try accelerometer(["10", "-20", "16384"]).notices.isEmpty)
    }

    @Test func `a mirrored matrix is applied and reported`() throws {
        let (sensor, notices) = try accelerometer(
            ["10", "-20", "16384"], scale: "0.5", ["in_mount_matrix": "1, 0, 0; 0, -1, 0; 0, 0, 1"])
        #expect(sensor.axes?.y == 10 && notices.map(\.id) == [.mirroredMatrix] && notices.first?.sensor == sensor.key)
        let turned = try accelerometer(
            ["10", "-20", "16384"], scale: "0.5", ["in_mount_matrix": "0, 1, 0; -1, 0, 0; 0, 0, 1"])
        #expect(turned.notices.isEmpty)
    }

    @Test(
        arguments: [
            ("in_accel_calibration_auto_status", "0", true, false),
            ("in_gyro_calibration_auto_status", "0", false, true),
            ("in_anglvel_calibration_status", "0", false, true), ("sys_calibration_auto_status", "0", true, true),
            ("sys_calibration_auto_status", "1", false, false), ("in_magn_calibration_auto_status", "0", false, false),
            ("in_accel_calibration_auto_enable", "0", false, false),
        ])
    func `a chip that its driver calls not calibrated is told as that`(
        attribute: String, value: String, accelerometer: Bool, gyroscope: Bool
    ) throws {
        var world = LocalTests.sixAxis
        world.add("\(Self.folder)/\(attribute)", value + "\n")
        let probe = try DriverHarness(world)
        #expect(probe.sensors.allSatisfy { $0.availability == .available })
        func isTold(_ kind: SensorKind) -> Bool { probe.first(kind)?.detail?.contains("not calibrated") == true }
        #expect(isTold(.accelerometer) == accelerometer && isTold(.gyroscope) == gyroscope)
    }

    @Test(
        arguments: [
            // ENXIO and EREMOTEIO, ENODEV: whether the folder is there, gone, or unknown.
            (6, true, Cause.faulty), (6, false, .absent), (6, nil, .faulty),
            (121, true, .faulty), (121, false, .faulty),
            (121, nil, .faulty), (19, true, .faulty), (19, false, .absent), (19, nil, .absent), (2, nil, .absent),
            (2, false, .absent), (110, true, .silent), (110, false, .silent), (5, true, .faulty), (5, false, .faulty),
        ] as [(CInt, Bool?, Cause)])
    func `a chip that does not answer is absent only if the kernel no longer lists it`(
        errno: CInt, isListed: Bool?, cause: Cause
    ) {
        let error = DriverError(errno: Errno(rawValue: errno), subject: "it")
        #expect(error.availability(isListed: isListed) == .unavailable(cause))
        #expect(isListed != nil || error.availability == .unavailable(cause))
    }

    @Test(arguments: [Errno(rawValue: 121), .noSuchAddressOrDevice, .operationNotSupportedByDevice])
    func `of a device that is still listed the bus is looked at`(errno: Errno) throws {
        var world = LocalTests.sixAxis
        world.nodes[Self.folder] = NodeStatus(owner: 0, group: 0, mode: 0o755, readable: true)
        world.errors["\(Self.folder)/in_accel_x_raw"] = errno
        let sensor = try #require(try DriverHarness(world).first(.accelerometer))
        #expect(sensor.availability == .unavailable(.faulty))
        #expect(sensor.detail?.hasPrefix("no answer on its bus: in_accel_x_raw") == true)
        #expect(sensor.remedy?.contains("wiring") == true && sensor.remedy?.contains("dmesg") == true)
        #expect(sensor.remedy?.contains("plug it in") == false)
        guard errno != Errno(rawValue: 121) else { return }
        world.nodes[Self.folder] = nil
        let gone = try #require(try DriverHarness(world).first(.accelerometer))
        #expect(gone.availability == .unavailable(.absent) && gone.remedy == "plug it in again")
        #expect(gone.detail?.hasPrefix("gone since it was listed: ") == true)
    }

    /// A remote device whose reads all fail; what its host still lists is unknown.
    private struct FailingReader: AttributeReader {
        let errno: Errno
        func read(_ attribute: String) throws(DriverError) -> [UInt8] { throw DriverError(errno: errno, subject: "it") }
        func place(of attribute: String) -> String { attribute }
        func format(of value: String) -> SampleFormat? { nil }
        func isCaptured() -> Bool { false }
        func overridingMatrix(for kind: SensorKind) -> (place: String, bytes: [UInt8])? { nil }
    }

    @Test(
        arguments: [
            (Errno(rawValue: 121), .faulty), (.noSuchAddressOrDevice, .faulty),
            (.operationNotSupportedByDevice, .absent),
        ] as [(Errno, Cause)])
    func `of a remote device the error number alone decides`(errno: Errno, cause: Cause) throws {
        let context = try ContextDescription(parsing: Array(RemoteTests.xml.utf8), of: RemoteTests.uri)
        let device = try #require(context.devices.first)
        let plan = try #require(device.plans.first { $0.kind == .accelerometer })
        let listed = Sensor(key: "k", kind: .accelerometer, name: "chip", driver: RemoteTests.uri)
        let place = DeviceHost.remote(uri: RemoteTests.uri, device: device)
        let sensor = Finding(Sample(plan, from: FailingReader(errno: errno)), of: listed, at: place).sensor
        #expect(sensor.availability == .unavailable(cause))
        #expect((sensor.remedy?.contains("wiring") == true) == (cause == .faulty))
    }

    @Test func `a chip that reads zeros is reset`() throws {
        let (sensor, _) = try accelerometer(["0", "0", "0"])
        #expect(sensor.availability == .unavailable(.silent))
        let remedy = try #require(
            sensor.remedies.first.flatMap { remedy -> String? in
                if case .command(let command, _) = remedy { command.line } else { nil }
            })
        #expect(remedy.hasPrefix("driver=$(readlink -f \(FakeWorld.chip)/driver) && echo 1-0068 | sudo tee"))
        #expect(try RemedyTests.canBeTyped(remedy))
        #expect(sensor.remedies.last?.words.hasPrefix("sudo dmesg") == true)
    }
}
