import DriverKit
import Foundation
import LocalRig
import Readiness
import Rendering
import Testing

@testable import Fleet

/// What is told of rigs that are asked before they count.
@Suite("What a rig answers")
struct AnswerTests {
    private static let walking = ServiceSet(.walking)

    /// A report of a rig that answers `answer` while it holds; nil for one that never answers.
    private func report(_ answer: String?) throws -> [UInt8] {
        let bytes = try JSONEncoder().encode(Report(try LocalRig(recording: "field-kit").assess()))
        guard let answer else { return Array(bytes) }
        var keys = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        keys["answer"] = answer
        return Array(try JSONSerialization.data(withJSONObject: keys))
    }

    private func message(_ topic: String, _ payload: [UInt8], retained: Bool = true) -> MQTTMessage {
        MQTTMessage(topic: "rigready/r/\(topic)", payload: payload, isRetained: retained)
    }

    private func time(_ seconds: Double) -> [UInt8] {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return Array(Date(timeIntervalSinceNow: seconds).formatted(style).utf8)
    }

    /// A fleet of one rig by what a broker keeps, which is asked.
    private func rigs(_ answer: String?, state: String = "online", seen: Double = 0) throws -> FleetRigs {
        var rigs = FleetRigs()
        rigs.beginAsking()
        rigs.take(message("state", Array(state.utf8)))
        rigs.take(message("seen", time(seen)))
        rigs.take(message("report", try report(answer)))
        return rigs
    }

    private func hear(_ rigs: inout FleetRigs, _ answer: String, retained: Bool = false) {
        rigs.take(message("answer/0f", Array(answer.utf8), retained: retained))
    }

    private func told(_ rigs: FleetRigs) throws -> RigStanding {
        try #require(rigs.standings(asked: Self.walking).first?.standing)
    }

    @Test func `a rig that answers counts, and is asked once`() throws {
        var rigs = try rigs("1-1")
        #expect(!rigs.areConfirmed && rigs.takeUnasked().count == 1 && rigs.takeUnasked().isEmpty)
        hear(&rigs, "1-1")
        #expect(rigs.areConfirmed && rigs.takeUnasked().isEmpty && rigs.answers == 1)
        let told = try told(rigs)
        #expect(told.outcome == .runs && told.remarks.isEmpty)
    }

    @Test func `one that does not answer cannot be told, whatever the broker kept`() throws {
        var rigs = try rigs("1-1")
        hear(&rigs, "1-1", retained: true)
        let told = try told(rigs)
        #expect(told.online == nil && told.outcome == .cannotTell && told.remarks.map(\.id) == ["noAnswer"])
        #expect(!rigs.areConfirmed && rigs.unanswered.map(\.hasOldReport) == [false])
    }

    @Test func `one that answers of another report than the broker kept cannot be told until that has come`() throws {
        var rigs = try rigs("1-1")
        hear(&rigs, "1-2")
        let before = try told(rigs)
        #expect(before.online == true && before.outcome == .cannotTell && before.remarks.map(\.id) == ["oldReport"])
        #expect(rigs.unanswered.map(\.hasOldReport) == [true])
        rigs.take(message("report", try report("1-2"), retained: false))
        #expect(rigs.areConfirmed)
        let after = try told(rigs)
        #expect(after.outcome == .runs)
    }

    @Test func `what a broker kept does not take the place of the report that holds`() throws {
        var rigs = try rigs("1-2")
        hear(&rigs, "1-2")
        rigs.take(message("report", try report("1-1")))
        let kept = try told(rigs)
        #expect(kept.outcome == .runs)
        hear(&rigs, "1-3")
        rigs.take(message("report", try report("1-3")))
        let newer = try told(rigs)
        #expect(newer.outcome == .runs && rigs.areConfirmed)
    }

    @Test func `one whose report changes after it answered is asked again`() throws {
        var rigs = try rigs("1-1")
        #expect(rigs.takeUnasked().count == 1)
        hear(&rigs, "1-1")
        rigs.take(message("report", try report("1-2"), retained: false))
        let before = try told(rigs)
        #expect(before.outcome == .cannotTell && rigs.takeUnasked().count == 1)
        hear(&rigs, "1-2")
        let after = try told(rigs)
        #expect(after.outcome == .runs && rigs.areConfirmed)
    }

