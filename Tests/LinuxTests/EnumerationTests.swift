import CUdev
import DriverKit
import SystemPackage
import Testing
import Linux

@Suite struct EnumerationTests {
    @Test func `devices are canonical paths below sys`() throws {
        let devices = try Udev.devices(in: "mem")
        #expect(devices.contains("/sys/devices/virtual/mem/null"))
        #expect(devices.allSatisfy { $0.string.hasPrefix("/sys/devices/") })
    }

    @Test(arguments: ["tty", "mem", "block", "net", "pci", "platform", "cpu"])
    func `devices are those that libudev enumerates`(in subsystem: String) throws {
        #expect(try Udev.devices(in: subsystem).map(\.string) == libudevsDevices(in: subsystem).inBusOrder(\.self))
    }

    @Test func `devices whose names are known already are left out`() throws {
        let all = try Udev.devices(in: "mem")
        let others = try Udev.devices(in: "mem", besides: ["null", "no such device"])
        #expect(others == all.filter { $0 != "/sys/devices/virtual/mem/null" } && others.count == all.count - 1)
        let world = LiveWorld(drivers: [])
        #expect(try world.devices(in: "mem", besides: ["null"]) == others)
    }

    @Test func `a subsystem that is not there has no devices`() throws {
        #expect(try Udev.devices(in: "no such subsystem").isEmpty)
        #expect(try Udev.devices(in: "").isEmpty)
    }

    private struct Failure: Error {}

    private func libudevsDevices(in subsystem: String) throws -> [String] {
        guard let context = unsafe udev_new() else { throw Failure() }
        defer { unsafe udev_unref(context) }
        guard let enumeration = unsafe udev_enumerate_new(context) else { throw Failure() }
        defer { unsafe udev_enumerate_unref(enumeration) }
        guard unsafe udev_enumerate_add_match_subsystem(enumeration, subsystem) >= 0,
            unsafe udev_enumerate_scan_devices(enumeration) >= 0
        else { throw Failure() }
        var paths: [String] = []
        var entry = unsafe udev_enumerate_get_list_entry(enumeration)
        while let current = unsafe entry {
            if let name = unsafe udev_list_entry_get_name(current) { paths.append(unsafe String(cString: name)) }
            unsafe entry = udev_list_entry_get_next(current)
        }
        return paths
    }
}
