import GPSD
import DriverKit
import Readiness
import Support
import SystemPackage
import Testing

/// A connection that fails; a type, since the compiler (6.3.1) crashes on a closure that only throws a typed error.
private struct Failure: Sendable {
    let error: DriverError
    func open() throws(DriverError) -> any Channel { throw error }
}

extension DriverHarness {
    /// The obstacles that lack a reason or a remedy.
    var unaccounted: [String] {
        let sensors = (enumeration.candidates.map(\.sensor) + findings.map(\.sensor)).filter {
            $0.availability != .available
        }
        let silent = sensors.filter { !Self.isTold($0.detail, $0.remedy, $0.evidence) }.map(\.availability.id)
        let obstacles = enumeration.obstacles.filter { !Self.isTold($0.detail, $0.remedy, $0.evidence) }
        let access = enumeration.access == .denied && (enumeration.accessRemedy ?? "").isEmpty ? ["denied"] : []
        return silent + obstacles.map(\.cause.id) + access
    }

    private static func isTold(_ detail: String?, _ remedy: String?, _ evidence: [Evidence]) -> Bool {
        detail?.isEmpty == false && remedy?.isEmpty == false && !evidence.isEmpty
            && evidence.allSatisfy { !$0.said.isEmpty }
    }

    /// Every reported cause.
    var causes: Set<String> {
        let sensors = enumeration.candidates.map(\.sensor) + findings.map(\.sensor)
        return Set(sensors.map(\.availability.id) + enumeration.obstacles.map(\.cause.id)).subtracting(["available"])
    }

    /// Every remedy.
    var remedies: [String] {
        let sensors = enumeration.candidates.map(\.sensor) + findings.map(\.sensor)
        return sensors.compactMap(\.remedy) + enumeration.obstacles.compactMap(\.remedy)
    }
}

/// Whatever is not available has a reason and a remedy.
@Suite struct AccountTests {
    private static let port = "/sys/devices/platform/dummy_hcd.0/usb1/1-1/1-1:1.0/tty/ttyACM0"

    /// A world whose kernel shows a receiver at a node.
    private func withReceiver(_ world: FakeWorld, node: String = "ttyACM0") -> FakeWorld {
        var world = world
        world.devices["tty"] = [FilePath(Self.port)]
        world.add("\(Self.port)/uevent", "MAJOR=166\nMINOR=0\nDEVNAME=\(node)\n")
        world.add("/run/udev/data/c166:0", Recorded.udevRecord)
        return world
    }

    private func failing(_ error: DriverError) -> FakeWorld {
        var world = FakeWorld()
        world.channels[local] = Failure(error: error).open
        return world
    }

    @Test func `every failing greeting has evidence and remedy`() throws {
        var worlds = [FakeWorld()]
        worlds += [Errno.permissionDenied, .notPermitted, .connectionRefused, .noRouteToHost].map {
            failing(DriverError(errno: $0, subject: "gpsd"))
        }
        for code in [DriverError.Code.notRecorded, .cancelled, .unsupported, .timedOut, .malformed] {
            worlds.append(failing(DriverError(code, subject: "gpsd")))
        }
        let peers = [
            FakeChannel(), FakeChannel(ends: true), FakeChannel(greeting: [Array("rubbish\n".utf8)]),
            FakeChannel(greeting: [Array("\(Recorded.error)\n".utf8)]),
            FakeChannel(greeting: [Array("\(Recorded.greetings[1])\n".utf8)]),
        ]
        for peer in peers {
            var world = FakeWorld()
            world.channels[local] = { peer }
            worlds.append(world)
        }
        for world in worlds {
            for depth in Depth.allCases {
                let probe = try DriverHarness(world, depth, seconds: 0.2)
                #expect(probe.unaccounted.isEmpty && !probe.causes.isEmpty)
            }
            let probe = try DriverHarness(withReceiver(world), seconds: 0.2)
            #expect(probe.unaccounted.isEmpty && probe.enumeration.candidates.count == 1)
        }
    }

