import DriverKit
import DriverTesting
import Readiness
import Support
import SystemPackage
import Testing

@testable import GPSD

/// Receivers in modems, as ModemManager tells of them.
@Suite struct ModemTests {
    private static let object = "/org/freedesktop/ModemManager1/Modem/3"
    private static let modem = "\(object)\torg.freedesktop.ModemManager1.Modem"
    private static let device = "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-3"

    private static func answer(capabilities: Int? = 7, enabled: Int = 7, state: Int = 8) -> String {
        let location = "\(object)\torg.freedesktop.ModemManager1.Modem.Location"
        var lines = [
            "\(modem)\tManufacturer\tQuectel", "\(modem)\tModel\tEC25", "\(modem)\tState\t\(state)",
            "\(modem)\tDevice\t\(device)",
        ]
        if let capabilities {
            lines += ["\(location)\tCapabilities\t\(capabilities)", "\(location)\tEnabled\t\(enabled)"]
        }
        return lines.joined(separator: "\n")
    }

    /// A machine with a modem, whose port `isOwned` says is gpsd's, and a ModemManager.
    private func world(_ answer: String, isOwned: Bool = false, positions: [String] = []) -> FakeWorld {
        let devices = isOwned ? #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyUSB1"}]}"# : nil
        var world = devices.map { scripted(TimedChannel($0)) } ?? FakeWorld()
        for number in 1...2 {
            let port = "\(Self.device)/1-3:1.\(number)/ttyUSB\(number)/tty/ttyUSB\(number)"
            world.devices["tty", default: []].append(FilePath(port))
            world.add("\(port)/uevent", "MAJOR=188\nMINOR=\(number)\nDEVNAME=ttyUSB\(number)\n")
            world.add("/run/udev/data/c188:\(number)", "E:ID_MM_CANDIDATE=1\nE:ID_MODEL=EC25\n")
        }
        nonisolated(unsafe) var left = positions
        world.channels[.modemManager] = {
            FakeChannel { frame in
                if frame == Modem.call.frame { return [Array(answer.utf8)] }
                let next = unsafe left.count > 1 ? left.removeFirst() : left.first
                return next.map { [Array($0.utf8)] } ?? []
            }
        }
        return world
    }

    private static func position(_ time: String?, altitude: Bool = true) -> String {
        [
            "1\t262,02F8", time.map { "2\tutc-time\t\($0)" }, "2\tlatitude\t48.14", "2\tlongitude\t11.58",
            altitude ? "2\taltitude\t519.0" : nil,
        ].compactMap(\.self).joined(separator: "\n")
    }

    private func sensor(_ world: FakeWorld, _ depth: Depth = .sample) throws -> Sensor? {
        let session = try GPSDDriver().open(world, until: .now.advanced(bySeconds: 5))
        let enumeration = try session.enumeration(depth, until: .now.advanced(bySeconds: 5))
        #expect(enumeration.omissions().isEmpty)
        let candidate = enumeration.candidates.first { $0.sensor.path == Self.object }
        return candidate.map {
            $0.isOpen ? session.look(at: $0, depth, until: .now.advanced(bySeconds: 2)).sensor : $0.sensor
        }
    }

    @Test func `a fix whose time goes on is read`() throws {
        let world = world(Self.answer(), positions: [Self.position("120000"), Self.position("120001")])
        let sensor = try #require(try sensor(world))
        #expect(sensor.availability == .available && sensor.key == "pci0000:00/0000:00:14.0/usb1/1-3")
        #expect(sensor.name == "Quectel EC25" && sensor.access == .readable)
        guard case .position(let reading)? = sensor.reading else {
            Issue.record("no position")
            return
        }
        #expect(reading.fix == .threeDimensional && reading.latitude == 48.14 && reading.ageSeconds == 0)
    }

    @Test func `a fix whose time stands still, or that has none, is not known to be recent`() throws {
        for time in ["120000", nil] {
            let sensor = try #require(try sensor(world(Self.answer(), positions: [Self.position(time)])))
            #expect(sensor.availability == .unavailable(.indeterminate))
            #expect(sensor.detail?.contains("cannot be told") == true)
        }
    }

    @Test(arguments: [
        (7, 1, "sudo mmcli -m 3 --location-enable-gps-raw --location-enable-gps-nmea"),
        (7, 16, "add the modem's NMEA port to gpsd, with sudo gpsdctl add"),
    ])
    func `one that gives no positions is inactive`(capabilities: Int, enabled: Int, remedy: String) throws {
        let sensor = try #require(try sensor(world(Self.answer(capabilities: capabilities, enabled: enabled))))
        #expect(sensor.availability == .unavailable(.inactive) && sensor.remedies.first?.words == remedy)
    }

    @Test func `one that gpsd reads is gpsd's, and is listed once`() throws {
        #expect(try sensor(world(Self.answer(), isOwned: true), .state) == nil)
        #expect(try sensor(world(Self.answer()), .state)?.availability == .available)
    }

    @Test func `a modem without a receiver is none, and a locked one leaves it unknown`() throws {
        #expect(try sensor(world(Self.answer(capabilities: 1))) == nil)
        let world = world(Self.answer(capabilities: nil, state: 2))
        let session = try GPSDDriver().open(world, until: .now.advanced(bySeconds: 5))
        let obstacles = try session.enumeration(.sample, until: .now.advanced(bySeconds: 5)).obstacles
        #expect(obstacles.contains { $0.cause == .indeterminate && $0.detail.contains("locked") })
    }

    @Test func `without a modem, at depth presence, and of another machine, the bus is not opened`() throws {
        func checked(_ world: FakeWorld, _ driver: GPSDDriver, _ depth: Depth) throws {
            var world = world
            world.channels[.modemManager] = {
                Issue.record("opened the bus")
                return FakeChannel()
            }
            let session = try driver.open(world, until: .now.advanced(bySeconds: 5))
            _ = try session.enumeration(depth, until: .now.advanced(bySeconds: 5))
        }
        try checked(world(Self.answer()), GPSDDriver(), .presence)
        try checked(world(Self.answer()), GPSDDriver(HostPort(host: "far", port: 2947)), .sample)
        try checked(FakeWorld(), GPSDDriver(), .sample)
    }

    @Test func `positions are rounded in an anonymized recording, and cells are removed`() {
        struct Names: Pseudonymizer {
            func pseudonym(of address: [UInt8]) -> [UInt8] { address }
            func replacing(inStream frames: [[UInt8]]) -> [[UInt8]] { frames }
        }
        let frame = Array(Self.position("120000").utf8)
        let anonymizer = PositionAnonymizer()
        #expect(anonymizer.covers(Endpoint.modemManager.description))
        let text = String(
            decoding: anonymizer.anonymized([frame], of: Endpoint.modemManager.description, by: Names())[0],
            as: UTF8.self)
        #expect(text == "1\t\n2\tutc-time\t120000\n2\tlatitude\t48.1\n2\tlongitude\t11.6\n2\taltitude\t500.0")
    }

    @Test func `mutants of the answers do no harm`() {
        let seeds = [Self.answer(), Self.position("120000")].map { Array($0.utf8) }
        for mutant in Mutations(of: seeds, count: 5000) {
            for modem in Modem.modems(parsing: mutant) { _ = (modem.inactivity, modem.lock, modem.evidence) }
            if let position = ModemPosition(parsing: mutant) {
                #expect(abs(position.latitude) <= 90 && abs(position.longitude) <= 180)
            }
        }
    }
}
