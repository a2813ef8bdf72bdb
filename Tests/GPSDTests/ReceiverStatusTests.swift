import DriverKit
import Readiness
import Support
import Testing
@testable import GPSD

/// The status of one receiver, at times that the test sets.
@Suite struct ReceiverStatusTests {
    private let begin = Instant(nanoseconds: 1_000_000_000_000)

    private func message(_ line: String) throws -> Message { try #require(Message(line: Array(line.utf8))) }

    /// A receiver that gpsd lists, open or not before the watch.
    private func receiver(isOpen: Bool) throws -> Receiver {
        let activated = isOpen ? #","activated":"2026-11-21T11:21:54.000Z""# : ""
        guard case .device(let device) = try message(#"{"class":"DEVICE","path":"/dev/ttyACM0"\#(activated)}"#) else {
            throw Message.Wrong()
        }
        return Receiver(device, isPresent: true)
    }

    private func report(_ fields: String) throws -> TPV {
        guard case .report(let report) = try message(#"{"class":"TPV","device":"/dev/ttyACM0",\#(fields)}"#) else {
            throw Message.Wrong()
        }
        return report
    }

    private func rules(isPatient: Bool, allowsSimulated: Bool = true) -> StatusRules {
        var criteria = FixCriteria()
        criteria.allowsSimulated = allowsSimulated
        return StatusRules(
            criteria, isPatient: isPatient, at: GPSDAddress(HostPort(host: "127.0.0.1", port: 2947), world: FakeWorld())
        )
    }

    @Test func `a receiver that the watch opened has the whole settling time to find a fix`() throws {
        var receiver = try receiver(isOpen: false)
        let notice = #"{"class":"DEVICE","path":"/dev/ttyACM0","activated":"2026-11-21T11:21:55.000Z"}"#
        guard case .device(let opened) = try message(notice) else { throw Message.Wrong() }
        receiver.notice(opened)
        receiver.take(try report(#""mode":1"#), at: begin)
        for (watched, cause) in [(Receiver.settling - 0.001, Cause.indeterminate), (Receiver.settling, .noFix)] {
            let status = receiver.status(rules(isPatient: false), at: begin, .deadline(watched))
            #expect(status.availability == .unavailable(cause), "\(watched) s")
        }
    }

    @Test func `a fix that is not enough does not end the wait for one`() throws {
        var receiver = try receiver(isOpen: true)
        let rules = rules(isPatient: true, allowsSimulated: false)
        let place = #""mode":3,"lat":52.5,"lon":13.4"#
        receiver.take(try report(#"\#(place),"status":8,"time":"2026-11-21T11:21:55.000Z""#), at: begin)
        receiver.evaluate(rules, at: begin, since: begin, .deadline(0))
        #expect(receiver.status?.availability == .unavailable(.noFix) && receiver.status?.isFinal == true)
        for second in 1...2 {
            let now = begin.advanced(bySeconds: Double(second))
            receiver.take(try report(#""mode":1,"time":"2026-11-21T11:21:5\#(5 + second).000Z""#), at: now)
            receiver.evaluate(rules, at: now, since: begin, .deadline(0))
        }
        #expect(receiver.status?.availability == .unavailable(.noFix) && receiver.status?.isFinal == false)
        // Once there was one, less is final again.
        for (second, fields) in [(3, place), (4, #""mode":1"#), (5, #""mode":1"#)] {
            let now = begin.advanced(bySeconds: Double(second))
            let time = #""time":"2026-11-21T11:22:0\#(second).000Z""#
            receiver.take(try report("\(fields),\(time)"), at: now)
            receiver.evaluate(rules, at: now, since: begin, .deadline(0))
        }
        #expect(receiver.status?.availability == .unavailable(.noFix) && receiver.status?.isFinal == true)
    }
}