    @Test func `every verdict has evidence and remedy`() throws {
        func report(_ second: Int, _ lat: String = "52.5", _ more: String = "") -> String {
            Recorded.report(second: second, lat: lat, more: more)
        }
        let notice = #"{"class":"DEVICE","path":"/dev/ttyACM0","activated":0}"#
        let slow = #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","activated":5,"cycle":9}]}"#
        let old = Recorded.poll(report(54), at: "2026-11-21T11:22:30.000Z")
        let frozen = [(0.2, report(55)), (1.5, report(55))]
        let channels = [
            TimedChannel(), TimedChannel(Recorded.closed), TimedChannel(poll: old), TimedChannel(slow),
            TimedChannel(Recorded.closed, listing: Recorded.open),
            TimedChannel(Recorded.closed, listing: Recorded.noDevices),
            TimedChannel(Recorded.closed, listing: Recorded.open, reports: [(0.5, Recorded.noFix)]),
            TimedChannel(reports: [(0.5, Recorded.noFix)]), TimedChannel(reports: [(0.5, report(56, "95.0"))]),
            TimedChannel(reports: [(0.5, report(56, "52.5", #","status":8"#))]), TimedChannel(reports: [(0.5, notice)]),
            TimedChannel(poll: Recorded.poll(report(55)), reports: frozen),
            TimedChannel(poll: Recorded.poll(report(55)), reports: [(0.1, report(55))]),
        ]
        var causes: Set<String> = []
        for channel in channels {
            let probe = try DriverHarness(
                scripted(channel), criteria: FixCriteria(maximumAge: .seconds(0.5), allowsSimulated: false))
            #expect(probe.unaccounted.isEmpty)
            #expect(probe.findings.first?.sensor.availability != .available)
            #expect(probe.findings.flatMap(\.sensor.evidence).allSatisfy { $0.sensor == Recorded.path })
            causes.formUnion(probe.causes)
        }
        var world = scripted(TimedChannel(Recorded.closed, listing: Recorded.noDevices))
        world.add(Recorded.path, "")
        let faulty = try DriverHarness(world)
        #expect(faulty.unaccounted.isEmpty)
        for ends in [true, false] {
            world.channels[local] = { FakeChannel(ends: ends) { _ in [Array("\(Recorded.open)\n".utf8)] } }
            world.clock = { .now }
            let probe = try DriverHarness(world, seconds: 0.2)
            #expect(probe.unaccounted.isEmpty)
            causes.formUnion(probe.causes)
        }
        causes.formUnion(faulty.causes)
        #expect(causes == ["absent", "faulty", "indeterminate", "noFix", "silent", "stale", "unreachable"])
    }

    @Test func `a lost connection and a bad position are in the evidence`() throws {
        var world = FakeWorld()
        world.channels[local] = { FakeChannel(ends: true) { _ in [Array("\(Recorded.open)\n".utf8)] } }
        let lost = try DriverHarness(world, seconds: 0.2)
        #expect(lost.sensor?.availability == .unavailable(.unreachable))
        #expect(lost.sensor?.evidence.last?.said == "the peer closed the connection")
        #expect(lost.sensor?.remedy == "start gpsd again, and see in its log why it ended")
        let bad = try DriverHarness(TimedChannel(reports: [(0.5, Recorded.report(lat: "95.0"))]))
        #expect(bad.sensor?.evidence.first?.said.contains("latitude 95.0 is not a place on Earth") == true)
    }

    @Test(arguments: [
        "/dev/x; rm -rf ~ #", "/dev/$(id)", "/dev/a b", "/dev/`id`", "tcp://host:1", "-D9", "/dev/\u{e9}", "/dev/a'b",
    ])
    func `a path with shell characters is in no command`(_ path: String) throws {
        let list = #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"\#(path)","activated":1.5}]}"#
        let quiet = try DriverHarness(TimedChannel(list))
        let dropped = try DriverHarness(TimedChannel(list, listing: Recorded.noDevices))
        var node = scripted(TimedChannel(list, listing: Recorded.noDevices))
        node.add(path, "")
        let faulty = try DriverHarness(node)
        // A recording may contain any node name.
        let inactive = try DriverHarness(
            withReceiver(scripted(TimedChannel(Recorded.noDevices)), node: "x; rm -rf ~ #"))
        let alone = try DriverHarness(withReceiver(FakeWorld(), node: "x; rm -rf ~ #"))
        for probe in [quiet, dropped, faulty, inactive, alone] {
            #expect(probe.unaccounted.isEmpty && !probe.remedies.isEmpty)
            #expect(probe.remedies.allSatisfy { !$0.contains(path) && !$0.contains("rm -rf") })
        }
        #expect(faulty.sensor?.availability == .unavailable(.faulty))
        #expect(inactive.sensor?.remedy == "add the receiver to gpsd with gpsdctl")
    }

    @Test func `commands are offered only for this machine's gpsd`() throws {
        let dropped = TimedChannel(Recorded.closed, listing: Recorded.noDevices)
        var world = scripted(dropped)
        world.add(Recorded.path, "")
        world.add("/run/systemd/system", "")
        #expect(
            try DriverHarness(world).sensor?.remedy
                == "sudo journalctl -u gpsd -n 20 --no-pager; sudo gpsdctl add /dev/ttyACM0")
        let channel = TimedChannel(Recorded.closed, listing: Recorded.noDevices)
        var remote = scripted(channel)
        remote.channels[.gpsd(host: "bench-07", port: 2947)] = { channel }
        let probe = try DriverHarness(remote, host: "bench-07")
        #expect(probe.sensor?.availability == .unavailable(.faulty) && probe.unaccounted.isEmpty)
        #expect(probe.remedies.allSatisfy { !$0.contains("sudo") && $0.contains("bench-07") })
    }

    @Test func `a receiver without gpsd is added once`() throws {
        var world = withReceiver(FakeWorld())
        world.add("/usr/bin/apt-get", "")
        #expect(try DriverHarness(world).sensor?.remedy == "sudo apt-get install gpsd && sudo gpsdctl add /dev/ttyACM0")
        world.add("/usr/sbin/gpsd", "")
        #expect(try DriverHarness(world).sensor?.remedy == "sudo gpsd -S 2947 -F /run/gpsd.sock /dev/ttyACM0")
    }
}
