import DriverKit
import Readiness
import Support
import SystemPackage
import Testing
@testable import Evdev

@Suite struct ListingTests {
    @Test func `a device with the property and six axes is both sensors, at its place`() throws {
        let (sensors, enumeration) = try FakeWorld.controller().found(.state)
        #expect(sensors.count == 2 && enumeration.obstacles.isEmpty)
        for sensor in sensors.values {
            #expect(sensor.key == "uhid/0003:054C:0CE6" && sensor.path == "/dev/input/event7")
            #expect(sensor.name == "DualSense Motion Sensors" && sensor.driver == "evdev")
            #expect(sensor.availability == .available && sensor.access == .readable && sensor.reading == nil)
            #expect(sensor.evidence.first?.errno == nil && sensor.evidence.first?.said.contains("not read it") == false)
        }
        #expect(enumeration.searched?.said == "1 input devices, motion sensors: DualSense Motion Sensors")
    }

    @Test func `keyboards, sticks and touchpads are none`() throws {
        var world = FakeWorld()
        world.add(input: 1, named: "keyboard", axes: "0", properties: "0", udev: "E:ID_INPUT_KEYBOARD=1\n")
        world.add(input: 2, named: "stick", axes: "3003f", properties: "0", udev: "E:ID_INPUT_JOYSTICK=1\n")
        world.add(
            input: 3, named: "touchpad", axes: "663800011000003", properties: "5", udev: "E:ID_INPUT_TOUCHPAD=1\n")
        let (sensors, enumeration) = try world.found()
        #expect(sensors.isEmpty && enumeration.obstacles.isEmpty)
        #expect(enumeration.searched?.said == "3 input devices, none of them a motion sensor")
        #expect(try FakeWorld().found().enumeration.searched?.said == "no input device")
    }

    @Test func `three axes that udev takes for an accelerometer are one, and turn about nothing`() throws {
        var world = FakeWorld()
        let record = "E:ID_INPUT=1\nE:ID_INPUT_ACCELEROMETER=1\n"
        world.add(
            input: 4, named: "ST LIS3LV02DL Accelerometer", at: "platform/lis3lv02d", axes: "7", properties: "0",
            udev: record)
        world.add(input: 5, named: "six", at: "platform/six", axes: "3f", properties: "0", udev: record)
        world.add(input: 6, named: "two", at: "platform/two", axes: "3", properties: "0", udev: record)
        let sensors = try world.found(.state).enumeration.candidates.map(\.sensor)
        #expect(sensors.map(\.key) == ["lis3lv02d", "six"])
        #expect(sensors.allSatisfy { $0.kind == .accelerometer })
    }

