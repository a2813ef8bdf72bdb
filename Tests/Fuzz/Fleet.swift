import LocalRig
import DriverKit
import Readiness
import Rendering
@testable import Fleet
@testable import rigready

/// What a broker passes on: anybody's messages, to a reader of the fleet, and to a rig that has the name of one of them.
///
/// Each message is a byte that chooses its topic, a byte of marks and the content; a byte that no text has divides them.
func fuzzFleetMessages(_ bytes: [UInt8]) {
    var rigs = FleetRigs()
    var others = OtherPublisher()
    var areSeen: Set<String> = []
    for record in bytes.split(separator: 0xff) {
        guard let kind = record.first, let marks = record.dropFirst().first else { continue }
        var payload = Array(record.dropFirst(2))
        let name = marks & 1 == 0 ? "a" : "b"
        let ends = ["state", "seen", "report", "run/driving", "run/foreign"]
        let end = kind < 0xf0 ? ends[Int(kind) % ends.count] : String(decoding: payload.prefix(40), as: UTF8.self)
        // A seed cannot know the time.
        if end == "seen", payload == Array("now".utf8) { payload = Array(RigIdentity.now.utf8) }
        rigs.take(MQTTMessage(topic: "rigready/\(name)/\(end)", payload: payload, isRetained: marks & 2 != 0))
        if end == "seen" {
            areSeen.insert(name)
            if marks & 4 != 0 { others.note(own: payload) } else { others.receive(payload, at: .now) }
        }
    }
    _ = others.areThere(at: .now.advanced(bySeconds: 5))
    let standings = rigs.standings(asked: nil)
    precondition(standings.count <= 2, "more rigs than names")
    for (name, standing) in standings {
        standing.remarks.forEach { check(line: $0.detail) }
        if standing.outcome == .runs {
            precondition(standing.online == true && areSeen.contains("\(name)"), "a rig that runs and is not there")
        }
    }
    let document = FleetDocument(standings, broker: nil, all: false, isCut: false, takenAt: "2026-11-21T09:00:00.000Z")
    guard let text = try? Output.document(document) else { fatalError("a fleet that is no JSON") }
    check(text: text)
}
