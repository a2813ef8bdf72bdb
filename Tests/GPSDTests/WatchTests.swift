import DriverKit
import Readiness
import Support
import Testing

/// The results of a watched receiver, on the script's clock.
@Suite struct WatchTests {
    private func report(_ second: Int, mode: Int = 3, more: String = #","eph":17.1"#) -> String {
        Recorded.report(mode: mode, second: second, more: more)
    }

    @Test func `a fresh fix is available at once`() throws {
        let channel = TimedChannel(poll: Recorded.poll(report(55)), reports: [(0.9, report(56)), (1.9, report(57))])
        let start = channel.now
        let probe = try DriverHarness(channel)
        #expect(probe.sensor?.availability == .available)
        #expect(probe.position?.fix == .threeDimensional)
        #expect(probe.position?.latitude == 52.5 && probe.position?.longitude == 13.4)
        #expect(probe.position?.altitude == 34.5 && probe.position?.horizontalError == 17.1)
        #expect(probe.position?.satellitesUsed == 2 && probe.position?.ageSeconds == 0)
        #expect(probe.sensor?.name == "u-blox" && probe.sensor?.path == Recorded.path)
        #expect(probe.sensor?.access == .readable && probe.enumeration.access == .readable)
        #expect(start.seconds(to: channel.now) < 1)
        #expect(channel.sent.last == "?WATCH={\"enable\":false};\n")
        #expect(channel.sent.allSatisfy { $0.utf8.count <= 80 })
    }

    @Test func `a fix that gpsd remembers counts within one cycle of a receiver that is there`() throws {
        /// The seconds that a probe waits for the stream, and the age of its fix.
        func probe(
            _ poll: String, _ devices: String = Recorded.open, hasNode: Bool = true
        ) throws -> (wait: Double, age: Double?) {
            let channel = TimedChannel(devices, listing: Recorded.open, poll: poll, reports: [(0.9, report(56))])
            let start = channel.now
            let probe = try DriverHarness(channel, hasNode: hasNode)
            #expect(probe.sensor?.availability == .available)
            return (start.seconds(to: channel.now), probe.position?.ageSeconds)
        }
        let fresh = Recorded.poll(report(55))
        let recent = try probe(fresh)
        #expect(recent.wait < 0.01 && recent.age.map { abs($0 - 0.1) < 0.001 } == true)
        // The receiver may be gone, or was closed until now.
        #expect(try probe(fresh, hasNode: false).wait > 0.8)
        #expect(try probe(fresh, Recorded.closed).wait > 0.8)
        // The receiver's clock stands still, or the host's is off; the last packet is more than a cycle old.
        #expect(try probe(Recorded.poll(report(40))).wait > 0.8)
        #expect(try probe(Recorded.poll(report(55), at: "2026-11-21T11:21:58.000Z")).wait > 0.8)
        #expect(try probe(Recorded.poll(report(55), at: "2026-11-21T11:21:56.200Z")).wait > 0.8)
    }

    @Test func `evidence discloses no position`() throws {
        let probe = try DriverHarness(TimedChannel(reports: [(0.9, report(56))]))
        let words = probe.findings.flatMap(\.sensor.evidence).map(\.said).joined()
        #expect(words.contains("mode 3") && !words.contains("52.5") && !words.contains("13.4"))
    }

    @Test func `mode one is no fix`() throws {
        let probe = try DriverHarness(
            TimedChannel(poll: Recorded.poll(Recorded.noFix), reports: [(0.5, Recorded.noFix)]))
        #expect(probe.sensor?.availability == .unavailable(.noFix))
        #expect(probe.position?.fix == PositionReading.Fix.none && probe.position?.latitude == nil)
        #expect(probe.sensor?.remedy?.contains("--wait-fix") == true)
    }

    @Test(arguments: [
        (18, "the receiver has no fix, 3 seen, 0 used, strongest 18 dB-Hz: weak signal"),
        (44, "the receiver has no fix, 3 seen, 0 used, strongest 44 dB-Hz"),
    ])
    func `a weak signal is told beside no fix`(_ signal: Int, _ words: String) throws {
        let sky =
            #"{"class":"SKY","device":"/dev/ttyACM0","nSat":3,"uSat":0,"satellites":["#
            + #"{"PRN":1,"ss":\#(signal),"used":false},{"PRN":2,"ss":9,"used":false},{"PRN":3,"used":false}]}"#
        // A later object may have the dilutions of precision alone.
        let rest = #"{"class":"SKY","device":"/dev/ttyACM0","hdop":99.99}"#
        let probe = try DriverHarness(
            TimedChannel(
                poll: Recorded.poll(Recorded.noFix), reports: [(0.3, sky), (0.4, rest), (0.5, Recorded.noFix)]))
        #expect(probe.sensor?.availability == .unavailable(.noFix))
        #expect(probe.sensor?.detail == words)
        #expect(probe.position?.satellitesSeen == 3 && probe.position?.satellitesUsed == 0)
        #expect(probe.position?.strongestSignal == Double(signal))
    }