    @Test func `a container without udev's database cannot tell three axes from a joystick`() throws {
        var world = FakeWorld()
        world.add(input: 4, named: "ST LIS3LV02DL Accelerometer", at: "platform/lis3lv02d", axes: "7", properties: "0")
        world.add(input: 5, named: "stick", axes: "3003f", properties: "0", hasKeys: true)
        world.add(input: 6, named: "tablet", axes: "3", properties: "0")
        world.add(input: 7, named: "chip", at: "i2c-1/1-0018", axes: "7", properties: "0")
        world.add("/sys/devices/i2c-1/1-0018/iio:device0/name", "lis3dh\n")
        // On a host udev has had its say.
        #expect(try world.found().enumeration.obstacles.isEmpty)
        world.add("/.dockerenv", "")
        let (sensors, enumeration) = try world.found()
        let obstacle = try #require(enumeration.obstacles.first)
        #expect(sensors.isEmpty && enumeration.obstacles.count == 1)
        #expect(obstacle.kind == .accelerometer && obstacle.cause == .indeterminate)
        #expect(obstacle.detail.contains("ST LIS3LV02DL Accelerometer"))
        #expect(
            obstacle.remedies == [HostMount.udev.remedy] && obstacle.evidence.first?.path?.hasSuffix("event4") == true)
        // What its driver calls an accelerometer is one without udev.
        var controller = FakeWorld.controller()
        controller.add("/.dockerenv", "")
        #expect(try controller.found().enumeration.obstacles.isEmpty && controller.found().sensors.count == 2)
        world.add("/run/udev/data/c13:68", "E:ID_INPUT=1\n")
        world.nodes["/run/udev/data"] = NodeStatus(owner: 0, group: 0, mode: 0o755, readable: true)
        #expect(try world.found().enumeration.obstacles.isEmpty)
    }

    @Test func `a chip that IIO shows is left to IIO`() throws {
        var world = FakeWorld()
        world.add(input: 4, named: "chip", at: "i2c-1/1-0018", axes: "7")
        world.add("/sys/devices/i2c-1/1-0018/iio:device0/name", "lis3dh\n")
        #expect(try world.found().sensors.isEmpty)
    }

    @Test func `two equal controllers are told apart, and programs' devices by name`() throws {
        var world = FakeWorld()
        for number in [10, 9] {
            world.add(input: number, named: "pad", at: "virtual/misc/uhid/0003:054C:0CE6.000\(number % 9)", axes: "7")
        }
        world.add(input: 11, named: "a mock/pad", at: "virtual", axes: "7")
        let (_, enumeration) = try world.found(.state)
        #expect(
            enumeration.candidates.map(\.sensor.key) == [
                "virtual/a-mock-pad", "uhid/0003:054C:0CE6", "uhid/0003:054C:0CE6#2",
            ])
        #expect(enumeration.candidates.map(\.sensor.path).last == "/dev/input/event10")
        #expect(enumeration.notices.map(\.id) == [.duplicateKey])
    }

    @Test func `a device whose axes cannot be read leaves both kinds unknown`() throws {
        var world = FakeWorld.controller()
        world.add(input: 2, named: "odd", axes: "not a bitmap")
        let (sensors, enumeration) = try world.found()
        #expect(sensors.count == 2)
        #expect(enumeration.obstacles.map(\.kind) == [.accelerometer, .gyroscope])
        #expect(enumeration.obstacles.allSatisfy { $0.cause == .indeterminate && !$0.remedies.isEmpty })
    }

    @Test func `a machine whose input devices cannot be determined may have a motion sensor`() {
        var world = FakeWorld()
        #expect(!EvdevDriver.hasDevices(in: world))
        world.errors["input"] = .permissionDenied
        #expect(EvdevDriver.hasDevices(in: world))
    }

    @Test func `a device that went meanwhile is none`() throws {
        var world = FakeWorld.controller()
        world.devices["input", default: []].append("/sys/devices/platform/gone/input/input3/event3")
        let (sensors, enumeration) = try world.found()
        #expect(sensors.count == 2 && enumeration.obstacles.isEmpty)
    }

    @Test func `a node that this user may not read is denied, and is not opened`() throws {
        var world = FakeWorld()
        world.add(input: 7, named: "pad", axes: "3f", readable: false) { () throws(DriverError) -> any Channel in
            Issue.record("the node is opened")
            throw DriverError(errno: .permissionDenied, subject: "the node")
        }
        let (sensors, _) = try world.found()
        #expect(sensors.count == 2)
        for sensor in sensors.values {
            #expect(
                sensor.access == .denied && sensor.isValueDenied && sensor.availability == .unavailable(.indeterminate))
            #expect(
                sensor.accessRemedies.first?.words.contains("setfacl -m \"u:$(id -un):r\" /dev/input/event7") == true)
            #expect(!sensor.accessRemedies.contains { $0.words.contains("usermod") })
            let evidence = try #require(sensor.evidence.first)
            #expect(evidence.errno == "EACCES" && evidence.said.contains("this user may not read it"))
        }
    }
}

@Suite struct CapabilityBitmapTests {
    @Test func `the last word holds the lowest bits`() throws {
        let bitmap = try #require(CapabilityBitmap(Array("100000000 40\n".utf8)))
        #expect(bitmap.contains(6) && !bitmap.contains(5) && !bitmap.contains(32))
        #expect(CapabilityBitmap(Array("3f\n".utf8))?.motionAxes == Set(MotionAxis.allCases))
        #expect(CapabilityBitmap(Array("0\n".utf8))?.motionAxes == [])
        #expect(CapabilityBitmap(Array("180000000".utf8))?.contains(31) == true)
        #expect(CapabilityBitmap(Array("180000000".utf8))?.contains(32) == false)
    }

    @Test(arguments: ["", "\n", "0x40", "40g", "-1", "4 0 z", "10000000000000000", "4\u{0}0", "4,0", "+4", "4F"])
    func `other text is no bitmap`(text: String) { #expect(CapabilityBitmap(Array(text.utf8)) == nil) }

    @Test func `a long text is no bitmap`() {
        #expect(CapabilityBitmap(Array(repeating: UInt8(ascii: "4"), count: 100_000)) == nil)
    }
}
