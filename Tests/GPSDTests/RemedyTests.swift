import DriverKit
import Readiness
import Support
import SystemPackage
import Testing
@testable import GPSD

/// A connection that fails; a type, since the compiler (6.3.1) crashes on a closure that only throws a typed error.
private struct Failure: Sendable {
    let error: DriverError
    func open() throws(DriverError) -> any Channel { throw error }
}

/// How to make gpsd answer depends on what the machine shows, and on why it does not answer.
@Suite struct RemedyTests {
    private static let unit = "/lib/systemd/system/gpsd.socket"

    private func remedies(_ world: FakeWorld, host: String = "127.0.0.1", port: UInt16 = 2947) throws -> [String] {
        let probe = try DriverHarness(world, port: port, host: host, seconds: 0.2)
        return probe.enumeration.obstacles.first?.remedies.map(\.words) ?? []
    }

    private func remedy(_ world: FakeWorld, host: String = "127.0.0.1", port: UInt16 = 2947) throws -> String? {
        try remedies(world, host: host, port: port).first
    }

    /// A machine with gpsd as Debian packages it.
    private var installed: FakeWorld {
        var world = FakeWorld()
        world.add("/run/systemd/system", "")
        world.add("/usr/sbin/gpsd", "")
        world.add("/proc/net/if_inet6", "")
        world.add(Self.unit, "[Socket]\nListenStream=/run/gpsd.sock\nListenStream=[::1]:2947\n")
        return world
    }

    private func world(_ changes: (inout FakeWorld) -> Void) -> FakeWorld {
        var world = FakeWorld()
        changes(&world)
        return world
    }

    // MARK: Nothing listens

    @Test func `without gpsd it is installed`() throws {
        #expect(try remedy(world { $0.add("/usr/bin/apt-get", "") }) == "sudo apt-get install gpsd")
        #expect(try remedy(FakeWorld()) == "install gpsd, with the package manager of this system")
    }

    @Test func `with its unit the socket is started`() throws {
        #expect(try remedies(installed) == ["sudo systemctl start gpsd.socket"])
    }

    @Test func `a unit that left its socket is restarted`() throws {
        var world = installed
        world.add("/run/gpsd.sock", "")
        #expect(try remedy(world) == "sudo systemctl restart gpsd.socket")
    }

    @Test func `if IPv6 is off the unit is set to listen on IPv4`() throws {
        var world = installed
        world.add("/proc/sys/net/ipv6/conf/all/disable_ipv6", "1\n")
        #expect(try remedy(world)?.contains("gpsd.socket.d/ipv4.conf") == true)
        world.add("/etc/systemd/system/gpsd.socket.d/ipv4.conf", "")
        #expect(try remedy(world) == "sudo systemctl start gpsd.socket")
        world = installed
        world.files["/proc/net/if_inet6"] = nil
        #expect(try remedy(world)?.contains("ListenStream=127.0.0.1:2947") == true)
    }

    @Test func `without a unit or on another port gpsd is started by hand`() throws {
        var world = installed
        #expect(try remedy(world, port: 2950) == "sudo gpsd -S 2950 -F /run/gpsd.sock")
        world.files[Self.unit] = nil
        #expect(try remedy(world) == "sudo gpsd -S 2947 -F /run/gpsd.sock")
    }

    /// Without systemd: what else the machine has, and what starts gpsd.
    @Test(
        arguments: [
            (["/sbin/rc-service", "/etc/init.d/gpsd"], "sudo rc-service gpsd start"),
            (["/usr/sbin/service", "/etc/init.d/gpsd"], "sudo service gpsd start"),
            (["/sbin/rc-service"], "sudo gpsd -S 2947 -F /run/gpsd.sock"),
            (["/etc/init.d/gpsd"], "sudo /etc/init.d/gpsd start"),
            ([], "sudo gpsd -S 2947 -F /run/gpsd.sock"),
        ] as [([String], String)])
    func `a machine without systemd starts gpsd in its own way`(files: [String], remedy: String) throws {
        var world = installed
        world.files["/run/systemd/system"] = nil
        for file in files { world.add(file, "") }
        #expect(try remedies(world) == [remedy])
        world.add("/proc/sys/net/ipv6/conf/all/disable_ipv6", "1\n")
        #expect(try remedies(world) == [remedy])
        // Where it cannot be determined, systemd is taken to run.
        world.errors["/run/systemd/system"] = .permissionDenied
        #expect(try self.remedy(world)?.contains("systemctl") == true)
    }