    @Test func `a fault of the antenna is told beside no fix, with its own remedy`() throws {
        let open = #"{"class":"TPV","device":"/dev/ttyACM0","mode":1,"ant":2}"#
        let probe = try DriverHarness(TimedChannel(poll: Recorded.poll(open), reports: [(0.5, open)]))
        #expect(probe.sensor?.availability == .unavailable(.noFix))
        #expect(probe.sensor?.detail?.hasSuffix("; the antenna is open") == true)
        #expect(probe.sensor?.remedies.first == .advice("connect the antenna, or replace its cable"))
        #expect(probe.position?.antenna == .open)
        #expect(probe.sensor?.evidence.first?.said == "TPV mode 1 (no fix), the antenna is open")
    }

    @Test func `a fix from memory is stale if it is old, else silent`() throws {
        let old = Recorded.poll(report(54), at: "2026-11-21T11:22:30.000Z")
        let stale = try DriverHarness(TimedChannel(poll: old))
        #expect(stale.sensor?.availability == .unavailable(.stale))
        // 35.458 s at the poll, plus the 1.949 s without data since.
        #expect(abs((stale.position?.ageSeconds ?? 0) - 37.407) < 0.01)
        let silent = try DriverHarness(TimedChannel(poll: Recorded.poll(report(54), at: "2026-11-21T11:22:00.000Z")))
        #expect(silent.sensor?.availability == .unavailable(.silent))
        #expect(silent.sensor?.detail?.contains("its last packet came 7.4 s ago") == true)
    }

    @Test func `an open receiver without reports is silent`() throws {
        let probe = try DriverHarness(TimedChannel())
        #expect(probe.sensor?.availability == .unavailable(.silent))
        #expect(probe.sensor?.reading == nil)
    }

    @Test func `a receiver that only we activated is unknown until it reports`() throws {
        let quiet = try DriverHarness(TimedChannel(Recorded.closed, listing: Recorded.open))
        #expect(quiet.sensor?.availability == .unavailable(.indeterminate))
        #expect(quiet.sensor?.detail?.contains("just activated by this probe") == true)
        let opening = try DriverHarness(TimedChannel(Recorded.closed))
        #expect(opening.sensor?.availability == .unavailable(.indeterminate))
        let reporting = try DriverHarness(
            TimedChannel(Recorded.closed, listing: Recorded.open, reports: [(1, report(56))]))
        #expect(reporting.sensor?.availability == .available)
    }

    /// A receiver that reports each second without improvement.
    private func short(_ line: String, _ devices: String = Recorded.closed) -> TimedChannel {
        TimedChannel(devices, listing: Recorded.open, reports: (1...70).map { (Double($0), line) })
    }

    @Test func `a receiver that only we activated is unknown while it has no fix yet`() throws {
        let bare = #"{"class":"TPV","device":"/dev/ttyACM0","mode":2,"eph":17.1}"#
        for line in [Recorded.noFix, bare, #"{"class":"TPV","device":"/dev/ttyACM0","mode":0}"#] {
            for waitForFix in [0.0, 10] {
                let sensor = try DriverHarness(short(line), waitForFix: waitForFix).sensor
                #expect(sensor?.availability == .unavailable(.indeterminate))
                #expect(sensor?.detail?.contains("just activated by this probe") == true)
                #expect(sensor?.remedy == "run again with --wait-fix 60")
            }
            #expect(try DriverHarness(short(line, Recorded.open)).sensor?.availability == .unavailable(.noFix))
        }
        let third = try DriverHarness(short(report(56, mode: 2)), criteria: FixCriteria(minimumFix: .threeDimensional))
        #expect(third.sensor?.availability == .unavailable(.indeterminate))
    }

    @Test func `the wait that the remedy advises decides`() throws {
        #expect(try DriverHarness(short(Recorded.noFix), waitForFix: 60).sensor?.availability == .unavailable(.noFix))
        let quiet = TimedChannel(Recorded.closed, listing: Recorded.open)
        #expect(try DriverHarness(quiet, waitForFix: 60).sensor?.availability == .unavailable(.silent))
    }

