import DriverKit
import Readiness
import Support
import SystemPackage
import Testing
@testable import Bluetooth

@Suite("Obstacles")
struct ObstacleTests {
    @Test func `no sockets in a container's network namespace is unknown, and the notice says container`() throws {
        var rig = Rig()
        rig.list("hci0")
        rig.world.add("/.dockerenv", "")
        rig.world.files["/proc/sys/net/core/dev_weight"] = nil
        rig.close(.addressFamilyNotSupported)
        let enumeration = try rig.enumeration()
        #expect(enumeration.state == .unavailable)
        #expect(enumeration.obstacles.map(\.cause) == [.indeterminate])
        #expect(enumeration.obstacles[0].detail.contains("container"))
        #expect(enumeration.obstacles[0].evidence.contains { $0.errno == "EAFNOSUPPORT" })
        #expect(enumeration.notices.map(\.id) == [.containerized])
        #expect(enumeration.sensors.map(\.availability) == [.unavailable(.indeterminate)])
        #expect(enumeration.sensors.first?.remedy?.hasPrefix("run it on the host") == true)
    }

    @Test func `a container on the host's network whose kernel shows no Bluetooth is unknown too`() throws {
        var rig = Rig()
        rig.unload()
        rig.world.add("/proc/1/cgroup", "0::/kubepods/burstable/pod1\n")
        rig.close(.addressFamilyNotSupported)
        let enumeration = try rig.enumeration()
        #expect(enumeration.obstacles.map(\.cause) == [.indeterminate])
        #expect(enumeration.notices.map(\.id) == [.containerized])
    }

    @Test func `a container without a mark is one whose processes are not the host's`() throws {
        func notices(_ second: String?) throws -> [Notice.ID] {
            var rig = Rig()
            rig.unload()
            rig.world.add("/proc/1/comm", "init\n")
            if let second { rig.world.add("/proc/2/comm", second) }
            rig.close(.addressFamilyNotSupported)
            return try rig.enumeration().notices.map(\.id)
        }
        #expect(try notices("kthreadd\n").isEmpty)
        #expect(try notices("sleep\n") == [.containerized])
        #expect(try notices(nil) == [.containerized])
    }

    @Test func `a bus that closes the connection does not know the container's user`() {
        let closed = DriverError(.closed, errno: .socketNotConnected, subject: "bus")
        func remedy(isContainer: Bool) -> String? {
            var rig = Rig()
            if isContainer { rig.contain() }
            return closed.busRemedies(of: .bluez, service: .bluetoothd, in: rig.world).words
        }
        #expect(remedy(isContainer: true)?.contains("--user 65534") == true)
        #expect(remedy(isContainer: false)?.contains("--user") == false)
        #expect(remedy(isContainer: false)?.contains("getent passwd") == true)
    }

    @Test func `no sockets behind a seccomp filter is a restricted unit`() throws {
        var rig = Rig()
        rig.unload()
        rig.world.add("/proc/self/status", "Seccomp:\t2\n")
        rig.close(.addressFamilyNotSupported)
        let enumeration = try rig.enumeration()
        #expect(enumeration.obstacles.map(\.cause) == [.indeterminate])
        #expect(enumeration.obstacles[0].remedy?.contains("RestrictAddressFamilies") == true)
        #expect(enumeration.notices.isEmpty)
    }

    @Test func `no sockets where the kernel has Bluetooth is unknown`() throws {
        var rig = Rig()
        rig.list("hci0")
        rig.close(.addressFamilyNotSupported)
        let enumeration = try rig.enumeration()
        #expect(enumeration.state == .unavailable)
        #expect(enumeration.obstacles.map(\.cause) == [.indeterminate])
    }

    @Test func `no sockets and a blocked switch is not absent`() throws {
        var rig = Rig()
        rig.addSwitch(0, "ideapad_bluetooth", soft: true)
        rig.close(.addressFamilyNotSupported)
        let enumeration = try rig.enumeration()
        #expect(enumeration.obstacles.map(\.cause) == [.indeterminate])
        #expect(enumeration.obstacles[0].evidence.contains { $0.path == "/sys/class/rfkill/rfkill0" })
    }

    @Test func `a plain host whose kernel has not loaded Bluetooth has none, and is not made to load it`() throws {
        var rig = Rig()
        rig.unload()
        rig.serve(.management) {
            Issue.record("opened the socket, which loads the module")
            return FakeChannel()
        }
        let enumeration = try rig.enumeration()
        #expect((enumeration.state, enumeration.access) == (.ok, .unknown))
        #expect(enumeration.obstacles.map(\.cause) == [.absent])
        #expect(enumeration.accessEvidence?.said.contains("not loaded") == true)
    }

