import DriverKit
import Readiness
import Support
import Testing
@testable import GPSD

/// Fixes that cannot be right, as a receiver reports them.
@Suite struct ContradictionTests {
    private func report(
        _ second: Int, lat: String = "52.5", lon: String = "13.4", _ more: String = #","eph":5"#, mode: Int = 3
    ) -> String {
        Recorded.report(mode: mode, second: second, lat: lat, lon: lon, more: more)
    }

    private func sky(used: Int, seen: Int = 12, time: String? = nil) -> String {
        let time = time.map { #""time":"2026-11-21T11:21:\#($0).000Z","# } ?? ""
        return #"{"class":"SKY","device":"/dev/ttyACM0",\#(time)"nSat":\#(seen),"uSat":\#(used)}"#
    }

    private func details(_ probe: DriverHarness) -> [String] {
        probe.findings.flatMap(\.notices).filter { $0.id == .contradictoryFix }.map(\.detail)
    }

    // MARK: The kind of fix

    static let kinds: [(status: String, kind: PositionReading.FixKind)] = [
        (#","status":0"#, .unknown), (#","status":1"#, .normal), (#","status":2"#, .dgps),
        (#","status":3"#, .rtkFixed), (#","status":4"#, .rtkFloat), (#","status":5"#, .deadReckoning),
        (#","status":6"#, .normal), (#","status":7"#, .timeOnly), (#","status":8"#, .simulated),
        (#","status":9"#, .normal), (#","status":10"#, .unknown), (#","status":-1"#, .unknown),
        (#","status":1.5"#, .unknown), (#","status":1e300"#, .unknown), (#","status":null"#, .unknown),
        (#","status":"5""#, .unknown), (#","status":"Simulated""#, .simulated), ("", .unknown),
    ]

    @Test(arguments: kinds)
    func `the kind of a fix is that of its status`(status: String, kind: PositionReading.FixKind) throws {
        let probe = try DriverHarness(TimedChannel(reports: [(0.5, report(56, #","eph":5"# + status))]))
        #expect(probe.position?.fixKind == kind && probe.position?.simulated == (kind == .simulated))
        #expect(probe.sensor?.availability == .available)
        let words = probe.sensor?.evidence.first?.said
        let expected: [PositionReading.FixKind: String] = [
            .dgps: ", status 2 (DGPS)", .rtkFixed: ", status 3 (RTK fixed)", .rtkFloat: ", status 4 (RTK float)",
            .deadReckoning: ", status 5 (dead reckoning)", .timeOnly: ", status 7 (time only)",
            .simulated: ", status 8 (simulated)",
        ]
        #expect(words == "TPV mode 3 (3D), horizontal error 5.0 m\(expected[kind] ?? "")")
    }

    @Test func `without a fix its kind is unknown`() throws {
        let none = #"{"class":"TPV","device":"/dev/ttyACM0","mode":1,"status":5}"#
        let probe = try DriverHarness(TimedChannel(poll: Recorded.poll(none), reports: [(0.5, none)]))
        #expect(probe.position?.fix == PositionReading.Fix.none && probe.position?.fixKind == .unknown)
    }

    // MARK: Contradictions

    @Test func `an error of exactly zero is a notice, and the position counts`() throws {
        for (eph, expected) in [("0", 1), ("0.0", 1), ("0.001", 0)] {
            let probe = try DriverHarness(TimedChannel(reports: [(0.5, report(56, #","eph":\#(eph)"#))]))
            #expect(probe.sensor?.availability == .available && details(probe).count == expected, "\(eph)")
            #expect(details(probe).allSatisfy { $0.contains("horizontal error is exactly 0 m") })
        }
        let axes = try DriverHarness(TimedChannel(reports: [(0.5, report(56, #","epx":0,"epy":0"#))]))
        #expect(details(axes).count == 1)
    }

    @Test(arguments: [
        ("0", "0", false), ("0.0", "-0.0", false), ("0", "1e-9", true), ("-1e-9", "0", true), ("52.5", "0", true),
    ])
    func `a position at exactly 0, 0 does not count`(lat: String, lon: String, counts: Bool) throws {
        let probe = try DriverHarness(TimedChannel(reports: [(0.5, report(56, lat: lat, lon: lon))]))
        #expect(probe.sensor?.availability == (counts ? .available : .unavailable(.faulty)))
        #expect(details(probe).count == (counts ? 0 : 1) && (probe.sensor?.remedies.isEmpty == counts))
        #expect(probe.sensor?.detail == (counts ? nil : "it reports that latitude and longitude are exactly 0"))
        // Before the first fix it is no position at all.
        let none = report(56, lat: lat, lon: lon, mode: 1)
        let early = try DriverHarness(TimedChannel(poll: Recorded.poll(none), reports: [(0.5, none)]))
        #expect(early.sensor?.availability == .unavailable(.noFix) && early.notices.isEmpty)
    }

    /// A fix whose SKY comes after it, with the satellites used, the status, and whether the position counts.
    @Test(arguments: [
        (0, 12, "", false), (0, 12, #","status":1"#, false), (0, 12, #","status":6"#, false), (0, 0, "", false),
        (0, 12, #","status":5"#, true), (0, 12, #","status":7"#, true), (0, 12, #","status":8"#, true),
        (1, 12, "", true), (4, 4, "", true),
    ])
    func `a fix from no satellite does not count`(used: Int, seen: Int, status: String, counts: Bool) throws {
        for mode in [2, 3] {
            let fix = report(56, #","eph":5"# + status, mode: mode)
            let channel = TimedChannel(reports: [(0.5, fix), (0.55, sky(used: used, seen: seen))])
            let began = channel.now
            let probe = try DriverHarness(channel)
            #expect(probe.sensor?.availability == (counts ? .available : .unavailable(.faulty)))
            #expect(details(probe).count == (counts ? 0 : 1))
            // It takes no longer than a good one.
            #expect(began.seconds(to: channel.now) < 0.8)
            guard !counts else { continue }
            #expect(probe.sensor?.detail == "its \(mode)D fix uses no satellite")
            #expect(probe.sensor?.evidence.last?.said == "SKY \(seen) satellites seen, 0 used")
            #expect(probe.sensor?.remedies.isEmpty == false)
        }
    }

    @Test func `the satellites of another cycle are not those of the fix`() throws {
        func availability(_ reports: [(Double, String)], poll: String = Recorded.emptyPoll) throws -> Availability? {
            try DriverHarness(TimedChannel(poll: poll, reports: reports)).sensor?.availability
        }
        let none = #"{"class":"TPV","device":"/dev/ttyACM0","mode":1,"time":"2026-11-21T11:21:55.000Z"}"#
        // It searches in one cycle and has its fix in the next.
        #expect(try availability([(0.1, sky(used: 0)), (0.2, none), (1.2, report(56))]) == .available)
        let found = [(0.2, none), (0.3, sky(used: 0)), (1.2, report(56)), (1.3, sky(used: 5))]
        #expect(try availability(found) == .available)
        #expect(
            try availability([(0.2, none), (0.3, sky(used: 0, time: "55")), (1.2, report(56))]) == .available)
        // A time tells the cycle, whichever comes first.
        let before = [(0.4, sky(used: 0, time: "56")), (0.5, report(56))]
        #expect(try availability(before) == .unavailable(.faulty))
        let late = [(0.5, report(56)), (0.55, sky(used: 0, time: "55"))]
        #expect(try availability(late) == .available)
        // Without one, what comes just before the fix is taken for its own.
        #expect(try availability([(0.4, sky(used: 0)), (0.5, report(56))]) == .unavailable(.faulty))
    }

    @Test func `a count of satellites that gpsd does not have is none`() throws {
        // gpsd 3.22 answers the poll so for a receiver without GSV sentences.
        let empty = #"{"class":"SKY","device":"/dev/ttyACM0","hdop":0.9,"nSat":0,"uSat":0}"#
        let poll =
            #"{"class":"POLL","time":"2026-11-21T11:21:55.100Z","active":1,"tpv":[\#(report(55))],"gst":[],"#
            + #""sky":[\#(empty)]}"#
        let bare = #"{"class":"SKY","device":"/dev/ttyACM0","hdop":0.9,"satellites":[]}"#
        for channel in [
            TimedChannel(poll: poll, reports: [(0.9, report(56))]),
            TimedChannel(reports: [(0.5, report(56)), (0.55, bare)]),
        ] {
            let probe = try DriverHarness(channel)
            #expect(probe.sensor?.availability == .available && probe.position?.satellitesUsed == nil)
            #expect(probe.notices.isEmpty)
        }
    }

    /// A receiver's date, the system clock of gpsd's machine, and which of them is more likely wrong.
    static let dates: [(receiver: String, system: String, verdict: String?)] = [
        ("2026-11-21T11:22:00.000Z", "2026-11-21T11:22:00.000Z", nil),
        // A year of 365.25 days.
        ("2025-11-21T05:22:00.000Z", "2026-11-21T11:22:00.000Z", nil),
        ("2025-11-21T05:21:59.000Z", "2026-11-21T11:22:00.000Z", "the receiver is wrong, or"),
        ("2007-04-07T11:22:00.000Z", "2026-11-21T11:22:00.000Z", "the receiver is wrong: it is 1024 weeks off"),
        ("2007-04-10T11:22:00.000Z", "2026-11-21T11:22:00.000Z", "the receiver is wrong: it is 1024 weeks off"),
        ("2007-04-04T11:22:00.000Z", "2026-11-21T11:22:00.000Z", "the receiver is wrong: it is 1024 weeks off"),
        ("2007-04-10T11:22:01.000Z", "2026-11-21T11:22:00.000Z", "the receiver is wrong, or"),
        ("1987-08-22T11:22:00.000Z", "2026-11-21T11:22:00.000Z", "the receiver is wrong: it is 2048 weeks off"),
        ("2046-07-07T11:22:00.000Z", "2026-11-21T11:22:00.000Z", "the receiver is wrong: it is 1024 weeks off"),
        ("2026-11-21T11:22:00.000Z", "1970-01-01T00:01:00.000Z", "the system clock is wrong: it is not set"),
        ("2026-11-21T11:22:00.000Z", "2000-01-01T00:01:00.000Z", "the system clock is wrong: it is not set"),
        // A clock without a battery may be 1024 weeks behind, too.
        ("2026-11-21T11:22:00.000Z", "2007-04-07T11:22:00.000Z", "the system clock is wrong: it is not set"),
        ("2029-11-21T11:22:00.000Z", "2026-11-21T11:22:00.000Z", "the system clock is wrong"),
        ("2026-11-21T11:22:00.000Z", "2038-01-19T03:14:07.000Z", "the system clock is wrong"),
    ]

    @Test(arguments: dates)
    func `a date that is years away is a notice that names both clocks`(
        receiver: String, system: String, verdict: String?
    ) throws {
        func probe(_ more: String) throws -> DriverHarness {
            let fix = report(56, more).replacing("2026-11-21T11:21:56.000Z", with: receiver)
            let poll = Recorded.emptyPoll.replacing("2026-11-21T11:21:55.100Z", with: system)
            return try DriverHarness(TimedChannel(poll: poll, reports: [(0.001, fix), (0.002, sky(used: 9))]))
        }
        let told = try probe(#","eph":5"#)
        #expect(told.sensor?.availability == .available && details(told).count == (verdict == nil ? 0 : 1))
        if let verdict, let detail = details(told).first {
            let days = [receiver, system].map { String($0.prefix(10)) }
            #expect(detail.contains("its date is \(days[0])") && detail.contains("is at \(days[1])"), "\(detail)")
            #expect(detail.contains("more likely \(verdict)"), "\(detail)")
        }
        #expect(details(try probe(#","eph":5,"status":8"#)).isEmpty)
    }

    @Test func `without gpsd's clock no date is judged`() throws {
        let fix = report(56).replacing("2026-11-21", with: "2007-04-07")
        let poll = Recorded.emptyPoll.replacing(#""time":"2026-11-21T11:21:55.100Z","#, with: "")
        #expect(try DriverHarness(TimedChannel(poll: poll, reports: [(0.5, fix)])).notices.isEmpty)
    }

    @Test func `one notice names each contradiction of a receiver`() throws {
        let fix = report(56, lat: "0", lon: "0", #","eph":0"#).replacing("2026-11-21", with: "2007-04-07")
        let probe = try DriverHarness(TimedChannel(reports: [(0.5, fix), (0.55, sky(used: 0))]))
        #expect(probe.sensor?.availability == .unavailable(.faulty))
        #expect(
            details(probe) == [
                "the fix of /dev/ttyACM0 cannot be right: its horizontal error is exactly 0 m, which no receiver has; "
                    + "its position is exactly 0, 0; it uses no satellite; its date is 2007-04-07, and the system clock of "
                    + "gpsd's machine is at 2026-11-21: more likely the receiver is wrong: it is 1024 weeks off, a GPS week "
                    + "rollover that its firmware does not handle"
            ])
        #expect(probe.findings.flatMap(\.notices).allSatisfy { $0.sensor == probe.sensor?.key })
    }

    @Test func `a watch publishes a fix that becomes another kind, vague or contradictory`() throws {
        func state(_ more: String) throws -> GPSDState {
            guard case .devices(let devices)? = Message(line: Array(Recorded.open.utf8)) else { throw Message.Wrong() }
            var state = GPSDState(.answered(release: "3.22", devices), isPresent: { _ in true })
            let message = try #require(Message(line: Array(report(56, more).utf8)))
            _ = state.take(message, at: Instant(nanoseconds: 1))
            return state
        }
        let good = try state(#","eph":5"#)
        #expect(try good.isEquivalent(to: state(#","eph":100"#)))
        for other in [#","eph":100.1"#, #","eph":0"#, #","eph":5,"status":5"#, ""] {
            #expect(try !good.isEquivalent(to: state(other)), "\(other)")
        }
    }
}
