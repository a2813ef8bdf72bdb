import DriverKit
import Readiness
import Support
import Testing

/// How to make gpsd answer depends on what the machine shows.
@Suite struct RemedyTests {
    private static let unit = "/lib/systemd/system/gpsd.socket"

    private func remedy(_ world: FakeWorld, host: String = "127.0.0.1", port: UInt16 = 2947) throws -> String? {
        try DriverHarness(world, port: port, host: host).enumeration.obstacles.first?.remedy
    }

    /// A machine with gpsd as Debian packages it.
    private var installed: FakeWorld {
        var world = FakeWorld()
        world.add("/usr/sbin/gpsd", "")
        world.add("/proc/net/if_inet6", "")
        world.add(Self.unit, "[Socket]\nListenStream=/run/gpsd.sock\nListenStream=[::1]:2947\n")
        return world
    }

    @Test func `without gpsd it is installed`() throws {
        #expect(try remedy(FakeWorld()) == "sudo apt-get install gpsd")
    }

    @Test func `with its unit the socket is started`() throws {
        #expect(try remedy(installed) == "sudo systemctl start gpsd.socket")
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

    @Test func `on another machine the remedy applies there`() throws {
        #expect(try remedy(installed, host: "bench-07")?.hasPrefix("on bench-07: ") == true)
    }
}
