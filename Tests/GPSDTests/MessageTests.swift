import GPSD
import Readiness
import Support
import Testing

@Suite struct MessageTests {
    private func message(_ line: String) -> Message? { Message(line: Array(line.utf8)) }

    private func report(_ line: String) throws -> TPV {
        guard case .report(let report) = try #require(message(line)) else { throw Message.Wrong() }
        return report
    }

    @Test func `a line without a class is not a message`() {
        for line in ["", "SSH-2.0-OpenSSH_9.2", "{}", "[]", #"{"class":3}"#, #""class""#, "{\"class\":\"TPV\""] {
            #expect(message(line) == nil, "\(line)")
        }
    }

    @Test func `an unknown class is recognized as unknown`() {
        #expect(message(Recorded.unknown) == .other("CHOCOLATE"))
    }

    @Test(arguments: ["TOFF", "PPS"])
    func `a clock is ahead by seconds and nanoseconds`(name: String) {
        let times = #""real_sec":99,"real_nsec":250000000,"clock_sec":100,"clock_nsec":500000000"#
        let line = #"{"class":"\#(name)","device":"/dev/ttyACM0",\#(times)}"#
        #expect(message(line) == .clock(device: "/dev/ttyACM0", difference: 1.25))
        #expect(message(#"{"class":"PPS","real_sec":1e12,"real_nsec":0,"clock_sec":0,"clock_nsec":0}"#) == nil)
    }

    @Test func `a report with every field missing is not seen`() throws {
        let report = try report(#"{"class":"TPV"}"#)
        #expect(report.mode == 0 && report.fix == .none && report.time == nil && report.device == nil)
    }

    @Test func `height above the sea takes precedence over height above the ellipsoid`() throws {
        #expect(try report(Recorded.report()).altitude == 34.5)
        #expect(try report(#"{"class":"TPV","mode":3,"alt":1,"altHAE":2}"#).altitude == 2)
        #expect(try report(#"{"class":"TPV","mode":3,"alt":1}"#).altitude == 1)
    }

    @Test func `the horizontal error is eph, else that of both axes`() throws {
        #expect(try report(Recorded.report()).error == 17.1)
        #expect(try report(Recorded.report(more: #","epx":3,"epy":4"#)).error == 5)
        #expect(try report(Recorded.report(more: #","epx":3"#)).error == nil)
        #expect(try report(Recorded.report(more: #","eph":-1"#)).error == nil)
        #expect(try report(Recorded.report(more: #","eph":1e999"#)).error == nil)
    }

    @Test func `status 8 is simulated, others are not`() throws {
        #expect(try report(Recorded.report(more: #","status":8"#)).isSimulated)
        #expect(try !report(Recorded.report(more: #","status":2"#)).isSimulated)
        #expect(try !report(Recorded.report()).isSimulated)
    }

    @Test(arguments: [("90.1", "0"), ("0", "-180.1"), ("1e999", "0"), ("0", "-1e999"), ("0", "0"), ("-0.0", "0.0")])
    func `a position off the Earth, or at exactly 0, 0, is a fault`(_ lat: String, _ lon: String) throws {
        #expect(try report(Recorded.report(lat: lat, lon: lon)).fault != nil)
    }

    @Test(arguments: [("90", "180"), ("-90", "-180"), ("0", "1e-9"), ("1e-9", "0")])
    func `extreme positions on the Earth are not a fault`(_ lat: String, _ lon: String) throws {
        #expect(try report(Recorded.report(lat: lat, lon: lon)).fault == nil)
    }

    @Test func `satellites are counted where no count is given`() {
        func sky(_ line: String) -> Sky? {
            guard case .sky(_, let sky)? = message(line) else { return nil }
            return sky
        }
        let recorded = sky(Recorded.sky)
        #expect(recorded?.used == 2 && recorded?.seen == 3 && recorded?.strongest == 46)
        let old = #"{"class":"SKY","satellites":[{"PRN":1,"used":true},{"PRN":2,"used":false},{"PRN":3}]}"#
        #expect(sky(old)?.used == 1 && sky(old)?.seen == 3 && sky(old)?.strongest == nil)
        let none = sky(#"{"class":"SKY"}"#)
        #expect(none != nil && none?.used == nil && none?.seen == nil)
        let weak = #"{"class":"SKY","satellites":[{"ss":1},{"ss":0.5},{"ss":0}]}"#
        #expect(sky(weak)?.strongest == 1)
        // Values that cannot be true, from a hostile or damaged peer.
        let odd = #"{"class":"SKY","nSat":1e300,"uSat":-4,"satellites":[{"ss":1e9},{"ss":-3},{"ss":0},{"ss":"x"}]}"#
        #expect(sky(odd)?.used == 0 && sky(odd)?.seen == 4 && sky(odd)?.strongest == nil)
    }

    @Test(
        arguments: [
            (#","ant":2"#, AntennaFault.open), (#","ant":3"#, .shorted), (#","ant":0,"antPwr":1"#, .off),
            (#","ant":1,"antPwr":2"#, nil), (#","ant":"x""#, nil), ("", nil),
        ] as [(String, AntennaFault?)])
    func `a fault of the antenna is read`(_ more: String, _ fault: AntennaFault?) throws {
        #expect(try report(Recorded.report(more: more)).antenna == fault)
    }

    @Test func `text of the peer cannot control a terminal`() {
        #expect(message(#"{"class":"ERROR","message":"\u001b[2Jx\u202ey\r\n"}"#) == .error("[2Jxy"))
    }

    @Test func `times are compared in seconds`() throws {
        #expect(secondsSince1970("1970-01-01T00:00:00Z") == 0)
        #expect(secondsSince1970("2026-11-21T11:22:03Z") == 1_795_260_123)
        #expect(secondsSince1970("2024-02-29T00:00:00.000Z") == 1_709_164_800)
        // The first day of each month, 2026.
        var days = 20_454
        for (index, length) in [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
            let month = index < 9 ? "0\(index + 1)" : "\(index + 1)"
            #expect(secondsSince1970("2026-\(month)-01T00:00:00Z") == Double(days * 86_400), "\(month)")
            days += length
        }
        let late = try #require(secondsSince1970("2026-11-21T11:22:03.112Z"))
        #expect(abs(late - 1_795_260_123.112) < 1e-6)
        for wrong in [
            "", "now", "2026-13-21T11:22:03Z", "2026-11-21 11:22:03Z", "2026-11-21T11:22:03", "2026-11-21T1a:22:03Z",
        ] {
            #expect(secondsSince1970(wrong) == nil, "\(wrong)")
        }
    }

    @Test func `mutants never crash and a fix always has a place`() {
        for mutant in Mutations(of: Recorded.lines.map { Array($0.utf8) }, count: 20_000) {
            guard case .report(let report)? = Message(line: mutant) else { continue }
            #expect((0...3).contains(report.mode))
            if report.fix != .none { #expect(report.latitude != nil && report.longitude != nil) }
            if let error = report.error { #expect(error.isFinite && error >= 0) }
        }
    }
}

extension Message {
    /// The message is not the expected one.
    struct Wrong: Error {}
}
