import DriverKit
import LocalRig
import Readiness
import Support
import SystemPackage
import Testing
@testable import IIO

@Suite struct LocalTests {
    static let folder = FakeWorld.chip + "/iio:device0"

    static var sixAxis: FakeWorld {
        var world = FakeWorld()
        world.add([
            "in_accel_x_raw": "100", "in_accel_y_raw": "-200", "in_accel_z_raw": "16384", "in_accel_scale": "0.5",
            "in_anglvel_x_raw": "1", "in_anglvel_y_raw": "2", "in_anglvel_z_raw": "3", "in_anglvel_scale": "0.25",
            "sampling_frequency": "50", "in_temp_raw": "1",
        ])
        world.nodes["/dev/iio:device0"] = NodeStatus(owner: 0, group: 0, mode: 0o600, readable: true)
        return world
    }

    @Test func `a six-axis chip is an accelerometer and a gyroscope in SI units`() throws {
        let probe = try DriverHarness(Self.sixAxis)
        #expect(probe.sensors.map(\.kind) == [.accelerometer, .gyroscope])
        #expect(probe.sensors.map(\.key) == ["i2c-1/1-0068", "i2c-1/1-0068"])
        #expect(probe.sensors.allSatisfy { $0.availability == .available && $0.access == .readable })
        #expect(
            probe.first(.accelerometer)?.axes == AxesReading(x: 50, y: -100, z: 8192, unit: .metresPerSecondSquared))
        #expect(probe.first(.gyroscope)?.axes == AxesReading(x: 0.25, y: 0.5, z: 0.75, unit: .radiansPerSecond))
        #expect(probe.notices.isEmpty && probe.enumeration.obstacles.isEmpty)
    }

    @Test func `each deciding attribute is read once, and no value in the enumeration or above depth sample`() throws {
        let world = ListeningWorld(world: Self.sixAxis)
        _ = try DriverHarness(world, .presence)
        _ = try DriverHarness(world, .state)
        #expect(!world.log.all.contains { $0.contains("in_") || $0.hasSuffix("sampling_frequency") })
        let sampled = ListeningWorld(world: Self.sixAxis)
        _ = try DriverHarness(sampled)
        let values = sampled.log.all.filter { $0.contains("/in_") }.sorted()
        #expect(values.count == 8 && Set(values).count == 8)
        #expect(!sampled.log.all.contains { $0.hasSuffix("in_temp_raw") })
        // Both halves of the chip have it.
        #expect(sampled.log.all.filter { $0.hasSuffix("sampling_frequency") }.count == 2)
    }

    @Test func `the sampling frequency is reported, a sensor's own before the shared one`() throws {
        var world = Self.sixAxis
        #expect(try DriverHarness(world).sensors.map(\.detail) == ["50 Hz", "50 Hz"])
        world.add("\(Self.folder)/in_accel_sampling_frequency", "12.500000\n")
        world.add("\(Self.folder)/location", "lid\n")
        #expect(try DriverHarness(world).sensors.map(\.detail) == ["12.5 Hz; at lid", "50 Hz; at lid"])
        world.add("\(Self.folder)/in_accel_scale", "0\n")
        #expect(
            try DriverHarness(world).first(.accelerometer)?.detail
                == "in_accel_scale is 0, so the value is raw; 12.5 Hz; at lid")
    }

    @Test(arguments: [
        ("in_accel1_x_sampling_frequency", "4 Hz"), ("in_accel1_sampling_frequency", "4 Hz"),
        ("in_accel_sampling_frequency", "4 Hz"), ("in_sampling_frequency", "4 Hz"), ("sampling_frequency", "4 Hz"),
        ("in_accel0_sampling_frequency", nil), ("in_anglvel_sampling_frequency", nil), ("my_sampling_frequency", nil),
        ("in_accel_sampling_frequency_available", nil),
    ])
    func `a sampling frequency is found where drivers have it`(attribute: String, detail: String?) throws {
        var world = FakeWorld()
        world.add(["in_accel1_x_raw": "1", "in_accel1_scale": "1"])
        world.add("\(Self.folder)/\(attribute)", "4\n")
        #expect(try DriverHarness(world).sensors.map(\.detail) == [detail])
    }

    @Test(arguments: [
        "", "0", "0.0009", "-1", "nan", "inf", "fast", "1e3", "10000001", String(repeating: "9", count: 400),
    ])
    func `a sampling frequency that no sensor has is ignored`(text: String) throws {
        var world = Self.sixAxis
        world.add("\(Self.folder)/sampling_frequency", text + "\n")
        let probe = try DriverHarness(world)
        #expect(probe.sensors.allSatisfy { $0.availability == .available && $0.reading != nil && $0.detail == nil })
    }

    @Test(arguments: [Errno.permissionDenied, .ioError, .timedOut, .operationNotSupportedByDevice, .resourceBusy])
    func `a sampling frequency that cannot be read changes nothing`(errno: Errno) throws {
        var world = Self.sixAxis
        let sound = try DriverHarness(world).sensors
        world.errors["\(Self.folder)/sampling_frequency"] = errno
        let probe = try DriverHarness(world)
        #expect(probe.sensors.map(\.availability) == sound.map(\.availability))
        #expect(probe.sensors.map(\.access) == sound.map(\.access) && probe.sensors.allSatisfy { $0.detail == nil })
        #expect(probe.sensors.map(\.evidence) == sound.map(\.evidence))
    }

    @Test func `the sampling frequency of an unavailable sensor is not read`() throws {
        var world = Self.sixAxis
        world.errors["\(Self.folder)/in_accel_x_raw"] = .timedOut
        let listening = ListeningWorld(world: world)
        _ = try DriverHarness(listening)
        #expect(listening.log.all.filter { $0.hasSuffix("sampling_frequency") }.count == 1)
    }

    @Test(arguments: [("1", "1 Hz"), ("100.000", "100 Hz"), ("0.781000", "0.781 Hz"), ("33.333333", "33.333 Hz")])
    func `a sampling frequency is reported without redundant digits`(text: String, clause: String) {
        #expect(SamplingFrequency(Array(text.utf8))?.clause == clause)
    }

    @Test func `above depth sample a listed sensor is available without a reading`() throws {
        let probe = try DriverHarness(Self.sixAxis, .presence)
        #expect(probe.sensors.count == 2)
        #expect(probe.sensors.allSatisfy { $0.availability == .available && $0.reading == nil })
    }

    @Test(arguments: [
        ("in_anglvel_z_raw", AxesReading(x: nil, y: nil, z: 4, unit: .radiansPerSecond)),
        ("in_anglvel_x_raw", AxesReading(x: 4, y: nil, z: nil, unit: .radiansPerSecond)),
    ])
    func `a gyroscope of one axis is a gyroscope`(attribute: String, reading: AxesReading) throws {
        var world = FakeWorld()
        world.add([:])
        world.add("\(Self.folder)/\(attribute)", "8\n")
        world.add("\(Self.folder)/in_anglvel_scale", "0.5\n")
        let probe = try DriverHarness(world)
        #expect(probe.sensors.map(\.axes) == [reading])
    }

    @Test func `own scales take precedence over the shared one, and offsets are applied`() throws {
        var world = FakeWorld()
        world.add([
            "in_accel_x_raw": "10", "in_accel_y_raw": "10", "in_accel_scale": "2", "in_accel_x_scale": "3",
            "in_accel_offset": "1", "in_accel_y_offset": "-1",
        ])
        #expect(
            try DriverHarness(world).first(.accelerometer)?.axes
                == AxesReading(x: 33, y: 18, z: nil, unit: .metresPerSecondSquared))
    }

    @Test func `processed values need no scale`() throws {
        var world = FakeWorld()
        world.add(["in_accel_x_input": "0.5", "in_accel_y_input": "0", "in_accel_z_input": "9.81"])
        #expect(
            try DriverHarness(world).first(.accelerometer)?.axes
                == AxesReading(x: 0.5, y: 0, z: 9.81, unit: .metresPerSecondSquared))
    }

    @Test(arguments: [Errno.invalidArgument, .ioError, .permissionDenied])
    func `an unreadable scale leaves the raw value with a notice and is not a fault`(errno: Errno) throws {
        var world = Self.sixAxis
        world.errors["\(Self.folder)/in_accel_scale"] = errno
        let sensor = try #require(try DriverHarness(world).first(.accelerometer))
        #expect(sensor.availability == .available && sensor.access == .readable)
        #expect(sensor.axes == AxesReading(x: 100, y: -200, z: 16384, unit: .raw))
        #expect(sensor.detail?.contains("in_accel_scale") == true)
        #expect(sensor.evidence.contains { $0.errno == errno.name })
    }

    @Test(arguments: [
        (Errno.permissionDenied, Cause.indeterminate), (.notPermitted, .indeterminate),
        (.operationNotSupportedByDevice, .absent), (.noSuchAddressOrDevice, .absent),
        (.noSuchFileOrDirectory, .absent), (.timedOut, .silent), (.noFunction, .indeterminate),
        (.ioError, .faulty), (.invalidArgument, .faulty), (Errno(rawValue: 121), .faulty),
        (.resourceBusy, .faulty), (.notSupportedOnSocket, .faulty),
    ])
    func `the errno of a read decides only for its half of the chip`(errno: Errno, cause: Cause) throws {
        var world = Self.sixAxis
        world.errors["\(Self.folder)/in_accel_y_raw"] = errno
        let probe = try DriverHarness(world)
        let sensor = try #require(probe.first(.accelerometer))
        #expect(sensor.availability == .unavailable(cause) && sensor.reading == nil)
        #expect(sensor.evidence.contains { $0.path == "\(Self.folder)/in_accel_y_raw" && $0.errno == errno.name })
        #expect(sensor.detail?.contains("in_accel_y_raw") == true)
        let isDenied = errno == .permissionDenied || errno == .notPermitted
        #expect(sensor.access == (isDenied ? .denied : .readable) && sensor.isValueDenied == isDenied)
        #expect(probe.first(.gyroscope)?.availability == .available)
    }

    @Test func `EBUSY with an enabled buffer is another program's capture`() throws {
        var world = Self.sixAxis
        world.errors["\(Self.folder)/in_accel_x_raw"] = .resourceBusy
        world.add("\(Self.folder)/buffer/enable", "1\n")
        let probe = try DriverHarness(world)
        let sensor = try #require(probe.first(.accelerometer))
        #expect(sensor.availability == .available && sensor.reading == nil)
        #expect(probe.notices.map(\.id) == [.inUse])
        world.add("\(Self.folder)/buffer/enable", "0\n")
        #expect(try DriverHarness(world).first(.accelerometer)?.availability == .unavailable(.faulty))
    }

    @Test(arguments: [Errno.tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory])
    func `a shortage of this process says nothing about the sensor`(error: Errno) throws {
        var world = Self.sixAxis
        world.errors["\(Self.folder)/in_accel_x_raw"] = error
        let sensor = try #require(try DriverHarness(world).first(.accelerometer))
        #expect(sensor.availability == .unavailable(.indeterminate))
        #expect("\(sensor.remedies)".contains("ulimit"))
    }

    @Test(arguments: ["", "abc", "1e3", "nan", "inf", "0x10", "1 2", "--1", "1.", ".5", "\u{fffd}"])
    func `a value that is not a number is faulty, with what was read`(text: String) throws {
        var world = Self.sixAxis
        world.add("\(Self.folder)/in_accel_x_raw", text)
        let sensor = try #require(try DriverHarness(world).first(.accelerometer))
        #expect(sensor.availability == .unavailable(.faulty))
        #expect(sensor.evidence.contains { $0.said.hasPrefix("read \"") && $0.said.utf8.allSatisfy { $0 < 0x80 } })
    }

    @Test func `a value of a megabyte or out of range is faulty and reported on one line`() throws {
        var world = Self.sixAxis
        world.files["\(Self.folder)/in_accel_x_raw"] = [UInt8](repeating: UInt8(ascii: "7"), count: 1 << 20)
        let long = try #require(try DriverHarness(world).first(.accelerometer))
        #expect(long.availability == .unavailable(.faulty))
        world.files["\(Self.folder)/in_accel_x_raw"] = [UInt8](repeating: UInt8(ascii: "7"), count: 1000)
        let infinite = try #require(try DriverHarness(world).first(.accelerometer))
        #expect(infinite.availability == .unavailable(.faulty))
        for sensor in [long, infinite] {
            #expect((sensor.detail?.utf8.count ?? 0) < 300)
            #expect(sensor.evidence.allSatisfy { $0.said.utf8.count < 300 })
        }
    }

    @Test func `exact zero on three accelerometer axes is silent, on two or on a gyroscope not`() throws {
        var world = FakeWorld()
        world.add([
            "in_accel_x_raw": "0", "in_accel_y_raw": "0", "in_accel_z_raw": "0", "in_accel_scale": "1",
            "in_anglvel_x_raw": "0", "in_anglvel_y_raw": "0", "in_anglvel_z_raw": "0", "in_anglvel_scale": "1",
        ])
        let probe = try DriverHarness(world)
        #expect(probe.first(.accelerometer)?.availability == .unavailable(.silent))
        #expect(probe.first(.accelerometer)?.reading == nil)
        #expect(probe.first(.gyroscope)?.availability == .available)
        var two = FakeWorld()
        two.add(["in_accel_x_raw": "0", "in_accel_y_raw": "0", "in_accel_scale": "1"])
        #expect(try DriverHarness(two).first(.accelerometer)?.availability == .available)
    }

    @Test func `a value outside its channel's bits is faulty`() throws {
        var world = Self.sixAxis
        world.add("\(Self.folder)/scan_elements/in_accel_z_type", "le:s12/16>>4\n")
        world.add("\(Self.folder)/scan_elements/in_anglvel_z_type", "le:s12/16>>4\n")
        let probe = try DriverHarness(world)
        #expect(probe.first(.accelerometer)?.availability == .unavailable(.faulty))
        #expect(probe.first(.gyroscope)?.availability == .available)
    }

    @Test func `a step counter counts, or is off, and is never switched on`() throws {
        var world = FakeWorld()
        world.add(["in_steps_input": "1234", "in_steps_en": "1", "in_accel_x_raw": "3"])
        #expect(try DriverHarness(world).first(.stepCounter)?.reading == .steps(1234))
        world.add("\(Self.folder)/in_steps_en", "0\n")
        world.errors["\(Self.folder)/in_steps_input"] = .invalidArgument
        let off = try #require(try DriverHarness(world).first(.stepCounter))
        #expect(off.availability == .unavailable(.poweredOff))
        #expect(off.remedy == "echo 1 | sudo tee \(Self.folder)/in_steps_en")
        world.add("\(Self.folder)/in_steps_en", "1\n")
        #expect(try DriverHarness(world).first(.stepCounter)?.availability == .unavailable(.faulty))
        world.errors = [:]
        world.add("\(Self.folder)/in_steps_input", "-1\n")
        #expect(try DriverHarness(world).first(.stepCounter)?.availability == .unavailable(.faulty))
    }

    @Test func `attributes that only look like axes make no sensor`() throws {
        var world = FakeWorld()
        world.add([
            "in_anglvel_z_quadrature_correction_raw": "1", "in_velocity_sqrt(x^2+y^2+z^2)_raw": "1",
            "in_accel_matrix": "1", "in_accel_power_mode": "low", "in_gravity_x_raw": "1", "in_accel_x&y_raw": "1",
            "in_accel_linear_x_raw": "1", "in_accel_x_calibbias": "1", "in_accel_scale": "1", "out_accel_x_raw": "1",
            "in_accelx_raw": "1", "in_incli_x_raw": "1", "in_accel_x_peak_raw": "1", "in_steps_en": "1",
        ])
        #expect(try DriverHarness(world).sensors.isEmpty)
    }

    @Test func `numbered channels are sensors of their own`() throws {
        var world = FakeWorld()
        world.add([
            "in_accel0_x_raw": "1", "in_accel1_x_raw": "2", "in_accel_scale": "3", "in_accel1_x_scale": "5",
        ])
        let probe = try DriverHarness(world)
        #expect(probe.sensors.map(\.key) == ["i2c-1/1-0068", "i2c-1/1-0068#2"])
        #expect(probe.sensors.map { $0.axes?.x } == [3, 10])
        #expect(probe.notices.map(\.id) == [.duplicateKey])
    }

    @Test func `a trigger is not a device`() throws {
        var world = FakeWorld()
        world.add(id: "trigger0", ["in_accel_x_raw": "1"])
        #expect(try DriverHarness(world).sensors.isEmpty)
    }

    @Test func `a device that cannot be listed hides no other`() throws {
        var world = Self.sixAxis
        world.devices["iio"]?.insert("/sys/devices/i2c-2/2-0019/iio:device1", at: 0)
        world.errors["/sys/devices/i2c-2/2-0019/iio:device1"] = .permissionDenied
        let probe = try DriverHarness(world)
        #expect(probe.sensors.count == 2 && probe.sensors.allSatisfy { $0.availability == .available })
        #expect(probe.enumeration.obstacles.map(\.kind) == [.accelerometer, .gyroscope, .stepCounter])
        #expect(
            probe.enumeration.obstacles.allSatisfy {
                $0.cause == .indeterminate && $0.evidence.first?.errno == "EACCES"
            })
    }

    @Test func `the node decides whether this user may capture, else the values do`() throws {
        var world = Self.sixAxis
        world.nodes["/dev/iio:device0"] = NodeStatus(owner: 0, group: 0, mode: 0o600, readable: false)
        let denied = try #require(try DriverHarness(world).first(.gyroscope))
        #expect(denied.access == .denied && denied.availability == .available && denied.reading != nil)
        #expect(denied.evidence.last?.path == "/dev/iio:device0")
        #expect(denied.evidence.last?.said.hasPrefix("rw------- 0:0; ") == true)
        #expect(denied.evidence.last?.errno == "EACCES")
        #expect(denied.accessRemedy != nil && denied.remedy == nil && !denied.isValueDenied)
        world.nodes = [:]
        #expect(try DriverHarness(world).first(.gyroscope)?.access == .unknown)
        world.add("\(Self.folder)/uevent", "DEVTYPE=iio_device\n")
        #expect(try DriverHarness(world).first(.gyroscope)?.access == .readable)
    }

    @Test func `label and location are reported`() throws {
        var world = Self.sixAxis
        world.add("\(Self.folder)/label", "accel-base\n")
        world.add("\(Self.folder)/location", "lid\u{1b}[31m\n")
        let sensor = try #require(try DriverHarness(world).first(.accelerometer))
        #expect(sensor.label == "accel-base" && sensor.detail == "50 Hz; at lid[31m")
    }

    @Test func `the mount matrix turns the axes, udev's before the chip's`() throws {
        var world = Self.sixAxis
        world.add("\(Self.folder)/in_accel_mount_matrix", "0, 1, 0; -1, 0, 0; 0, 0, 1\n")
        world.add("\(Self.folder)/mount_matrix", "1, 0, 0; 0, -1, 0; 0, 0, 1\n")
        let own = try DriverHarness(world)
        #expect(own.first(.accelerometer)?.axes == AxesReading(x: -100, y: -50, z: 8192, unit: .metresPerSecondSquared))
        #expect(own.first(.gyroscope)?.axes == AxesReading(x: 0.25, y: -0.5, z: 0.75, unit: .radiansPerSecond))
        world.add("/run/udev/data/c250:0", "I:1\nE:ACCEL_MOUNT_MATRIX=-1, 0, 0; 0, 1, 0; 0, 0, -1\n")
        #expect(
            try DriverHarness(world).first(.accelerometer)?.axes
                == AxesReading(x: -50, y: -100, z: -8192, unit: .metresPerSecondSquared))
    }

    @Test(arguments: [
        "1, 0, 0; 0, 1, 0", "0, 0, 0; 0, 0, 0; 0, 0, 0", "1, 0, 0; 1, 0, 0; 0, 0, 1", "9, 0, 0; 0, 9, 0; 0, 0, 9",
        "nan, 0, 0; 0, 1, 0; 0, 0, 1", "", "2, 0, 0; 0, 0.5, 0; 0, 0, 1", "1, 1, 1; 0, 1, 0; 0, 0, 1",
        "0.1, 0, 0; 0, 1, 0; 0, 0, 1",
    ])
    func `an invalid matrix is reported and not applied`(text: String) throws {
        var world = Self.sixAxis
        world.add("\(Self.folder)/in_mount_matrix", text + "\n")
        let sensor = try #require(try DriverHarness(world).first(.accelerometer))
        #expect(sensor.axes?.x == 50 && sensor.detail?.contains("mount matrix") == true)
    }

    @Test func `a value that scale or mount matrix makes infinite is faulty`() throws {
        let huge = String(repeating: "9", count: 308)
        var world = FakeWorld()
        world.add(["in_accel_x_raw": "100", "in_accel_y_raw": "1", "in_accel_scale": huge])
        let scaled = try #require(try DriverHarness(world).first(.accelerometer))
        #expect(scaled.availability == .unavailable(.faulty) && scaled.reading == nil)
        #expect(scaled.evidence.contains { $0.said == "100.0 becomes inf by offset and scale" })
        var turned = FakeWorld()
        turned.add([
            "in_accel_x_input": "1" + String(repeating: "0", count: 308),
            "in_accel_y_input": "1" + String(repeating: "0", count: 308),
            "in_accel_z_input": "1", "mount_matrix": "1, 1, 0; -1, 1, 0; 0, 0, 1",
        ])
        let sensor = try #require(try DriverHarness(turned).first(.accelerometer))
        #expect(sensor.availability == .unavailable(.faulty) && sensor.reading == nil)
        #expect(sensor.detail == "in_accel_x_input is not finite after the mount matrix")
    }

    @Test func `what was searched is named, with and without sensors`() throws {
        let none = try DriverHarness(FakeWorld()).enumeration.searched
        #expect(none?.path == "/sys/bus/iio/devices")
        #expect(none?.said == "no IIO device (unbound motion chips: none)")
        var world = Self.sixAxis
        world.add(id: "iio:device1", at: "/sys/devices/i2c-1/1-0039", name: "tsl2591", ["in_illuminance_raw": "1"])
        #expect(
            try DriverHarness(world).enumeration.searched?.said
                == "2 IIO devices: tsl2591, mpu6050 (unbound motion chips: none)")
        for number in 2..<40 { world.add(id: "iio:device\(number)", name: "adc", ["in_voltage0_raw": "1"]) }
        #expect((try DriverHarness(world).enumeration.searched?.said.utf8.count ?? 0) < 150)
    }

    @Test func `devices that cannot be listed are bounded as sensors are`() throws {
        var world = FakeWorld()
        for number in 0..<600 {
            let path = "/sys/devices/i2c-1/1-\(number)/iio:device\(number)"
            world.devices["iio", default: []].append(FilePath(path))
            world.errors[path] = .tooManySymbolicLinkLevels
        }
        let inventory = try Probe([.init(IIODriver(), in: world)]).inventory(
            depth: .sample, limit: ProbeLimit(.seconds(60)))
        #expect(inventory.obstacles.count == Enumeration.candidateLimit + IIODriver.kinds.count)
        #expect(inventory.notices.map(\.id) == [.tooManySensors])
        let searched = inventory.drivers.first?.searched?.said
        #expect(searched?.hasPrefix("of 600 the first 342 IIO devices: iio:device0, ") == true, "\(searched ?? "")")
    }
}
