import DriverKit
import DriverTesting
import Support
import SystemPackage
import Testing
@testable import GPSD

@Suite struct ContractTests {
    @Test func `the driver keeps the contract`() {
        let contract = DriverContract(
            GPSDDriver(),
            in: [
                "a receiver without a fix": { scripted(TimedChannel(reports: [(0.1, Recorded.noFix)])) },
                "a receiver with an inertial unit": {
                    scripted(
                        TimedChannel(reports: [(0.1, Recorded.inertial), (0.2, Recorded.report())]))
                },
                "a receiver that no gpsd owns": {
                    var world = FakeWorld()
                    let device = "/sys/devices/platform/serial8250/tty/ttyACM0"
                    world.devices["tty"] = [FilePath(device)]
                    world.add("\(device)/uevent", "MAJOR=166\nMINOR=0\nDEVNAME=ttyACM0\n")
                    world.add("/run/udev/data/c166:0", "E:ID_VENDOR_ID=1546\nE:ID_MODEL_ID=01a8\n")
                    return world
                },
            ])
        #expect(contract.run() == [])
    }
}
