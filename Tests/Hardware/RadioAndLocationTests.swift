import Testing

/// Virtual controllers and a laptop's switch, on the kernel's own Bluetooth.
@Suite struct RadioBenchTests {
    @Test(arguments: [
        ("bluetooth-unsupported", "unmet absent"), ("nothing", "unmet absent"), ("nothing-user", "unmet absent"),
        ("controller-on", "met"), ("controller-off", "unmet poweredOff"), ("soft-blocked", "unmet softBlocked"),
        ("two-controllers-one-on", "met"),
        // Without bluetoothd nothing shows that a user without CAP_NET_ADMIN may use one.
        ("two-controllers-one-on-user", "unknown indeterminate"),
        ("switch-hard-blocked", "unmet hardBlocked"), ("switch-hard-and-soft-blocked", "unmet hardBlocked"),
        ("switch-soft-blocked", "unmet softBlocked"), ("switch-alone", "unmet absent"),
        ("switch-beside-controller", "met"), ("container", "unknown indeterminate"),
    ])
    func `each state has its own cause`(name: String, standing: String) throws {
        let bench = try Bench.case(name)
        #expect(bench.standing("bluetooth") == standing)
        if standing.hasPrefix("unmet") { #expect(bench.requirement("bluetooth")?.remedy?.isEmpty == false) }
    }

    @Test func `the controller that is on decides`() throws {
        let bench = try Bench.case("two-controllers-one-on")
        #expect(bench.sensors("bluetoothAdapter").map(\.reading?.state) == ["poweredOff", "poweredOn"])
        #expect(bench.requirement("bluetooth")?.decidedBy == [bench.sensors("bluetoothAdapter")[1].key])
    }

    @Test func `a blocked radio reports which block`() throws {
        let reading = try #require(try Bench.case("soft-blocked").sensors("bluetoothAdapter").first?.reading)
        #expect(reading.softBlocked == true)
        #expect(reading.hardBlocked == false)
    }

    @Test func `a block without controller is invisible, not absent`() throws {
        let bench = try Bench.case("switch-hard-blocked")
        #expect(bench.sensors("bluetoothAdapter").isEmpty)
        #expect(bench.requirement("bluetooth")?.detail?.contains("invisible") == true)
    }

    @Test func `a namespace without Bluetooth is reported`() throws {
        let bench = try Bench.case("container")
        #expect(bench.driver("bluetooth")?.state == "unavailable")
        #expect(bench.requirement("bluetooth")?.detail?.contains("namespace") == true)
        // What is not network is visible anyway.
        #expect(bench.standing("gyroscope") == "met")
    }
}

/// A real bluetoothd on a bus that a container is given, and what a container is told that it lacks.
@Suite struct ContainerBenchTests {
    @Test(arguments: [
        ("container-bus", "met"), ("container-bus-known-user", "met"),
        ("container-bus-unknown-user", "unknown indeterminate"), ("container-without-sysfs", "met"),
        ("container-sysfs-elsewhere", "met"),
        ("container-bus-blocked", "unmet softBlocked"), ("container-bus-off", "unmet poweredOff"),
        ("container-bus-frozen", "unknown indeterminate"), ("container-bus-no-daemon", "unknown indeterminate"),
        ("container-no-bus", "unknown indeterminate"),
    ])
    func `bluetoothd tells what the sockets would`(name: String, standing: String) throws {
        let bench = try Bench.case(name)
        #expect(bench.standing("bluetooth") == standing)
        let isAsked = bench.driver("bluetooth")?.detail?.contains("asked through BlueZ on the system bus") == true
        #expect(isAsked != standing.hasPrefix("unknown"))
    }

    @Test func `without rfkill's switches a block is not called a switch's, nor a power that is off a block`() throws {
        // BlueZ 5.66 does not tell of the block.
        let bench = try Bench.case("container-bus-blocked-unseen")
        #expect(bench.standing("bluetooth") == "unmet poweredOff")
        #expect(bench.requirement("bluetooth")?.detail?.contains("whether rfkill blocks it cannot be read") == true)
    }

    @Test(arguments: [
        ("container-without-sysfs", "gyroscope", "--volume /sys:/sys:ro"),
        ("container-bus-unknown-user", "bluetooth", "--user 65534"),
        ("container-without-nodes", "motion", "--device /dev/iio:device0"),
        ("container-no-bus", "bluetooth", "--volume /run/dbus/system_bus_socket:/run/dbus/system_bus_socket:ro"),
        ("container-bus-no-daemon", "bluetooth", "sudo systemctl start bluetooth"),
        ("container-bus", "location", "--network host"),
    ])
    func `what is missing is told`(name: String, requirement: String, remedy: String) throws {
        let bench = try Bench.case(name)
        #expect(bench.standing(requirement) != "met")
        #expect(bench.requirement(requirement)?.remedy?.contains(remedy) == true)
    }

