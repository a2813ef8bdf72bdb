import DriverKit
import Testing

@testable import Udev

@Suite struct ModuleTests {
    @Test(arguments: [
        ("kernel/drivers/iio/imu/bmi160/bmi160_i2c.ko.xz", "bmi160_i2c"),
        ("kernel/drivers/iio/accel/hid-sensor-accel-3d", "hid_sensor_accel_3d"), ("", ""),
    ])
    func `a module's name is that of its file`(path: String, name: String) {
        #expect(moduleName(of: path) == name)
    }
}