    @Test func `a blocked switch is reported even if the kernel's Bluetooth is not loaded`() throws {
        var rig = Rig()
        rig.unload()
        rig.addSwitch(0, "ideapad_bluetooth", hard: true)
        #expect(try rig.enumeration().obstacles.map(\.cause) == [.hardBlocked])
    }

    @Test func `no sockets and no sign of the environment is unknown`() throws {
        var rig = Rig()
        rig.world.files = [:]
        rig.close(.addressFamilyNotSupported)
        #expect(try rig.enumeration().obstacles.map(\.cause) == [.indeterminate])
    }

    @Test(arguments: [Errno.notPermitted, .permissionDenied])
    func `EPERM and EACCES are denied access`(errno: Errno) throws {
        var rig = Rig()
        rig.list("hci0")
        rig.close(errno)
        // The fallback would answer; a denial is not bypassed.
        rig.answerIoctls(Packets.deviceList([(0, 1)]), [Packets.deviceInformation(0, flags: 1)])
        let enumeration = try rig.enumeration()
        #expect(enumeration.access == .denied)
        #expect(enumeration.accessEvidence?.errno == errno.name)
        #expect(enumeration.obstacles.map(\.cause) == [.indeterminate])
        #expect(enumeration.sensors.map(\.access) == [.denied])
        #expect(enumeration.sensors.map(\.availability) == [.unavailable(.indeterminate)])
        #expect(
            enumeration.accessRemedy == "run again with sudo; sudo systemctl start dbus bluetooth"
                && enumeration.sensors.map(\.accessRemedy) == [enumeration.accessRemedy])
        rig.world.add("/.dockerenv", "")
        #expect(try rig.enumeration().accessRemedies.first?.words == "run it on the host")
    }

    @Test func `where sockets and the bus are out of reach, the remedy of the bus is that of the machine`() throws {
        for (file, text, remedy) in [
            ("/.dockerenv", "", HostMount.systemBus.remedy),
            ("/proc/self/status", "Seccomp:\t2\n", .command("sudo systemctl start dbus bluetooth")),
        ] {
            var rig = Rig()
            rig.list("hci0")
            rig.world.add(file, text)
            rig.close(.permissionDenied)
            let enumeration = try rig.enumeration()
            #expect(enumeration.access == .denied)
            #expect(enumeration.accessRemedies.map(\.words).contains(remedy.words), "\(enumeration.accessRemedies)")
        }
    }

    @Test(arguments: [
        (Errno.noSuchFileOrDirectory, true), (.operationNotSupportedByDevice, true), (.ioError, false),
    ])
    func `a switch that was removed after it was listed is no failure`(errno: Errno, isGone: Bool) {
        var rig = Rig()
        rig.addSwitch(0, "hci0")
        rig.addSwitch(1, "ideapad_bluetooth", soft: true)
        rig.world.errors["/sys/class/rfkill/rfkill0/type"] = errno
        let switches = RfkillSwitches.read(from: rig.world, mayOpen: false, until: .now.advanced(bySeconds: 1))
        #expect(switches.list.map(\.number) == [1])
        #expect((switches.failure == nil) == isGone)
    }

    @Test func `a container without sockets listens to the bus`() throws {
        var rig = Rig()
        rig.world.add("/.dockerenv", "")
        rig.refuse(.management, .addressFamilyNotSupported)
        rig.refuse(.bluez, .connectionRefused)
        let monitor = try ChangeMonitor(.state) { _ in }
        // Only where it is not: that waits without an end.
        _ = Worker.start {
            monitor.wait(.seconds(30))
            monitor.cancel()
        }
        defer { monitor.cancel() }
        let adapters = BluetoothDriver().changeSources[2]
        let error = #expect(throws: DriverError.self) { try adapters(rig.world, monitor) }
        #expect(error?.errno == .connectionRefused && error?.subject == Endpoint.bluez.description)
    }

    @Test func `after other failures of the management socket the ioctls are used`() throws {
        var rig = Rig()
        rig.addSwitch(0, "hci1", soft: true)
        rig.refuse(.management, .invalidArgument)
        rig.answerIoctls(
            Packets.deviceList([(0, 1), (1, 0)]),
            [Packets.deviceInformation(0, flags: 1, features: 0), Packets.deviceInformation(1, flags: 0)])
        let enumeration = try rig.enumeration()
        #expect(enumeration.sensors.map(\.availability) == [.unavailable(.lowEnergyOff), .unavailable(.softBlocked)])
        #expect(enumeration.sensors.map(\.key) == ["00:AA:01:00:00:01", "00:AA:01:00:00:01#2"])
        // The flags do not tell whether it is switched on.
        #expect(enumeration.sensors.map(\.adapter?.lowEnergy) == [false, nil])
        #expect((enumeration.access, enumeration.state) == (.readable, .ok))
        #expect(enumeration.detail?.contains("EINVAL") == true)
    }

    @Test func `after an unreadable list the ioctls are used`() throws {
        var rig = Rig()
        rig.answer([], list: [Array(Packets.extendedList([(0, 0), (1, 0)]).dropLast())])
        rig.answerIoctls(Packets.deviceList([(0, 1)]), [Packets.deviceInformation(0, flags: 1)])
        #expect(try rig.enumeration().sensors.map(\.availability) == [.available])
    }

    @Test(arguments: [true, false])
    func `if neither socket answers, a blocked switch is the cause only without a controller`(isListed: Bool) throws {
        var rig = Rig()
        if isListed { rig.list("hci0") }
        rig.addSwitch(0, "ideapad_bluetooth", soft: true)
        rig.refuse(.management, .ioError)
        rig.refuse(.hci, .ioError)
        let enumeration = try rig.enumeration()
        #expect(enumeration.state == .failed && enumeration.candidates.count == (isListed ? 1 : 0))
        #expect(enumeration.obstacles.map(\.cause) == [isListed ? .indeterminate : .softBlocked])
    }

    @Test func `if neither socket answers both are reported, and it is not absent`() throws {
        var rig = Rig()
        rig.list("hci0")
        rig.refuse(.management, .invalidArgument)
        rig.refuse(.hci, .tooManyOpenFiles)
        let enumeration = try rig.enumeration()
        #expect(enumeration.state == .failed)
        #expect(enumeration.obstacles.map(\.cause) == [.indeterminate])
        #expect(enumeration.obstacles[0].evidence.compactMap(\.errno) == ["EINVAL", "EMFILE"])
        #expect(enumeration.sensors.map(\.availability) == [.unavailable(.indeterminate)])
    }

    @Test func `a controller whose answer cannot be read is faulty, and the other one is not`() throws {
        var rig = Rig()
        let cut = hex("01 00  00 00  0a 00  04 00  00") + hex("00 00 00 01 aa 00  09")
        rig.answer([(0, 0), (1, 0)], with: [cut, Packets.information(1)])
        let enumeration = try rig.enumeration()
        #expect(enumeration.sensors.map(\.availability) == [.unavailable(.faulty), .available])
        #expect(enumeration.candidates.map(\.isOpen) == [false, false])
    }

    @Test func `a controller that does not answer stays unsettled, and is read again separately`() throws {
        var rig = Rig()
        rig.list("hci0")
        rig.answer([(0, 0), (1, 0)], with: [Packets.information(1)])
        let enumeration = try rig.enumeration()
        #expect(enumeration.sensors.map(\.availability) == [.unavailable(.silent), .available])
        #expect(enumeration.candidates.map(\.isOpen) == [true, false])

        rig.answer([(0, 0)], with: [Packets.information(0, current: Packets.off)])
        let until = Instant.now.advanced(bySeconds: 1)
        let finding = try rig.session().look(at: enumeration.candidates[0], .sample, until: until)
        #expect(finding.sensor.availability == .unavailable(.poweredOff))
        #expect(finding.sensor.key == enumeration.candidates[0].sensor.key)
        #expect(finding.sensor.adapter?.address == "00:AA:01:00:00:00")
    }

    @Test func `reading a controller that waits for configuration reports that`() throws {
        var rig = Rig()
        rig.answer([(0, 1)])
        let candidate = try #require(try rig.enumeration().candidates.first)
        rig.answer([(0, 1)], with: [Packets.status(0x04, 0, 0x11), Packets.configuration(0, missing: 1)])
        let finding = try rig.session().look(at: candidate, .sample, until: .now.advanced(bySeconds: 1))
        #expect(finding.sensor.availability == .unavailable(.inactive))
    }

    @Test func `a flood of events ends`() throws {
        var rig = Rig()
        rig.list("hci0")
        rig.answer([], list: [[UInt8]](repeating: Packets.newSettings, count: 5000))
        rig.refuse(.hci, .invalidArgument)
        let enumeration = try rig.enumeration()
        #expect(enumeration.obstacles.map(\.cause) == [.indeterminate])
        #expect(enumeration.detail?.contains("none is the answer") == true)
    }

    @Test func `a cancelled session opens nothing more`() throws {
        var rig = Rig()
        rig.answer([(0, 0)], with: [Packets.information(0)])
        let session = try rig.session()
        session.cancel()
        #expect(throws: DriverError(.cancelled, subject: "the Bluetooth management socket")) {
            _ = try session.enumeration(.state, until: .now.advanced(bySeconds: 1))
        }
    }
}