    @Test func `the host's sysfs elsewhere gives the same sensors`() throws {
        let (host, elsewhere) = (try Bench.case("container-bus"), try Bench.case("container-sysfs-elsewhere"))
        #expect(!host.sensors("gyroscope").isEmpty)
        #expect(host.sensors("gyroscope").map(\.key) == elsewhere.sensors("gyroscope").map(\.key))
        #expect(elsewhere.standing("gyroscope") == "met" && elsewhere.standing("motion") == host.standing("motion"))
        // Without udev's database the sensors are there, and the notice says what is not.
        let without = try Bench.case("container-without-udev")
        #expect(without.standing("gyroscope") == "met")
        #expect(without.report.notices.contains { $0.detail.contains("/run/udev") })
        let unmarked = try Bench.case("container-unmarked")
        #expect(unmarked.report.notices.contains { $0.detail.contains("/run/udev") })
        #expect(!host.report.notices.contains { $0.detail.contains("/run/udev") })
    }
}

/// A real gpsd, with receivers on a pty and on USB.
@Suite struct LocationBenchTests {
    @Test(arguments: [
        ("nothing", "unmet unreachable"), ("gpsd-no-device", "unmet absent"), ("gpsd-frozen", "unmet unreachable"),
        ("no-fix", "unmet noFix"), ("no-fix-wanted-none", "met"), ("fix-2d", "met"),
        ("fix-2d-wanted-3d", "unmet noFix"), ("fix-3d", "met"), ("fix-3d-user", "met"), ("simulated", "met"),
        ("simulated-refused", "unmet noFix"), ("receiver-without-gpsd", "unmet unreachable"),
        ("receiver-not-owned", "unmet inactive"), ("receiver-idle-state", "met"),
        ("container", "unmet unreachable"), ("everything-presence", "unknown indeterminate"),
        ("everything-state", "met"),
    ])
    func `each state of gpsd has its own cause`(name: String, standing: String) throws {
        let bench = try Bench.case(name)
        #expect(bench.standing("location") == standing)
        if standing.hasPrefix("unmet") { #expect(bench.requirement("location")?.remedy?.isEmpty == false) }
    }

    @Test(arguments: [("fix-2d", "2D"), ("fix-3d", "3D"), ("no-fix", "none"), ("simulated", "3D")])
    func `the fix is reported`(name: String, fix: String) throws {
        let reading = try #require(try Bench.case(name).sensors("locationReceiver").first?.reading)
        #expect(reading.fix == fix)
        #expect((reading.latitude != nil) == (fix != "none"))
    }

    @Test func `a receiver that fell silent is stale once its fix is too old`() throws {
        // Its last fix is older than the two seconds allowed.
        let old = try Bench.case("silent-after-fix")
        #expect(old.standing("location") == "unmet stale")
        #expect(old.requirement("location")?.remedy?.isEmpty == false)
        // Unplugged a moment ago: silent, until gpsd or the kernel has noticed.
        let pulled = try Bench.case("receiver-unplugged").standing("location")
        #expect(["unmet silent", "unmet absent", "unmet faulty"].contains(pulled))
    }

    @Test func `a simulated fix is a notice`() throws {
        let bench = try Bench.case("simulated")
        #expect(bench.report.notices.contains { $0.id == "simulated" })
        #expect(bench.sensors("locationReceiver").map(\.reading?.simulated) == [true])
    }

    @Test func `a receiver that gpsd lacks is inactive`() throws {
        let bench = try Bench.case("receiver-not-owned")
        #expect(bench.requirement("location")?.remedy == "gpsdctl add /dev/ttyACM0")
        #expect(try Bench.case("receiver-without-gpsd").requirement("location")?.causes == ["unreachable", "inactive"])
    }

    @Test func `a receiver that our watch activated is met or unknown`() throws {
        #expect(["met", "unknown indeterminate"].contains(try Bench.case("receiver-idle").standing("location")))
    }
}

/// Users, groups and access control lists; chips behind iiod.
@Suite struct AccessBenchTests {
    @Test(arguments: [
        ("unprivileged", "unmet denied"), ("unprivileged-state", "unmet denied"), ("unprivileged-no-node", "met"),
        ("rules-group", "met"), ("rules-stranger", "unmet denied"), ("seat", "met"),
        ("seat-stranger", "unmet denied"), ("mode", "met"),
    ])
    func `motion follows the nodes`(name: String, standing: String) throws {
        let bench = try Bench.case(name)
        #expect(bench.standing("motion") == standing)
        // Raw values are readable by everyone, so the sensors are available to all of them.
        #expect(bench.standing("gyroscope") == "met")
        #expect(bench.standing("accelerometer") == "met")
        // Without a gpsd there is no location in the background either, which walking only wants.
        #expect(bench.verdict("walking") == (standing == "met" ? "degraded" : "fails"))
    }

    @Test func `a denial names the node`() throws {
        let bench = try Bench.case("unprivileged")
        #expect(bench.requirement("motion")?.detail?.contains("/dev/iio:device") == true)
        #expect(bench.report.authorizations.motion.evidence.contains("70-rigready-iio.rules is not installed"))
    }

    @Test func `chips behind iiod are listed with local ones`() throws {
        let bench = try Bench.case("remote")
        let remote = bench.sensors("gyroscope").filter { $0.key.hasPrefix("ip:127.0.0.1!") }
        #expect(remote.map(\.availability) == ["available"])
        let local = try #require(bench.sensors("gyroscope").first { !$0.key.hasPrefix("ip:") }?.reading)
        #expect(remote.first?.reading?.x == local.x)
        #expect(remote.first?.detail == "50 Hz")
    }

    @Test func `a removed chip that iiod still lists is absent`() throws {
        let bench = try Bench.case("remote-stale")
        #expect(bench.standing("gyroscope") == "unmet absent")
        #expect(bench.requirement("gyroscope")?.detail?.contains("gone since it was listed") == true)
    }

    @Test(arguments: ["remote-refused", "remote-silent"])
    func `a context that does not answer is unreachable`(name: String) throws {
        let bench = try Bench.case(name)
        #expect(bench.standing("gyroscope") == "unmet unreachable")
        #expect(bench.standing("accelerometer") == "met")
        #expect(bench.requirement("gyroscope")?.remedy?.contains("iiod") == true)
        // Its time limit is four seconds, and the emulated machine starts the program twice; without a limit it would not end.
        #expect(bench.milliseconds < 15_000)
    }
}