    @Test func `one that answered and then ended is offline`() throws {
        var rigs = try rigs("1-1")
        hear(&rigs, "1-1")
        rigs.take(message("state", Array("offline".utf8), retained: false))
        let told = try told(rigs)
        #expect(told.online == false && told.outcome == .doesNotRun && rigs.areConfirmed)
    }

    @Test func `one whose report does not tell what it answers cannot be told`() throws {
        var rigs = try rigs(nil)
        #expect(rigs.areConfirmed && rigs.takeUnasked().isEmpty)
        let told = try told(rigs)
        #expect(told.online == nil && told.outcome == .cannotTell && told.remarks.map(\.id) == ["cannotAnswer"])
    }

    @Test(arguments: [("offline", 0.0), ("online", -31), ("online", 60), ("here", 0)])
    func `only a rig that would count is asked`(state: String, seen: Double) throws {
        var rigs = try rigs("1-1", state: state, seen: seen)
        #expect(rigs.areConfirmed && rigs.takeUnasked().isEmpty)
    }

    @Test func `who asks nobody is told what the broker has`() throws {
        var rigs = FleetRigs()
        for (topic, payload) in [("state", Array("online".utf8)), ("seen", time(0)), ("report", try report("1-1"))] {
            rigs.take(message(topic, payload))
        }
        let before = try told(rigs)
        #expect(before.outcome == .runs && rigs.takeUnasked().isEmpty)
        rigs.beginAsking()
        let after = try told(rigs)
        #expect(after.outcome == .cannotTell && rigs.takeUnasked().count == 1)
    }

    @Test func `an answer of a rig that is not known leaves nothing`() {
        var rigs = FleetRigs()
        rigs.beginAsking()
        hear(&rigs, "1-1")
        #expect(rigs.standings(asked: nil).isEmpty && rigs.areConfirmed)
    }

    // MARK: The rig

    private func ask(_ asks: inout PendingAsks, _ word: String, retained: Bool = false, size: Int? = nil) {
        asks.take(MQTTMessage(topic: "", payload: Array(word.utf8), isRetained: retained, size: size))
    }

    @Test func `a question is answered once, to its own word`() {
        var asks = PendingAsks()
        for word in ["0123456789abcdef", "0123456789abcdef", "fedcba98"] { ask(&asks, word) }
        #expect(asks.takeWords(at: .now) == ["0123456789abcdef", "fedcba98"])
        #expect(asks.isEmpty && asks.takeWords(at: .now).isEmpty)
    }

    @Test(arguments: [
        "", "0", "0123456", "0123456789ABCDEF", "01234567/#", "01234567/+", "0123456\u{0}", "0123456\u{1b}",
        "01234567é", String(repeating: "0", count: 33), String(repeating: "0", count: 100_000),
    ])
    func `what is no reader's word is not answered`(word: String) {
        var asks = PendingAsks()
        ask(&asks, word)
        #expect(asks.isEmpty)
    }

    @Test func `what a broker kept or cut is not answered`() {
        var asks = PendingAsks()
        ask(&asks, "0123456789abcdef", retained: true)
        asks.take(MQTTMessage(topic: "", payload: [], size: 600_000))
        #expect(asks.isEmpty)
    }

    @Test func `a flood of questions has a bounded number of answers in any second`() {
        var asks = PendingAsks()
        let began = Instant.now
        var times: [Int] = []
        for millisecond in 0..<3000 {
            for part in 0..<3 { ask(&asks, String(0x1000_0000 + millisecond * 3 + part, radix: 16)) }
            let moment = Instant(nanoseconds: began.nanoseconds + Int64(millisecond) * 1_000_000)
            times += asks.takeWords(at: moment).map { _ in millisecond }
        }
        #expect(times.count == 3 * PendingAsks.limit)
        for moment in times {
            let count = times.count { moment <= $0 && $0 < moment + 1000 }
            #expect(count <= PendingAsks.limit)
        }
        var many = PendingAsks()
        for index in 0..<1000 { ask(&many, String(0x1000_0000 + index, radix: 16)) }
        #expect(many.takeWords(at: began).count == PendingAsks.limit)
    }
}
