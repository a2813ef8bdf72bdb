import DriverKit
import Readiness
import Support
import SystemPackage
import Testing
@testable import GPSD

/// Receivers that the kernel shows, compared with gpsd's list.
@Suite struct PortTests {
    private static let place = "pci-0000:00:14.0-usb-0:1:1.0"

    /// A world with one USB serial port, known to udev.
    private func world(
        _ channel: TimedChannel? = nil, vendor: String = "1546", product: String = "01a7",
        model: String = "u-blox_7_-_GPS_GNSS_Receiver"
    ) -> FakeWorld {
        var world = channel.map(scripted) ?? FakeWorld()
        let device = "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-1/1-1:1.0/tty/ttyACM0"
        world.devices["tty"] = ["/sys/devices/virtual/tty/tty0", FilePath(device)]
        world.add("/sys/devices/virtual/tty/tty0/uevent", "DEVNAME=tty0\n")
        world.add("\(device)/uevent", "MAJOR=166\nMINOR=0\nDEVNAME=ttyACM0\n")
        world.add(
            "/run/udev/data/c166:0",
            "E:ID_VENDOR_ID=\(vendor)\nE:ID_MODEL_ID=\(product)\nE:ID_MODEL=\(model)\n"
                + "S:serial/by-path/pci-0000:00:14.0-usbv2-0:1:1.0\nS:gps0\n"
                + "S:serial/by-path/\(Self.place)\n")
        return world
    }

    @Test func `a receiver that gpsd does not own is inactive`() throws {
        let probe = try DriverHarness(world(TimedChannel(Recorded.noDevices)))
        let sensor = try #require(probe.enumeration.candidates.first?.sensor)
        #expect(sensor.availability == .unavailable(.inactive) && sensor.key == Self.place)
        #expect(sensor.path == "/dev/ttyACM0" && sensor.remedy == "sudo gpsdctl add /dev/ttyACM0")
        #expect(sensor.name == "u-blox 7 - GPS GNSS Receiver" && !probe.enumeration.candidates[0].isOpen)
        #expect(probe.enumeration.candidates.count == 1)
    }

    @Test func `ports are listed again once nothing tells of their changes any more`() throws {
        var world = world()
        // It ends after the first look.
        world.channels[.uevents] = { FakeChannel(ends: true) }
        let driver = GPSDDriver()
        let monitor = try ChangeMonitor(.presence) { _ in }
        let devices = try #require(driver.changeSources.first)
        #expect(throws: DriverError.self) { try devices(world, monitor) }
        func keys() throws -> [String] {
            let deadline = Instant.now.advanced(bySeconds: 5)
            let session = try driver.open(world, until: deadline)
            return try session.enumeration(.presence, until: deadline).candidates.map(\.sensor.key)
        }
        let before = try keys()
        world.devices["tty"] = []
        #expect(try before == [Self.place] && keys() == [])
    }

    @Test(arguments: ["/dev/ttyACM0", "/dev/gps0", "/dev/serial/by-path/\(place)"])
    func `a receiver that gpsd owns by any name is reported once under its place`(_ path: String) throws {
        let devices = #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"\#(path)"}]}"#
        let candidates = try DriverHarness(world(TimedChannel(devices)), .state).enumeration.candidates
        #expect(candidates.map(\.sensor.key) == [Self.place])
        #expect(candidates.first?.sensor.availability == .available)
    }

    /// A world with the receiver of the demonstration's recording.
    private func recorded(_ devices: String, nodes: [String] = ["ttyACM0"]) -> FakeWorld {
        var world = scripted(TimedChannel(devices))
        for (number, node) in nodes.enumerated() {
            let device = "/sys/devices/platform/dummy_hcd.0/usb1/1-1/1-1:1.\(number)/tty/\(node)"
            world.devices["tty", default: []].append(FilePath(device))
            world.add("\(device)/uevent", "MAJOR=166\nMINOR=\(number)\nDEVNAME=\(node)\n")
            world.add("/run/udev/data/c166:\(number)", Recorded.udevRecord)
        }
        return world
    }

