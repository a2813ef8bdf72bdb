import DriverKit
import Readiness
import Support
import SystemPackage
import Testing
@testable import GPSD

/// What gpsd reads: receivers, and what else it serves.
@Suite struct SourceTests {
    private func device(_ path: String, _ more: String = "") -> String {
        #"{"class":"DEVICE","path":"\#(path)","activated":"2026-11-21T11:20:55.000Z"\#(more)}"#
    }

    private func list(_ devices: String...) -> String {
        #"{"class":"DEVICES","devices":[\#(devices.joined(separator: ","))]}"#
    }

    private var receiver: String { device(Recorded.path, #","driver":"u-blox","flags":1,"cycle":1.0"#) }

    private func at(_ path: String, _ line: String) -> String { line.replacing("/dev/ttyACM0", with: path) }

    /// A device, whether it is a receiver (nil: its reports decide), by the flags and drivers of gpsd.
    static let devices: [(path: String, more: String, isReceiver: Bool?)] = [
        ("/dev/x", "", true), ("/dev/x", #","flags":0"#, true), ("/dev/x", #","flags":1"#, true),
        ("/dev/x", #","flags":2"#, false), ("/dev/x", #","flags":4"#, false), ("/dev/x", #","flags":8"#, false),
        ("/dev/x", #","flags":5,"driver":"u-blox""#, true), ("/dev/x", #","flags":9,"driver":"NMEA0183""#, true),
        ("/dev/x", #","flags":1,"driver":"AIVDM""#, nil), ("/dev/x", #","flags":9,"driver":"AIVDM""#, nil),
        ("/dev/x", #","flags":8,"driver":"AIVDM""#, false), ("/dev/x", #","driver":"AIVDM""#, false),
        ("/dev/x", #","flags":3,"driver":"RTCM104V2""#, nil), ("/dev/x", #","flags":4,"driver":"RTCM104V3""#, false),
        ("/dev/x", #","driver":"RTCM104V3""#, false), ("/dev/x", #","flags":5,"driver":"RTCM104V3""#, nil),
        ("/dev/x", #","driver":"PPS""#, false), ("/dev/pps0", "", false), ("ntrip://caster/mount", "", false),
        ("dgpsip://host", "", false), ("tcp://host:5015", "", true), ("udp://0.0.0.0:5015", "", true),
        ("gpsd://host:2947", "", true),
    ]

    @Test(arguments: devices)
    func `flags and drivers tell receivers from other devices`(path: String, more: String, isReceiver: Bool?) throws {
        guard case .device(let device)? = Message(line: Array(device(path, more).utf8)) else { throw Message.Wrong() }
        #expect(device.isReceiver == isReceiver)
    }

    private func seconds(_ channel: TimedChannel) throws -> (probe: DriverHarness, seconds: Double) {
        let began = channel.now
        return (try DriverHarness(channel), began.seconds(to: channel.now))
    }

    @Test(arguments: ["AIVDM", "RTCM104V2", "RTCM104V3"])
    func `a receiver answers as fast beside a device of other data as alone`(driver: String) throws {
        let reports = [(0.1, Recorded.sky), (0.2, Recorded.report(second: 56))]
        let alone = try seconds(TimedChannel(list(receiver), reports: reports))
        // gpsd remembers a report of mode 0 for it.
        let poll = Recorded.poll(#"{"class":"TPV","device":"/dev/ais","mode":0}"#)
        for flags in [1, 3, 5, 9] {
            let other = device("/dev/ais", #","driver":"\#(driver)","flags":\#(flags)"#)
            for (list, poll) in [
                (list(receiver, other), Recorded.emptyPoll), (list(other, receiver), Recorded.emptyPoll),
                (list(other, receiver), poll),
            ] {
                let (probe, seconds) = try seconds(TimedChannel(list, poll: poll, reports: reports))
                #expect(probe.enumeration.candidates.map(\.sensor.key) == [Recorded.path])
                #expect(probe.sensor?.availability == .available && seconds < alone.seconds + 0.01)
            }
        }
    }

    @Test func `a receiver that sends ship reports, too, is one whatever gpsd read last`() throws {
        let both = device(Recorded.path, #","driver":"AIVDM","flags":9"#)
        let poll = Recorded.poll(Recorded.report(second: 55))
        let reports = [(0.5, Recorded.report(second: 56))]
        let probe = try DriverHarness(TimedChannel(list(both), poll: poll, reports: reports))
        #expect(probe.sensor?.key == Recorded.path && probe.sensor?.availability == .available)
        // At depth state nothing tells, so that it is neither present nor absent.
        let state = try DriverHarness(TimedChannel(list(both)), .state)
        #expect(state.enumeration.candidates.isEmpty)
        #expect(state.enumeration.obstacles.map(\.cause) == [.indeterminate])
        #expect(state.enumeration.obstacles.first?.remedies == [.option(.depth(.sample))])
    }

    @Test func `a device of ship reports alone is no receiver`() throws {
        let other = device("/dev/ais", #","driver":"AIVDM","flags":9"#)
        let (probe, seconds) = try seconds(TimedChannel(list(other)))
        #expect(probe.enumeration.candidates.isEmpty && probe.enumeration.obstacles.isEmpty && seconds < 0.1)
        #expect(
            probe.enumeration.searched?.said
                == "gpsd 3.22 lists no receiver among 1 devices; the kernel shows no receiver")
    }

    @Test func `one that our own watch opens is told once gpsd recognises it`() throws {
        let closed = #"{"class":"DEVICE","path":"/dev/ais"}"#
        let opened = device("/dev/ais", #","driver":"AIVDM","flags":9"#)
        let channel = TimedChannel(
            list(closed, #"{"class":"DEVICE","path":"/dev/ttyACM0"}"#), listing: list(opened, receiver),
            reports: [(0.3, opened), (0.4, Recorded.sky), (0.5, Recorded.report(second: 56))])
        let (probe, seconds) = try seconds(channel)
        #expect(probe.findings.map(\.sensor.availability) == [.unavailable(.indeterminate), .available])
        #expect(probe.findings.first?.sensor.detail?.contains("ship reports (AIS)") == true && seconds < 1)
    }

    // MARK: A device from which gpsd recognises nothing

    @Test func `a device without a recognised packet is listed and not waited for beside a good receiver`() throws {
        let adapter = device("/dev/ttyUSB0")
        for list in [list(adapter, receiver), list(receiver, adapter)] {
            let channel = TimedChannel(list, reports: [(0.1, Recorded.sky), (0.2, Recorded.report(second: 56))])
            let (probe, seconds) = try seconds(channel)
            let sensor = probe.findings.map(\.sensor).first { $0.key == "/dev/ttyUSB0" }
            #expect(probe.findings.contains { $0.sensor.availability == .available } && seconds < 0.3)
            #expect(sensor?.availability == .unavailable(.silent))
            #expect(sensor?.detail == "gpsd has had it open for 60.3 s, and recognises nothing that it sends")
        }
    }

    @Test func `it is waited for without a good receiver, and so is one that gpsd recognises`() throws {
        let adapter = device("/dev/ttyUSB0")
        let noFix = (1...3).map { (Double($0) / 2, Recorded.noFix) }
        #expect(try seconds(TimedChannel(list(adapter))).seconds > 1.9)
        #expect(try seconds(TimedChannel(list(adapter, receiver), reports: noFix)).seconds > 1.9)
        let known = device("/dev/ttyUSB0", #","driver":"NMEA0183","flags":1"#)
        let fix = [(0.1, Recorded.sky), (0.2, Recorded.report(second: 56))]
        #expect(try seconds(TimedChannel(list(known, receiver), reports: fix)).seconds > 1.9)
        // Neither was open before the watch: the second one may be about to report.
        let closed = list(#"{"class":"DEVICE","path":"/dev/ttyUSB0"}"#, #"{"class":"DEVICE","path":"/dev/ttyACM0"}"#)
        #expect(try seconds(TimedChannel(closed, reports: fix)).seconds > 1.9)
    }

    @Test func `one that gpsd has just opened is not called silent`() throws {
        let adapter = device("/dev/ttyUSB0").replacing("11:20:55.000Z", with: "11:21:54.900Z")
        let channel = TimedChannel(
            list(adapter, receiver), reports: [(0.1, Recorded.sky), (0.2, Recorded.report(second: 56))])
        let sensor = try DriverHarness(channel).findings.first?.sensor
        #expect(sensor?.availability == .unavailable(.indeterminate) && sensor?.remedies.isEmpty == false)
    }

    // MARK: Where the data come from

    /// A name that gpsd has for a source, what makes it send again, and what restarts it.
    static let sources: [(path: String, reviving: String, restarting: String)] = [
        ("/dev/ttyUSB0", "the receiver's cable, power and bit rate", "unplug the receiver"),
        ("/dev/serial/by-id/usb-u-blox", "the receiver's cable, power and bit rate", "unplug the receiver"),
        ("/dev/gnss0", "the receiver's power, and the kernel's messages", "switch the receiver off"),
        ("/dev/rfcomm0", "switch the Bluetooth receiver on", "switch the receiver off"),
        ("/dev/pts/3", "the program that writes to this terminal", "restart the program that writes"),
        ("tcp://localhost:5015", "the program that serves localhost:5015 runs", "program that serves localhost:5015"),
        ("tcp://[::1]:5015/x", "the program that serves [::1]:5015 runs", "program that serves [::1]:5015"),
        ("udp://0.0.0.0:5015", "sends positions to UDP 0.0.0.0:5015", "program that sends to UDP 0.0.0.0:5015"),
        ("gpsd://far:2947/dev/ttyAMA0", "the gpsd at far:2947 runs", "receiver of the gpsd at far:2947"),
        ("nmea2000://can0", "what gpsd reads it from runs", "restart what gpsd reads it from"),
    ]

    @Test(arguments: sources)
    func `the remedy of silence is that of the source`(path: String, reviving: String, restarting: String) throws {
        let devices = list(device(path, #","driver":"NMEA0183","flags":1"#))
        func remedies(_ reports: [(Double, String)], poll: String = Recorded.emptyPoll) throws -> String {
            try DriverHarness(TimedChannel(devices, poll: at(path, poll), reports: reports.map { ($0, at(path, $1)) }))
                .sensor?.remedies.map(\.words).joined(separator: "; ") ?? ""
        }
        let frozen = [(0.2, Recorded.report(second: 55)), (1.5, Recorded.report(second: 55))]
        let old = Recorded.poll(Recorded.report(second: 54), at: "2026-11-21T11:22:30.000Z")
        for quiet in [try remedies([]), try remedies([], poll: old)] {
            #expect(quiet.contains(reviving), "\(quiet)")
            #expect(quiet.contains("cable") == (path.hasPrefix("/dev/tty") || path.hasPrefix("/dev/serial")))
            #expect(quiet.contains("bit rate") == quiet.contains("cable"))
        }
        for reset in [
            try remedies(frozen, poll: Recorded.poll(Recorded.report(second: 55))),
            try remedies([(0.2, Recorded.report(lat: "95"))]),
        ] {
            #expect(reset.contains(restarting) && !reset.contains("cable"), "\(reset)")
        }
    }
}
