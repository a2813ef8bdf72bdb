import DriverKit
import Linux
import Readiness
import Support
import SystemPackage
import Testing
@testable import IIO

@Suite struct PlaceTests {
    @Test(arguments: [
        ("i2c-1/1-0068", "i2c-1/1-0068"),
        ("pci0000:00/0000:00:1f.4/i2c-1/1-0068", "0000:00:1f.4/0068"),
        ("pci0000:00/0000:00:1f.4/i2c-7/7-0068", "0000:00:1f.4/0068"),
        ("platform/soc/fe804000.i2c/i2c-1/1-0019", "fe804000.i2c/0019"),
        ("platform/i2c-3/3-0019", "i2c-3/3-0019"),
        ("pci0000:00/0000:00:1f.4/i2c-1/i2c-5/5-0068", "i2c-5/5-0068"),
        ("platform/soc/fe204000.spi/spi_master/spi0/spi0.1", "fe204000.spi/cs1"),
        ("virtual/spi_master/spi0/spi0.1", "spi0/spi0.1"),
        (
            "pci0000:00/0000:00:14.0/usb1/1-1/1-1.2/1-1.2:1.0/0003:8086:09FA.0001/HID-SENSOR-200073.1.auto",
            "usb-1-1.2:1.0/HID-SENSOR-200073"
        ),
        ("virtual/misc/uhid/0003:1209:0001.0001/HID-SENSOR-200073.1.auto", "uhid/0003:1209:0001/HID-SENSOR-200073"),
        ("virtual/misc/uhid/0003:1209:0001.0007/HID-SENSOR-200073.12.auto", "uhid/0003:1209:0001/HID-SENSOR-200073"),
        (
            "pci0000:00/0000:00:15.0/i2c_designware.0/i2c-8/i2c-SMO91D0:00/0018:2047:0855.0001/HID-SENSOR-200076.2.auto",
            "i2c_designware.0/SMO91D0:00/HID-SENSOR-200076"
        ),
        ("platform/fe000000.adc", "fe000000.adc"),
        ("pci0000:00/0000:00:1f.0/PNP0C09:00/GOOG0004:00/cros-ec-accel.12.auto", "GOOG0004:00/cros-ec-accel"),
        ("", "virtual"),
    ])
    func `a key names the place and no number that the kernel assigns`(path: String, key: String) {
        let world = FakeWorld()
        #expect(PhysicalPlace.key(of: FilePath("/sys/devices").appending(path), in: world) == key)
    }

    @Test func `a firmware node takes precedence over the bus`() {
        var world = FakeWorld()
        let chip = "/sys/devices/platform/soc/fe804000.i2c/i2c-1/1-0068"
        world.add("\(chip)/firmware_node/path", "\\_SB_.PCI0.I2C2.ACC0\n")
        #expect(PhysicalPlace.key(of: FilePath(chip), in: world) == "acpi:_SB_.PCI0.I2C2.ACC0")
        world.add("\(chip)/uevent", "DRIVER=x\nOF_FULLNAME=/soc/i2c@7e804000/imu@68\n")
        #expect(PhysicalPlace.key(of: FilePath(chip), in: world) == "of:/soc/i2c@7e804000/imu@68")
    }

    @Test func `equal keys are numbered in bus order, with a notice each`() throws {
        var world = FakeWorld()
        let hub = "/sys/devices/virtual/misc/uhid/0003:1209:0001.0001"
        for number in [10, 9, 11] {
            world.add(
                id: "iio:device\(number)", at: "\(hub)/HID-SENSOR-200073.\(number).auto", name: "n\(number)",
                ["in_accel_x_raw": "1"])
        }
        let probe = try DriverHarness(world)
        let key = "uhid/0003:1209:0001/HID-SENSOR-200073"
        #expect(probe.sensors.map(\.key) == [key, "\(key)#2", "\(key)#3"])
        #expect(probe.sensors.map(\.name) == ["n9", "n10", "n11"])
        #expect(probe.notices.map(\.sensor) == ["\(key)#2", "\(key)#3"])
        #expect(probe.sensors.allSatisfy { sensor in sensor.evidence.allSatisfy { $0.sensor == sensor.key } })
    }
}
