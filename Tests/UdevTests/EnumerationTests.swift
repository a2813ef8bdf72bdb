import DriverKit
import SystemPackage
import Testing
import Udev

@Suite struct EnumerationTests {
    @Test func `devices are canonical paths below sys`() throws {
        let devices = try Udev.devices(in: "mem")
        #expect(devices.contains("/sys/devices/virtual/mem/null"))
        #expect(devices.allSatisfy { $0.string.hasPrefix("/sys/devices/") })
    }

    @Test func `a subsystem that is not there has no devices`() throws {
        #expect(try Udev.devices(in: "no such subsystem").isEmpty)
        #expect(try Udev.devices(in: "").isEmpty)
    }
}