    @Test func `a container is given no command of the host`() throws {
        var world = installed
        world.add("/run/.containerenv", "")
        world.files["/usr/sbin/gpsd"] = nil
        #expect(try remedy(world) == "start gpsd on the host")
        world.add("/proc/sys/net/core/somaxconn", "4096\n")
        #expect(try remedy(world) == "give it the network of the host, where gpsd listens: --network host")
        for channel in [FakeChannel(), FakeChannel(greeting: [Array("SSH-2.0\r\n".utf8)])] {
            world.channels[local] = { channel }
            #expect(try remedies(world).allSatisfy { !$0.contains("sudo") && !$0.contains("systemctl") })
        }
    }

    // MARK: Something else answers, or nothing

    private static let other = [Array("HTTP/1.1 400 Bad Request\r\n\r\n<html>".utf8)]

    @Test func `a program that is not gpsd is stopped, or another address is named`() throws {
        for (channel, words) in [
            (FakeChannel(greeting: Self.other), "and start gpsd there"), (FakeChannel(), "at the other end"),
            (FakeChannel(ends: true), "at the other end"),
        ] {
            var world = installed
            world.channels[local] = { channel }
            let remedies = try remedies(world)
            #expect(remedies.count == 3 && !remedies.joined().contains("gpsd -S"))
            #expect(
                remedies.first == "sudo ss -tlnp 'sport = :2947'    # shows the program that listens there")
            #expect(remedies[1].hasPrefix("stop the program that listens on 127.0.0.1:2947"))
            #expect(remedies[1].contains(words))
            #expect(remedies.last == Remedy.option(.gpsd).words)
        }
    }

    @Test func `a gpsd that hangs is restarted, by the system that runs it`() throws {
        let greeting = [Array("\(Recorded.greetings[1])\n".utf8)]
        for (files, remedy) in [
            (["/run/systemd/system", Self.unit], "sudo systemctl restart gpsd"),
            (["/sbin/rc-service", "/etc/init.d/gpsd"], "sudo rc-service gpsd restart"),
            (["/usr/sbin/service", "/etc/init.d/gpsd"], "sudo service gpsd restart"), ([], "restart gpsd"),
        ] as [([String], String)] {
            let world = world { world in
                for file in files { world.add(file, "") }
                world.channels[local] = { FakeChannel(greeting: greeting) }
            }
            #expect(try remedies(world) == [remedy])
        }
    }

    /// Why no connection was made to a host, whether it is this machine, and the remedy's subject.
    @Test(arguments: [
        (DriverError(.refused, subject: "gpsd", detail: "cannot resolve nohost: unknown"), "nohost", "nohost"),
        (DriverError(errno: .connectionRefused, subject: "gpsd"), "bench-07", "on bench-07: let gpsd.socket listen"),
        (DriverError(.timedOut, subject: "gpsd"), "bench-07", "check that bench-07 is switched on"),
        (DriverError(errno: .noRouteToHost, subject: "gpsd"), "bench-07", "check that bench-07 is switched on"),
        (DriverError(.timedOut, subject: "gpsd"), "127.0.0.1", "sudo ss -tlnp"),
        (DriverError(errno: .networkUnreachable, subject: "gpsd"), "127.0.0.1", "sudo ip link set lo up"),
        (DriverError(errno: .addressNotAvailable, subject: "gpsd"), "::1", "make [::1]:2947 an address"),
    ])
    func `the remedy is that of the reason`(error: DriverError, host: String, remedy: String) throws {
        var world = installed
        world.channels[.gpsd(host: host, port: 2947)] = Failure(error: error).open
        let remedies = try remedies(world, host: host)
        #expect(remedies.first?.contains(remedy) == true, "\(remedies)")
        #expect(remedies.last == Remedy.option(.gpsd).words)
        let enumeration = try DriverHarness(world, host: host).enumeration
        #expect(enumeration.isAccessLate == (error.code == .timedOut))
        let obstacle = enumeration.obstacles.first
        #expect(obstacle?.cause == .unreachable && obstacle?.detail.contains(error.reason) == true)
        #expect((obstacle?.detail.contains("host is not found") == true) == (host == "nohost"))
    }

    @Test func `on another machine the remedy applies there`() throws {
        for channel in [FakeChannel(), FakeChannel(greeting: Self.other)] {
            var world = installed
            world.channels[.gpsd(host: "bench-07", port: 2947)] = { channel }
            #expect(try remedy(world, host: "bench-07")?.hasPrefix("on bench-07: stop the program") == true)
        }
        #expect(try remedy(installed, host: "bench-07")?.hasPrefix("on bench-07: let gpsd.socket") == true)
    }

    // MARK: One receiver

    @Test func `a receiver that gpsd dropped is added again, with the log of the system that has one`() throws {
        for (files, expected) in [
            (["/run/systemd/system"], "sudo journalctl -u gpsd -n 20 --no-pager; sudo gpsdctl add /dev/ttyACM0"),
            ([], "see in the log of gpsd why it gave the receiver up; sudo gpsdctl add /dev/ttyACM0"),
            (
                ["/run/systemd/system", "/run/.containerenv"],
                "see in the log of gpsd why it gave the receiver up, and add it again"
            ),
        ] as [([String], String)] {
            var world = scripted(TimedChannel(Recorded.closed, listing: Recorded.noDevices))
            // Its node is not in the container.
            if !files.contains("/run/.containerenv") { world.add(Recorded.path, "") }
            for file in files { world.add(file, "") }
            let sensor = try DriverHarness(world).sensor
            #expect(sensor?.availability == .unavailable(.faulty))
            #expect(sensor?.remedies.map(\.words).joined(separator: "; ") == expected)
        }
    }

    private static let mmcli =
        "sudo mmcli -m any --location-enable-gps-unmanaged    # where ModemManager has the modem"

    /// A port of a modem that gpsd reads, the maker, whether mmcli is there, and what switches its receiver on.
    @Test(arguments: [
        ("2c7c", true, [mmcli, "send AT+QGPS=1 to the modem's AT port"]),
        ("2C7C", false, ["send AT+QGPS=1 to the modem's AT port"]),
        ("1e0e", false, ["send AT+CGPS=1 to the modem's AT port"]),
        ("1bc7", false, ["send AT$GPSP=1 to the modem's AT port"]),
        ("1199", true, [mmcli]),
        ("1199", false, ["switch the modem's receiver on, with the AT command of its manual"]),
    ])
    func `a quiet port of a modem is a receiver that is off`(vendor: String, hasMmcli: Bool, expected: [String]) throws
    {
        func sensor(_ numbers: String, _ reports: [(Double, String)] = []) throws -> Sensor? {
            var world = scripted(TimedChannel(Recorded.open, reports: reports))
            let device = "/sys/devices/pci0000:00/usb1/1-1/1-1:1.1/ttyACM0/tty/ttyACM0"
            world.devices["tty"] = [FilePath(device)]
            world.add("\(device)/uevent", "MAJOR=188\nMINOR=1\nDEVNAME=ttyACM0\n")
            world.add("/run/udev/data/c188:1", "E:ID_MM_CANDIDATE=1\nE:ID_MODEL=Module\n\(numbers)")
            if hasMmcli { world.add("/usr/bin/mmcli", "") }
            return try DriverHarness(world).findings.first?.sensor
        }
        let quiet = try sensor("E:ID_VENDOR_ID=\(vendor)\nE:ID_MODEL_ID=0125\n")
        #expect(quiet?.availability == .unavailable(.silent) && quiet?.remedies.map(\.words) == expected)
        #expect(quiet?.detail?.contains("port of a modem") == true)
        // What reports is on, and ModemManager's rules name receivers, too.
        let noFix = [(0.5, Recorded.noFix), (1.5, Recorded.noFix)]
        let reporting = try sensor("E:ID_VENDOR_ID=\(vendor)\nE:ID_MODEL_ID=0125\n", noFix)
        #expect(reporting?.availability == .unavailable(.noFix) && reporting?.remedies == ReceiverRemedies.sky)
        let known = try sensor("E:ID_VENDOR_ID=1546\nE:ID_MODEL_ID=01a8\n")
        #expect(known?.remedies == [DataSource.wire.reviving])
    }
}
