import ConfigurationFiles
import DriverKit
import LocalRig
import Readiness
import Rendering

@testable import Fleet
@testable import rigready

/// What a broker passes on: anybody's messages, to a reader who asks the rigs, and to a rig that is named as one of them.
///
/// Each message is a byte that chooses its topic, a byte of marks and the content; a byte that no text has divides them.
func fuzzFleetMessages(_ bytes: [UInt8]) {
    var rigs = FleetRigs()
    var (copies, asks) = (TopicCopies(), PendingAsks())
    copies.want(.report, Array("{}".utf8))
    copies.want(.state, Array(FleetTopic.online.utf8))
    for (topic, payload) in copies.unsent {
        _ = payload
        copies.noteSent(topic)
        copies.noteAcknowledged(topic)
    }
    var isAnswered = false
    for record in bytes.split(separator: 0xff) {
        guard let kind = record.first, let marks = record.dropFirst().first else { continue }
        var payload = Array(record.dropFirst(2))
        let name = marks & 1 == 0 ? "a" : "b"
        let ends = ["state", "seen", "report", "run/driving", "ask", "answer/0f", "run/foreign"]
        let end = kind < 0xf0 ? ends[Int(kind) % ends.count] : String(decoding: payload.prefix(40), as: UTF8.self)
        // A seed cannot know the time.
        if end == "seen", payload == Array("now".utf8) { payload = Array(RigIdentity.now.utf8) }
        let isRetained = marks & 2 != 0
        let message = MQTTMessage(topic: "rigready/\(name)/\(end)", payload: payload, isRetained: isRetained)
        rigs.take(message)
        isAnswered = isAnswered || end.hasPrefix("answer/") && !isRetained
        if marks & 4 != 0, !rigs.areAsked { rigs.beginAsking() }
        precondition(rigs.takeUnasked().allSatisfy { ["a", "b"].contains("\($0)") }, "a rig of another name")
        if let (rig, topic) = FleetTopic.parse(message.topic), rig.description == "a" {
            if topic == .ask { asks.take(message) } else { copies.hear(topic, message) }
        }
    }
    let standings = rigs.standings(asked: nil)
    precondition(standings.count <= 2, "more rigs than names")
    for word in asks.takeWords(at: .now) {
        precondition(word.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }, "a word that is a topic")
    }
    _ = copies.correct(at: .now.advanced(bySeconds: 5), only: { _ in true })
    precondition(copies.unsent.count <= 2 + TopicCopies.removalLimit, "more to send than is bounded")
    for (_, standing) in standings {
        standing.remarks.forEach { check(line: $0.detail) }
        if standing.outcome == .runs {
            precondition(standing.online == true && (isAnswered || !rigs.areAsked), "a rig that runs and is not there")
        }
    }
    let document = FleetDocument(standings, broker: nil, all: false, isCut: false, takenAt: "2026-11-21T09:00:00.000Z")
    guard let text = try? Output.document(document) else { fatalError("a fleet that is no JSON") }
    check(text: text)
}