    @Test func `the timeout that a slow cycle needs is a valid option`() throws {
        func remedy(_ cycle: String) throws -> String? {
            try DriverHarness(
                TimedChannel(
                    #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","#
                        + #""activated":"2026-11-21T11:21:54.542Z","cycle":\#(cycle)}]}"#)
            ).sensor?.remedy
        }
        #expect(try remedy("100") == "run again with --timeout 108")
        for cycle in ["3500", "3600", "1e9", "1e300"] {
            #expect(try remedy(cycle) == "shorten the receiver's cycle, which is longer than a probe can be")
        }
    }

    @Test func `an age limit within the cycle is the value to change`() throws {
        let frozen = [(0.2, report(55)), (0.3, report(55))]
        let late = try DriverHarness(
            TimedChannel(poll: Recorded.poll(report(55)), reports: frozen),
            criteria: FixCriteria(maximumAge: .milliseconds(500)))
        #expect(late.sensor?.availability == .unavailable(.stale))
        #expect(late.sensor?.remedy == "run again with --max-age 2")
    }

    @Test func `the first cycle of a newly activated receiver decides nothing against it`() throws {
        let bare = #"{"class":"TPV","device":"/dev/ttyACM0","mode":2,"eph":17.1}"#
        let reports = [(0.5, Recorded.noFix), (0.6, Recorded.noFix), (0.7, bare), (1.5, report(56))]
        let probe = try DriverHarness(TimedChannel(Recorded.closed, listing: Recorded.open, reports: reports))
        #expect(probe.sensor?.availability == .available)
    }

    @Test func `a mode without a position is no fix`() throws {
        let bare = #"{"class":"TPV","device":"/dev/ttyACM0","mode":2,"eph":17.1}"#
        let probe = try DriverHarness(TimedChannel(reports: [(0.5, bare)]))
        #expect(probe.sensor?.availability == .unavailable(.noFix))
        #expect(probe.sensor?.detail?.contains("without a position") == true)
    }

    @Test func `a device that gpsd cannot open is faulty or gone`() throws {
        let channel = TimedChannel(Recorded.closed, listing: Recorded.noDevices)
        // The scripted world has no /dev/ttyACM0.
        let gone = try DriverHarness(channel)
        #expect(gone.sensor?.availability == .unavailable(.absent))
        let other = TimedChannel(Recorded.closed, listing: Recorded.noDevices)
        var world = scripted(other)
        world.add(Recorded.path, "")
        let faulty = try DriverHarness(world)
        #expect(faulty.sensor?.availability == .unavailable(.faulty))
        #expect(faulty.sensor?.remedy?.contains("sudo gpsdctl add /dev/ttyACM0") == true)
    }

    @Test func `a device closed while watched is gone`() throws {
        let notice = #"{"class":"DEVICE","path":"/dev/ttyACM0","activated":0}"#
        let probe = try DriverHarness(TimedChannel(reports: [(0.5, notice)]))
        #expect(probe.sensor?.availability == .unavailable(.absent))
    }

    @Test func `a fix off the Earth is faulty and not shown`() throws {
        let probe = try DriverHarness(TimedChannel(reports: [(0.5, Recorded.report(lat: "95.0"))]))
        #expect(probe.sensor?.availability == .unavailable(.faulty))
        #expect(probe.sensor?.reading == nil)
    }

    @Test func `the caller chooses the minimum fix`() throws {
        let reports = [(0.5, report(56, mode: 2)), (1.5, report(57, mode: 2))]
        let poll = Recorded.poll(report(55, mode: 2))
        #expect(try DriverHarness(TimedChannel(poll: poll, reports: reports)).sensor?.availability == .available)
        let third = try DriverHarness(
            TimedChannel(poll: poll, reports: reports), criteria: FixCriteria(minimumFix: .threeDimensional))
        #expect(third.sensor?.availability == .unavailable(.noFix))
        #expect(third.sensor?.detail == "its fix is 2D; 3D is required")
        #expect(third.position?.fix == .twoDimensional)
        let any = try DriverHarness(
            TimedChannel(reports: [(0.5, Recorded.noFix)]), criteria: FixCriteria(minimumFix: .none))
        #expect(any.sensor?.availability == .available)
        let none = try DriverHarness(TimedChannel(), criteria: FixCriteria(minimumFix: .none))
        #expect(none.sensor?.availability == .unavailable(.silent))
    }

    @Test func `a simulated fix is a notice unless it is excluded`() throws {
        let simulated = [(0.5, report(56, more: #","eph":17.1,"status":8"#))]
        let probe = try DriverHarness(TimedChannel(reports: simulated))
        #expect(probe.sensor?.availability == .available)
        #expect(probe.notices == [.simulated] && probe.position?.simulated == true)
        let strict = try DriverHarness(TimedChannel(reports: simulated), criteria: FixCriteria(allowsSimulated: false))
        #expect(strict.sensor?.availability == .unavailable(.noFix))
        #expect(strict.sensor?.detail?.contains("simulated") == true && strict.notices.isEmpty)
    }

    @Test func `a large error is a notice`() throws {
        #expect(
            try DriverHarness(TimedChannel(reports: [(0.5, report(56, more: #","eph":101"#))])).notices == [
                .lowAccuracy
            ])
        #expect(try DriverHarness(TimedChannel(reports: [(0.5, report(56, more: #","eph":100"#))])).notices.isEmpty)
    }

    @Test func `reports with an unchanged time are stale`() throws {
        let frozen = [(0.5, report(55)), (1.5, report(55))]
        let probe = try DriverHarness(TimedChannel(poll: Recorded.poll(report(55)), reports: frozen))
        #expect(probe.sensor?.availability == .unavailable(.stale))
        #expect((probe.position?.ageSeconds ?? 0) > 1)
    }

    @Test func `a report of the cycle that the poll showed is followed by the next`() throws {
        let reports = [(0.1, report(55)), (1.1, report(56))]
        let probe = try DriverHarness(TimedChannel(poll: Recorded.poll(report(55)), reports: reports))
        #expect(probe.sensor?.availability == .available)
    }

    @Test(.waits) func `waiting for a fix goes on up to the deadline`() throws {
        let reports = (1...40).map { (Double($0), $0 < 30 ? Recorded.noFix : report(10 + $0)) }
        let poll = Recorded.poll(Recorded.noFix)
        func availability(waitForFix seconds: Double) throws -> Availability? {
            try DriverHarness(TimedChannel(poll: poll, reports: reports), waitForFix: seconds).sensor?.availability
        }
        #expect(try availability(waitForFix: 0) == .unavailable(.noFix))
        #expect(try availability(waitForFix: 10) == .unavailable(.noFix))
        #expect(try availability(waitForFix: 60) == .available)
    }

    @Test func `a receiver with a slow cycle is unknown within a shorter time`() throws {
        let slow =
            #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","#
            + #""activated":"2026-11-21T11:21:54.542Z","cycle":5.0}]}"#
        let probe = try DriverHarness(TimedChannel(slow))
        #expect(probe.sensor?.availability == .unavailable(.indeterminate))
        #expect(probe.sensor?.remedy == "run again with --timeout 8")
        let longer = try DriverHarness(TimedChannel(slow), seconds: 8)
        #expect(longer.sensor?.availability == .unavailable(.silent))
    }

    @Test func `several receivers are decided from one stream`() throws {
        func device(_ path: String) -> String {
            #"{"class":"DEVICE","path":"\#(path)","driver":"NMEA0183","activated":"2026-11-21T11:21:54.5Z"}"#
        }
        let list = ["/dev/a", "/dev/b", "/dev/c"].map(device).joined(separator: ",")
        let devices = #"{"class":"DEVICES","devices":[\#(list)]}"#
        func at(_ path: String, _ line: String) -> String {
            line.split(separator: "/dev/ttyACM0", omittingEmptySubsequences: false).joined(separator: path)
        }
        let channel = TimedChannel(
            devices,
            reports: [
                (0.4, at("/dev/b", report(56))), (0.5, at("/dev/a", Recorded.noFix)),
                (1.5, at("/dev/a", Recorded.noFix)),
            ])
        let probe = try DriverHarness(channel)
        #expect(
            probe.findings.map(\.sensor.availability)
                == [.unavailable(.noFix), .available, .unavailable(.silent)])
        #expect(channel.sent.count { $0.contains("enable\":true") } == 1)
        #expect(channel.sent.count { $0.contains("enable\":false") } == 1)
    }

    @Test func `a source of ship reports or corrections is not a receiver`() throws {
        let devices =
            #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ais","activated":1.5,"flags":8},"#
            + #"{"class":"DEVICE","path":"ntrip://caster/mount"},{"class":"DEVICE","path":"/dev/pps0"}]}"#
        #expect(try DriverHarness(TimedChannel(devices)).enumeration.candidates.isEmpty)
    }
}
