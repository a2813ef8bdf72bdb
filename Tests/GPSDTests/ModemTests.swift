import DriverKit
import DriverTesting
import Readiness
import Support
import Synchronization
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

    private func sensor(
        _ world: FakeWorld, _ depth: Depth = .sample, criteria: FixCriteria = FixCriteria()
    ) throws -> Sensor? {
        let session = try GPSDDriver(criteria: criteria).open(world, until: .now.advanced(bySeconds: 5))
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

    @Test func `a probe that takes gpsd's receivers from a watch still asks the modem`() throws {
        let gpsd = ManualGPSD()
        var world = world(Self.answer(), positions: [Self.position("120000"), Self.position("120001")])
        world.channels[local] = gpsd.world.channels[local]
        let driver = GPSDDriver()
        let monitor = try ChangeMonitor(.sample) { _ in }
        defer { monitor.cancel() }
        let source = try #require(driver.changeSources.last)
        detach { [world] in _ = try? source(world, monitor) }
        try #require(RunningGPSD.wait(10) { gpsd.isWatched })
        gpsd.say(Recorded.report(second: 56))
        let deadline = Instant.now.advanced(bySeconds: 5)
        let session = try driver.open(world, until: deadline)
        let candidates = try session.enumeration(.sample, until: deadline).candidates
        #expect(candidates.map(\.sensor.path) == [Recorded.path, Self.object] && gpsd.connections == 1)
        for candidate in candidates {
            #expect(session.look(at: candidate, .sample, until: deadline).sensor.availability == .available)
        }
    }

    @Test(.waits) func `a fix whose time stands still, or that has none, is not known to be recent`() throws {
        for time in ["120000", nil] {
            let sensor = try #require(try sensor(world(Self.answer(), positions: [Self.position(time)])))
            #expect(sensor.availability == .unavailable(.indeterminate))
            #expect(sensor.detail?.contains("cannot be determined") == true)
        }
    }

    @Test func `a fix of two dimensions is none where three are required`() throws {
        let positions = ["120000", "120001"].map { Self.position($0, altitude: false) }
        for (fix, availability) in [
            (PositionReading.Fix.twoDimensional, Availability.available), (.threeDimensional, .unavailable(.noFix)),
        ] {
            let sensor = try #require(
                try sensor(world(Self.answer(), positions: positions), criteria: FixCriteria(minimumFix: fix)))
            #expect(sensor.availability == availability)
            #expect((sensor.detail == "a 2D fix, and 3D is required") == (fix == .threeDimensional))
        }
    }

    @Test(arguments: [
        (7, 1, "sudo mmcli -m 3 --location-enable-gps-raw --location-enable-gps-nmea"),
        (3, 1, "sudo mmcli -m 3 --location-enable-gps-raw"),
        (7, 16, "add the modem's NMEA port to gpsd, with sudo gpsdctl add"),
        (7, 5, "sudo mmcli -m 3 --location-enable-gps-raw"),
        (5, 5, "add the modem's NMEA port to gpsd, with sudo gpsdctl add"),
        (5, 1, "add the modem's NMEA port to gpsd, with sudo gpsdctl add"),
        (17, 1, "sudo mmcli -m 3 --location-enable-gps-unmanaged"),
    ])
    func `one that gives no positions is inactive`(capabilities: Int, enabled: Int, remedy: String) throws {
        let sensor = try #require(try sensor(world(Self.answer(capabilities: capabilities, enabled: enabled))))
        #expect(sensor.availability == .unavailable(.inactive) && sensor.remedies.first?.words == remedy)
        // What is on is not told as off.
        #expect(sensor.detail?.contains("not switched on") == (enabled == 1))
        #expect(sensor.detail?.contains("only its NMEA sentences") == (enabled & 4 != 0))
        // A modem without positions is not told to give some.
        #expect(sensor.remedies.contains { $0.words.contains("gps-raw") } == (capabilities & 2 != 0))
        #expect(sensor.remedies.last.map { $0.words.contains("unmanaged && ") } == (enabled == 16))
    }

    /// Counts requests.
    private final class Requests: Sendable {
        private let count = Mutex(0)
        var all: Int { count.withLock(\.self) }
        var isFirst: Bool {
            count.withLock { count in
                count += 1
                return count == 1
            }
        }
    }

    @Test(.waits) func `a position is asked for four times a second, not without a pause`() throws {
        var world = world(Self.answer(), positions: [Self.position("120000")])
        let answering = try #require(world.channels[.modemManager])
        let requests = Requests()
        @Sendable func open() throws(DriverError) -> any Channel {
            _ = requests.isFirst
            return try answering()
        }
        world.channels[.modemManager] = open
        let began = Instant.now
        _ = try sensor(world)
        // For the two seconds that it has; one request lists the modems.
        #expect(began.seconds(to: .now) > 1 && requests.all <= 10)
    }

    @Test func `a modem whose position cannot be asked for is told with the remedy of its machine`() throws {
        let missing = DriverError(errno: .noSuchFileOrDirectory, subject: Self.subject)
        for (isContainer, remedy) in [
            (false, "sudo systemctl start dbus ModemManager"), (true, HostMount.systemBus.remedy.words),
        ] {
            var world = world(Self.answer())
            world.nodes["/run/systemd/system"] = NodeStatus(owner: 0, group: 0, mode: 0o755, readable: true)
            if isContainer { world.add("/run/.containerenv", "") }
            let answering = try #require(world.channels[.modemManager])
            let requests = Requests()
            @Sendable func open() throws(DriverError) -> any Channel {
                guard requests.isFirst else { throw missing }
                return try answering()
            }
            world.channels[.modemManager] = open
            let sensor = try #require(try sensor(world))
            #expect(sensor.availability == .unavailable(.indeterminate))
            #expect(sensor.remedies.first?.words.hasPrefix(remedy) == true, "\(sensor.remedies.map(\.words))")
        }
    }

    @Test func `one whose position polkit refuses is denied, with a rule that permits it`() throws {
        let refused = DriverError(.refused, errno: .permissionDenied, subject: "ModemManager", detail: "not authorized")
        var world = world(Self.answer())
        let answering = try #require(world.channels[.modemManager])
        let requests = Requests()
        // Each request has a channel of its own: the modems are listed first.
        @Sendable func open() throws(DriverError) -> any Channel {
            guard requests.isFirst else { throw refused }
            return try answering()
        }
        world.channels[.modemManager] = open
        let sensor = try #require(try sensor(world))
        #expect(sensor.access == .denied && sensor.isValueDenied)
        let words = sensor.accessRemedies.map(\.words)
        #expect(words.first == Remedy.option(.asRoot).words && words.count == 2)
        #expect(words.last?.contains("org.freedesktop.ModemManager1.Location") == true)
        #expect(words.last?.contains(#"' "$(id -un)" | sudo tee"#) == true, "\(words)")
    }

    @Test func `the rule of polkit is for the user of the unit that is refused`() throws {
        let refused = DriverError(.refused, errno: .permissionDenied, subject: "ModemManager", detail: "not authorized")
        var world = world(Self.answer())
        world.subject = .unit("lab.service")
        world.user = Account(user: 1005, groups: [1005], loginGroups: [1005])
        let answering = try #require(world.channels[.modemManager])
        let requests = Requests()
        @Sendable func open() throws(DriverError) -> any Channel {
            guard requests.isFirst else { throw refused }
            return try answering()
        }
        world.channels[.modemManager] = open
        let words = try #require(try sensor(world)).accessRemedies.map(\.words)
        #expect(words.last?.contains(#"' "$(id -un 1005)" | sudo tee"#) == true, "\(words)")
    }

    // MARK: ModemManager cannot be asked

    /// What is told of a modem if asking ModemManager fails.
    private func obstacles(
        _ error: DriverError, isContainer: Bool, _ change: (inout FakeWorld) -> Void = { _ in }
    ) throws -> [Obstacle] {
        var world = world("")
        @Sendable func refuse() throws(DriverError) -> any Channel { throw error }
        world.channels[.modemManager] = refuse
        if isContainer { world.add("/run/.containerenv", "") }
        for mark in ["/run/udev/data", "/run/systemd/system"] {
            world.nodes[mark] = NodeStatus(owner: 0, group: 0, mode: 0o755, readable: true)
        }
        change(&world)
        let session = try GPSDDriver().open(world, until: .now.advanced(bySeconds: 5))
        return try session.enumeration(.sample, until: .now.advanced(bySeconds: 5)).obstacles
            .filter { $0.cause == .indeterminate }
    }

    private static let subject = Endpoint.modemManager.description
    private static let failures: [(DriverError, host: String?, container: String?)] = [
        (
            .unowned("org.freedesktop.ModemManager1", subject: subject), nil, "start ModemManager on the host"
        ),
        (
            DriverError(errno: .noSuchFileOrDirectory, subject: subject), "sudo systemctl start dbus ModemManager",
            HostMount.systemBus.remedy.words
        ),
        (
            DriverError(errno: .connectionRefused, subject: subject), "sudo systemctl start dbus ModemManager",
            "start ModemManager on the host"
        ),
        (
            DriverError(.timedOut, subject: subject), "sudo systemctl restart ModemManager",
            "restart ModemManager on the host"
        ),
        (
            DriverError(.closed, subject: subject), "check that this machine knows this user",
            "run the container as a user that the host knows"
        ),
        (
            DriverError(.unsupported, subject: subject), "sudo apt-get install libsystemd0",
            "sudo apt-get install libsystemd0"
        ),
        (
            DriverError(errno: .permissionDenied, subject: subject),
            "let this user send to org.freedesktop.ModemManager1, in the policy of the bus (/etc/dbus-1/system.d)",
            "let this user send to org.freedesktop.ModemManager1, in the bus's policy on the host"
        ),
    ]

    @Test(arguments: failures)
    func `a ModemManager that cannot be asked is told with the reason and its remedy`(
        error: DriverError, host: String?, container: String?
    ) throws {
        for (isContainer, expected) in [(false, host), (true, container)] {
            let obstacles = try obstacles(error, isContainer: isContainer)
            let told = obstacles.map { $0.remedies.first?.words ?? "" }
            #expect(told.count == (expected == nil ? 0 : 1))
            #expect(told.allSatisfy { $0.hasPrefix(expected ?? "") }, "\(told)")
            #expect(obstacles.allSatisfy { $0.detail.contains(error.reason) && !$0.evidence.isEmpty })
        }
    }

    @Test func `a container without udev's database cannot tell whether a port on USB is a modem's`() throws {
        let missing = DriverError(errno: .noSuchFileOrDirectory, subject: Self.subject)
        func blind(isContainer: Bool, _ change: (inout FakeWorld) -> Void = { _ in }) throws -> [Obstacle] {
            try obstacles(missing, isContainer: isContainer) { world in
                world.nodes["/run/udev/data"] = nil
                for number in 1...2 { world.files["/run/udev/data/c188:\(number)"] = nil }
                change(&world)
            }
        }
        #expect(try blind(isContainer: false).isEmpty)
        let told = try blind(isContainer: true)
        #expect(told.count == 2 && told.allSatisfy { $0.remedies == [HostMount.udev.remedy] })
        #expect(told.map { $0.evidence.first?.path } == ["/dev/ttyUSB1", "/dev/ttyUSB2"])
        // ModemManager tells of the modem and its ports without udev.
        let answer = Self.answer()
        #expect(
            try blind(isContainer: true) { world in
                world.channels[.modemManager] = { FakeChannel { _ in [Array(answer.utf8)] } }
            }.isEmpty)
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