    @Test func `the links of a record are those of udev`() {
        let properties = Properties(parsing: Array((Recorded.udevRecord + "S:\n").utf8), prefix: "E:")
        #expect(
            properties.links == [
                "/dev/serial/by-path/platform-dummy_hcd.0-usb-0:1:1.0",
                "/dev/serial/by-id/usb-u-blox_AG_-_www.u-blox.com_u-blox_GNSS_receiver-if00", "/dev/gps0",
            ])
        #expect(properties["ID_BUS"] == "usb" && properties["serial/by-path"] == nil)
        #expect(Properties(parsing: Array("S:gps0\nA=1\n".utf8)).links.isEmpty)
    }

    @Test(arguments: [
        "/dev/ttyACM0", "/dev/gps0", "/dev/serial/by-path/platform-dummy_hcd.0-usb-0:1:1.0",
        "/dev/serial/by-id/usb-u-blox_AG_-_www.u-blox.com_u-blox_GNSS_receiver-if00",
    ])
    func `a real record gives the by-path key for any name that gpsd uses`(_ path: String) throws {
        let devices = #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"\#(path)"}]}"#
        let enumeration = try DriverHarness(recorded(devices), .state).enumeration
        #expect(enumeration.candidates.map(\.sensor.key) == ["platform-dummy_hcd.0-usb-0:1:1.0"])
        #expect(enumeration.candidates.map(\.sensor.path) == ["/dev/ttyACM0"] && enumeration.notices.isEmpty)
        #expect(enumeration.candidates.first?.sensor.availability == .available)
    }

    @Test func `equal places are distinguished by their order, with a notice`() throws {
        let enumeration = try DriverHarness(recorded(Recorded.closed, nodes: ["ttyACM0", "ttyACM1"]), .state)
            .enumeration
        let key = "platform-dummy_hcd.0-usb-0:1:1.0"
        #expect(enumeration.candidates.map(\.sensor.key) == [key, "\(key)#2"])
        #expect(enumeration.candidates.map(\.sensor.path) == ["/dev/ttyACM0", "/dev/ttyACM1"])
        #expect(enumeration.candidates.flatMap(\.sensor.evidence).map(\.sensor) == [key, "\(key)#2"])
        #expect(enumeration.notices.map(\.id) == [.duplicateKey] && enumeration.notices.first?.sensor == "\(key)#2")
    }

    @Test func `without udev the bus identifies it`() throws {
        var world = world(TimedChannel(Recorded.noDevices))
        world.files["/run/udev/data/c166:0"] = nil
        let folder = "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-1"
        world.add("\(folder)/idVendor", "1546\n")
        world.add("\(folder)/idProduct", "01a8\n")
        let sensor = try #require(try DriverHarness(world).enumeration.candidates.first?.sensor)
        #expect(sensor.name == "u-blox 8" && sensor.key == "/dev/ttyACM0")
    }

    @Test func `an adapter that may carry anything is not called a receiver outright`() throws {
        let probe = try DriverHarness(
            world(TimedChannel(Recorded.noDevices), vendor: "10c4", product: "ea60", model: "CP2102"))
        let detail = probe.enumeration.candidates.first?.sensor.detail
        #expect(detail?.contains("gpsd's udev rules match every CP210x serial adapter") == true)
    }

    @Test(arguments: [("2341", "0043", "Uno"), ("1546", "1102", "u-blox_Cellular_Modem")])
    func `another serial port is not a receiver`(_ vendor: String, _ product: String, _ model: String) throws {
        let world = world(TimedChannel(Recorded.noDevices), vendor: vendor, product: product, model: model)
        #expect(try DriverHarness(world).enumeration.candidates.isEmpty)
    }

    @Test func `a receiver of the GNSS class has the place of its parent`() throws {
        var world = scripted(TimedChannel(Recorded.noDevices))
        let device = "/sys/devices/platform/soc/3f201000.serial/serial0/serial0-0/gnss/gnss0"
        world.devices["gnss"] = [FilePath(device)]
        world.add("\(device)/uevent", "MAJOR=246\nMINOR=0\nDEVNAME=gnss0\n")
        world.add("\(device)/type", "UBX\n")
        let sensor = try #require(try DriverHarness(world).enumeration.candidates.first?.sensor)
        #expect(sensor.key == "platform/soc/3f201000.serial/serial0/serial0-0" && sensor.name == "UBX receiver")
        #expect(sensor.remedy == "sudo gpsdctl add /dev/gnss0")
    }

    @Test func `a list of ports is cached until a udev event or a time limit`() throws {
        let begin = Instant(nanoseconds: 1_000_000_000_000)
        var world = world()
        func count(_ cache: PortCache, after seconds: Double) throws -> Int {
            world.clock = { begin.advanced(bySeconds: seconds) }
            return try cache.ports(in: world).count
        }
        let cache = PortCache()
        #expect(try count(cache, after: 0) == 1)
        world.devices["tty"] = []
        // No udev event would be received, so nothing is cached.
        #expect(try count(cache, after: 1) == 0)
        cache.forget(isNotified: true)
        #expect(try count(cache, after: 2) == 0)
        world = self.world()
        #expect(try count(cache, after: 61) == 0)
        #expect(try count(cache, after: 63) == 1)
        world.devices["tty"] = []
        cache.forget(isNotified: true)
        #expect(try count(cache, after: 64) == 0)
        world = self.world()
        cache.forget(isNotified: false)
        #expect(try count(cache, after: 65) == 1)
        world.devices["tty"] = []
        #expect(try count(cache, after: 66) == 0)
    }

    @Test func `another machine's gpsd does not affect our ports`() throws {
        let channel = TimedChannel(Recorded.open)
        var world = world(channel)
        world.channels[.gpsd(host: "bench-07", port: 2947)] = { channel }
        world.add("/proc/sys/kernel/hostname", "field-kit\n")
        #expect(
            try DriverHarness(world, host: "bench-07", .state).enumeration.candidates.map(\.sensor.key) == [
                "/dev/ttyACM0"
            ])
        world.add("/proc/sys/kernel/hostname", "bench-07\n")
        #expect(
            try DriverHarness(world, host: "bench-07", .state).enumeration.candidates.map(\.sensor.key) == [Self.place])
    }

    @Test func `at depth presence the kernel's receiver is unknown`() throws {
        let enumeration = try DriverHarness(world(), .presence).enumeration
        #expect(enumeration.candidates.map(\.sensor.availability) == [.unavailable(.indeterminate)])
        #expect(enumeration.obstacles.map(\.cause) == [.indeterminate])
    }

    @Test func `without gpsd the receiver is inactive`() throws {
        let enumeration = try DriverHarness(world()).enumeration
        #expect(enumeration.candidates.map(\.sensor.availability) == [.unavailable(.inactive)])
        #expect(enumeration.obstacles.map(\.cause) == [.unreachable])
    }

    @Test func `if gpsd is stuck its receiver is unreachable`() throws {
        var world = world()
        world.channels[local] = { FakeChannel() }
        let enumeration = try DriverHarness(world, seconds: 0.2).enumeration
        #expect(enumeration.candidates.map(\.sensor.availability) == [.unavailable(.unreachable)])
    }
}
