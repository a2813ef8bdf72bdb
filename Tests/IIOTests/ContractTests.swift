import DriverKit
import DriverTesting
import Support
import Testing
@testable import IIO

@Suite struct ContractTests {
    @Test func `the local driver keeps the contract`() {
        let contract = DriverContract(
            IIODriver(),
            in: [
                "six axes": { LocalTests.sixAxis },
                "a chip without driver, and a step counter": {
                    var world = FakeWorld()
                    world.add(chip: "/sys/devices/i2c-1/1-0069", in: "i2c", "MODALIAS=i2c:bmi160\n")
                    world.modules["i2c:bmi160"] = ["kernel/drivers/iio/imu/bmi160/bmi160_i2c.ko"]
                    world.add(name: "bma400", ["in_steps_input": "7", "in_steps_en": "1"])
                    return world
                },
                "nothing": { FakeWorld() },
            ])
        #expect(contract.run() == [])
    }

    @Test func `the driver of contexts keeps the contract`() {
        let contract = DriverContract(
            RemoteIIODriver(uri: RemoteTests.uri), in: ["a context": { RemoteTests.world(RemoteTests.values) }])
        #expect(contract.run() == [])
    }
}
