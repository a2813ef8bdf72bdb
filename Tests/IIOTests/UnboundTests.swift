import DriverKit
import Readiness
import Support
import SystemPackage
import Testing
@testable import IIO

@Suite struct UnboundTests {
    static let chip = "/sys/devices/i2c-1/1-0069"

    static var world: FakeWorld {
        var world = FakeWorld()
        world.add(chip: chip, in: "i2c", "MODALIAS=i2c:bmi160\n")
        world.add("\(chip)/name", "bmi160\n")
        world.modules["i2c:bmi160"] = ["kernel/drivers/iio/imu/bmi160/bmi160_i2c.ko.xz"]
        return world
    }

    @Test func `a chip without its driver is both of its sensors, each without driver`() throws {
        let probe = try DriverHarness(Self.world)
        #expect(probe.sensors.map(\.kind) == [.accelerometer, .gyroscope])
        #expect(probe.enumeration.candidates.allSatisfy { !$0.isOpen })
        for sensor in probe.sensors {
            #expect(sensor.availability == .unavailable(.noDriver))
            #expect(sensor.key == "i2c-1/1-0069" && sensor.name == "bmi160")
            #expect(sensor.remedy == "sudo modprobe bmi160_i2c")
            #expect(
                sensor.detail == "bmi160 at i2c-1/1-0069 has no driver; the module for it is bmi160_i2c")
        }
    }

    @Test func `a chip with a driver is not listed, even if it has no device`() throws {
        var world = Self.world
        world.add("\(Self.chip)/uevent", "DRIVER=bmi160_i2c\nMODALIAS=i2c:bmi160\n")
        #expect(try DriverHarness(world).sensors.isEmpty)
    }

    @Test func `a chip with a device is passed over, and one beside it is not`() throws {
        var world = Self.world
        world.add(chip: "/sys/devices/i2c-1/1-0068", in: "i2c", "MODALIAS=i2c:bmi160\n")
        world.devices["iio"] = ["/sys/devices/i2c-1/1-0068/iio:device0"]
        world.add("/sys/devices/i2c-1/1-0068/iio:device0/in_accel_x_raw", "1\n")
        let heard = ListeningWorld(world: world)
        let keys = try DriverHarness(heard, .state).sensors.map(\.key)
        #expect(keys == ["i2c-1/1-0068", "i2c-1/1-0069", "i2c-1/1-0069"])
        // Once, for its key.
        #expect(heard.log.all.count { $0 == "/sys/devices/i2c-1/1-0068/uevent" } == 1)
    }

    @Test func `a loaded module that did not bind the chip is reported with a place to look`() throws {
        var world = Self.world
        world.add("/sys/module/bmi160_i2c", "")
        let sensor = try #require(try DriverHarness(world).sensors.first)
        #expect(sensor.availability == .unavailable(.noDriver))
        #expect(sensor.detail?.contains("is loaded but did not bind to it") == true)
        #expect(sensor.remedy == "sudo dmesg | grep -i 1-0069")
    }

    @Test(arguments: [
        ("kernel/drivers/iio/accel/st_accel_i2c.ko", [SensorKind.accelerometer], "st_accel_i2c"),
        ("kernel/drivers/iio/gyro/itg3200.ko.zst", [.gyroscope], "itg3200"),
        ("kernel/drivers/iio/imu/inv_mpu6050/inv-mpu6050-i2c.ko", [.accelerometer, .gyroscope], "inv_mpu6050_i2c"),
        ("kernel/drivers/iio/imu/fxos8700_i2c", [.accelerometer], "fxos8700_i2c"),
        ("kernel/drivers/iio/imu/kmx61.ko.xz", [.accelerometer], "kmx61"),
        ("kernel/drivers/iio/imu/st_lsm9ds0/st_lsm9ds0_i2c.ko", [.accelerometer], "st_lsm9ds0_i2c"),
        ("kernel/drivers/iio/imu/st_lsm6dsx/st_lsm6dsx_i2c.ko", [.accelerometer, .gyroscope], "st_lsm6dsx_i2c"),
        ("kernel/drivers/iio/light/tsl2563.ko", [], "tsl2563"),
        ("kernel/drivers/hwmon/lm75.ko", [], "lm75"), ("fxos8700_i2c", [], "fxos8700_i2c"), ("", [], ""),
        ("kernel/drivers/iio/accel/a;rm -rf.ko", [.accelerometer], "arm_rf"),
    ])
    func `a module's folder gives the kind of its devices`(path: String, kinds: [SensorKind], name: String) {
        let module = Module(path)
        #expect(module.kinds == kinds && module.name == name)
    }

    @Test func `the parts of a hub without their drivers are found, gravity left out`() throws {
        var world = FakeWorld()
        let hub = "/sys/devices/virtual/misc/uhid/0003:1209:0001.0001"
        for (usage, number) in [("200073", 1), ("200076", 2), ("20007b", 3)] {
            world.add(
                chip: "\(hub)/HID-SENSOR-\(usage).\(number).auto", in: "platform",
                "MODALIAS=platform:HID-SENSOR-\(usage)\n")
        }
        world.modules["platform:HID-SENSOR-200073"] = ["kernel/drivers/iio/accel/hid-sensor-accel-3d.ko"]
        world.modules["platform:HID-SENSOR-20007b"] = ["kernel/drivers/iio/accel/hid-sensor-accel-3d.ko"]
        world.modules["platform:HID-SENSOR-200076"] = ["kernel/drivers/iio/gyro/hid-sensor-gyro-3d.ko"]
        let probe = try DriverHarness(world)
        #expect(probe.sensors.map(\.kind) == [.accelerometer, .gyroscope])
        #expect(
            probe.sensors.map(\.remedy) == ["sudo modprobe hid_sensor_accel_3d", "sudo modprobe hid_sensor_gyro_3d"])
        #expect(probe.sensors.first?.key == "uhid/0003:1209:0001/HID-SENSOR-200073")
    }

    /// A hub with an accelerometer and a gyroscope, as Tests/Hardware makes one.
    static let descriptor: [UInt8] = [
        0x05, 0x20, 0x09, 0x01, 0xa1, 0x01,  // usage page sensors, usage collection, application
        0x09, 0x73, 0xa1, 0x00, 0x85, 0x01, 0x0a, 0x53, 0x04, 0x75, 0x10, 0x81, 0x02, 0xc0,  // accelerometer
        0x09, 0x76, 0xa1, 0x00, 0x85, 0x02, 0x0a, 0x57, 0x04, 0x81, 0x02, 0xc0,  // gyroscope
        0xc0,
    ]

    @Test func `a hub without its driver has the sensors of its descriptor`() throws {
        var world = FakeWorld()
        let hub = "/sys/devices/virtual/misc/uhid/0003:1209:0001.0001"
        world.add(chip: hub, in: "hid", "DRIVER=hid-generic\nMODALIAS=hid:b0003g0002v00001209p00000001\n")
        world.files["\(hub)/report_descriptor"] = Self.descriptor
        let probe = try DriverHarness(world)
        #expect(probe.sensors.map(\.kind) == [.accelerometer, .gyroscope])
        #expect(probe.sensors.first?.remedy == "sudo modprobe hid_sensor_hub")
        #expect(probe.sensors.first?.key == "uhid/0003:1209:0001/HID-SENSOR-200073")
        world.add("\(hub)/uevent", "DRIVER=hid-sensor-hub\nMODALIAS=hid:b0003g0002v00001209p00000001\n")
        #expect(try DriverHarness(world).sensors.isEmpty)
    }

    static let noIndex = DriverError(
        .unsupported, errno: .noSuchFileOrDirectory, subject: "/lib/modules/6.1.0/modules.alias.bin",
        detail: "no module index (ENOENT)")

    @Test(arguments: ["i2c", "spi"])
    func `a chip that no index names may be a motion sensor`(bus: String) throws {
        var world = FakeWorld()
        world.add(chip: Self.chip, in: bus, "MODALIAS=\(bus):bmi160\n")
        world.add(chip: "/sys/devices/i2c-1/1-0050", in: "i2c", "DRIVER=at24\nMODALIAS=i2c:24c02\n")
        let probe = try DriverHarness(ListeningWorld(world: world, moduleRefusal: Self.noIndex))
        #expect(probe.sensors.isEmpty)
        #expect(probe.enumeration.obstacles.map(\.kind) == [.accelerometer, .gyroscope])
        for obstacle in probe.enumeration.obstacles {
            #expect(obstacle.cause == .indeterminate)
            #expect(
                obstacle.detail == "1 chip without driver could not be identified: no module index (ENOENT)")
            #expect(obstacle.remedy?.hasPrefix("sudo depmod ") == true)
            #expect(obstacle.evidence.map(\.path) == [Self.noIndex.subject, "\(Self.chip)/uevent"])
            #expect(obstacle.evidence.first?.errno == "ENOENT")
        }
        #expect(
            probe.enumeration.searched?.said
                == "no IIO device (unbound motion chips: none; 1 without driver not identified)")
    }

    @Test func `without such a chip a missing index hides nothing`() throws {
        var world = FakeWorld()
        world.add(chip: "/sys/devices/i2c-1/1-0050", in: "i2c", "DRIVER=at24\nMODALIAS=i2c:24c02\n")
        world.add(chip: "/sys/devices/i2c-1", in: "i2c", "OF_NAME=i2c\n")
        world.add(chip: "/sys/devices/usb1/1-1/1-1:1.0", in: "usb", "MODALIAS=usb:v1D6Bp0002\n")
        world.add(
            chip: "/sys/devices/x/HID-SENSOR-20007b.1.auto", in: "platform", "MODALIAS=platform:HID-SENSOR-20007b\n")
        world.add(chip: "/sys/devices/x/0003:1209:0001.0001", in: "hid", "MODALIAS=hid:b0003g0001v00001209p00000001\n")
        let probe = try DriverHarness(ListeningWorld(world: world, moduleRefusal: Self.noIndex))
        #expect(probe.sensors.isEmpty && probe.enumeration.obstacles.isEmpty)
    }

    @Test func `the part of a hub that no index names may be a motion sensor, as may a hub that cannot be read`() throws
    {
        var world = FakeWorld()
        let hub = "/sys/devices/virtual/misc/uhid/0003:1209:0001.0001"
        world.add(
            chip: "\(hub)/HID-SENSOR-200073.1.auto", in: "platform", "MODALIAS=platform:HID-SENSOR-200073\n")
        let probe = try DriverHarness(ListeningWorld(world: world, moduleRefusal: Self.noIndex))
        #expect(probe.enumeration.obstacles.map(\.kind) == [.accelerometer, .gyroscope])
        var other = FakeWorld()
        other.add(chip: hub, in: "hid", "DRIVER=hid-generic\nMODALIAS=hid:b0003g0002v00001209p00000001\n")
        other.errors["\(hub)/report_descriptor"] = .permissionDenied
        let obstacles = try DriverHarness(other).enumeration.obstacles
        #expect(obstacles.map(\.kind) == [.accelerometer, .gyroscope])
        #expect(obstacles.first?.remedy == "sudo chmod a+r \(hub)/report_descriptor")
    }

    @Test(arguments: [
        (DriverError(.unsupported, subject: "libkmod.so.2", detail: "libkmod is not installed"), "apt-get install"),
        (DriverError(.notRecorded, subject: "i2c:bmi160"), "rigready record"),
        (DriverError(errno: .noMemory, subject: "libkmod"), "dmesg"),
    ])
    func `every failure of the index is reported`(error: DriverError, remedy: String) throws {
        let probe = try DriverHarness(ListeningWorld(world: Self.world, moduleRefusal: error))
        #expect(probe.enumeration.obstacles.count == 2)
        #expect(probe.enumeration.obstacles.allSatisfy { $0.remedy?.contains(remedy) == true })
        #expect(probe.enumeration.obstacles.allSatisfy { $0.detail.contains(error.reason) })
    }

    @Test(arguments: [
        DriverError(errno: .noSuchFileOrDirectory, subject: "/sys/devices"), DriverError(.notRecorded, subject: "i2c"),
        DriverError(errno: .permissionDenied, subject: "i2c"), DriverError(errno: .noMemory, subject: "i2c"),
    ])
    func `a bus that cannot be listed is reported with its remedy`(error: DriverError) throws {
        let probe = try DriverHarness(ListeningWorld(world: FakeWorld(), listingRefusals: ["i2c": error]))
        #expect(probe.enumeration.obstacles.map(\.kind) == [.accelerometer, .gyroscope])
        #expect(probe.enumeration.searched?.said.contains("not listed: i2c") == true)
    }

    @Test func `unbound chips are named among what was searched`() throws {
        #expect(
            try DriverHarness(Self.world).enumeration.searched?.said
                == "no IIO device (unbound motion chips: 1 chip: bmi160)")
    }

    @Test func `no more chips are looked for than a probe takes, and that is said`() throws {
        var world = FakeWorld()
        world.modules["i2c:bmi160"] = ["kernel/drivers/iio/imu/bmi160/bmi160_i2c.ko"]
        for number in 0..<600 { world.add(chip: "/sys/devices/i2c-1/1-\(number)", in: "i2c", "MODALIAS=i2c:bmi160\n") }
        let listening = ListeningWorld(world: world)
        let enumeration = try DriverHarness(listening).enumeration
        #expect(enumeration.candidates.count == Enumeration.candidateLimit + 2 && enumeration.isFull)
        let read = Set(listening.log.all)
        #expect(read.contains("/sys/devices/i2c-1/1-512/uevent") && !read.contains("/sys/devices/i2c-1/1-513/uevent"))
        #expect(enumeration.searched?.said.hasSuffix("; further ones not looked for)") == true)
    }
}
