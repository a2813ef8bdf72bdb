import DriverKit
import Testing

@testable import Fleet

@Suite("What a broker has of a rig")
struct TopicCopiesTests {
    private func message(_ payload: String, retained: Bool = false) -> MQTTMessage {
        MQTTMessage(topic: "", payload: Array(payload.utf8), isRetained: retained)
    }

    /// Copies of one topic that was sent, acknowledged and passed on.
    private func settled(_ topic: FleetTopic, _ payload: String) -> TopicCopies {
        var copies = TopicCopies()
        copies.want(topic, Array(payload.utf8))
        copies.noteSent(topic)
        copies.noteAcknowledged(topic)
        copies.hear(topic, message(payload))
        return copies
    }

    private func corrected(_ copies: inout TopicCopies, at now: Instant = .now) -> [FleetTopic] {
        _ = copies.correct(at: now) { _ in true }
        return copies.unsent.map(\.topic)
    }

    @Test func `what is wanted is sent once, the report first and the state last`() {
        var copies = TopicCopies()
        for topic in [FleetTopic.state, .run("driving"), .report] { copies.want(topic, [1]) }
        #expect(copies.unsent.map(\.topic) == [.report, .run("driving"), .state])
        for (topic, _) in copies.unsent { copies.noteSent(topic) }
        #expect(copies.unsent.isEmpty && !copies.isSettled)
        for topic in [FleetTopic.state, .run("driving"), .report] { copies.noteAcknowledged(topic) }
        #expect(copies.isSettled)
    }

    @Test func `what is as it should be is left alone`() {
        var copies = settled(.state, "online")
        #expect(corrected(&copies).isEmpty)
    }

    @Test func `another content that came later is corrected at once, and then once a second`() {
        var copies = settled(.state, "online")
        copies.hear(.state, message("offline"))
        let now = Instant.now
        #expect(corrected(&copies, at: now) == [.state])
        copies.noteSent(.state)
        copies.noteAcknowledged(.state)
        copies.hear(.state, message("online"))
        copies.hear(.state, message("offline"))
        #expect(corrected(&copies, at: now.advanced(bySeconds: 0.5)).isEmpty)
        #expect(corrected(&copies, at: now.advanced(bySeconds: 1.1)) == [.state])
    }

    @Test func `an earlier publication that is passed on late is waited out`() {
        var copies = settled(.report, "1")
        copies.want(.report, Array("2".utf8))
        copies.noteSent(.report)
        copies.noteAcknowledged(.report)
        copies.hear(.report, message("1"))
        #expect(corrected(&copies).isEmpty)
        copies.hear(.report, message("2"))
        #expect(corrected(&copies, at: .now.advanced(bySeconds: 5)).isEmpty)
    }

    @Test func `one that stays is corrected`() {
        var copies = settled(.report, "1")
        copies.want(.report, Array("2".utf8))
        copies.noteSent(.report)
        copies.noteAcknowledged(.report)
        copies.hear(.report, message("1"))
        #expect(corrected(&copies, at: .now.advanced(bySeconds: 1.1)) == [.report])
    }

    @Test func `what the broker acknowledged and did not keep is sent again`() {
        var copies = settled(.report, "1")
        copies.beginReading()
        copies.hear(.report, message("1", retained: true))
        copies.endReading(at: .now)
        #expect(copies.unsent.isEmpty)
        copies.beginReading()
        copies.endReading(at: .now)
        #expect(copies.unsent.map(\.topic) == [.report])
    }

    @Test func `what the broker never passed on is not sent again and again`() {
        var copies = TopicCopies()
        copies.want(.state, [1])
        copies.noteSent(.state)
        copies.noteAcknowledged(.state)
        copies.beginReading()
        copies.endReading(at: .now)
        #expect(copies.unsent.isEmpty)
        let silence = copies.silence(of: .state, at: .now.advanced(bySeconds: 6))
        #expect(silence.map { $0 > 5 } == true)
    }

    @Test func `results of services that are not asked for are removed`() {
        var copies = settled(.run("driving"), "online")
        copies.hear(.run("cycling"), message("online", retained: true))
        #expect(copies.unsent.isEmpty)
        #expect(corrected(&copies, at: .now.advanced(bySeconds: 1.1)) == [.run("cycling")])
        copies.wantOnlyRuns([])
        #expect(Set(copies.unsent.map(\.topic)) == [.run("cycling"), .run("driving")])
        let isCleared = copies.unsent.allSatisfy { $0.payload.isEmpty }
        #expect(isCleared)
    }

    @Test func `foreign results are removed however many there are, and their contents are not held`() {
        var copies = settled(.report, "1")
        var kept = Set((0..<200).map { FleetTopic.run("foreign-\($0)") })
        let large = String(repeating: "x", count: 10_000)
        var rounds = 0
        repeat {
            copies.beginReading()
            copies.hear(.report, message("1", retained: true))
            for topic in kept { copies.hear(topic, message(large, retained: true)) }
            copies.endReading(at: .now)
            var held = ""
            dump(copies, to: &held)
            #expect(held.utf8.count < 500_000)
            let removed = corrected(&copies, at: .now.advanced(bySeconds: 1.1))
            #expect(removed.count <= TopicCopies.removalLimit && copies.hasMoreToRemove == false)
            for topic in removed {
                copies.noteSent(topic)
                copies.hear(topic, message(""))
                copies.noteAcknowledged(topic)
                kept.remove(topic)
            }
            rounds += 1
        } while copies.hasMoreToRemove && rounds < 10
        #expect(kept.isEmpty && rounds == 4)
    }

    @Test func `an old report of the same size is another, and a larger one too`() {
        for heard in ["2", "22", ""] {
            var copies = settled(.report, "1")
            copies.hear(.report, message(heard))
            #expect(corrected(&copies) == [.report])
        }
    }

    @Test func `another machine is noticed by two times of its own, and forgotten after a minute`() {
        var others = OtherPublisher()
        let now = Instant.now
        others.note(own: [1])
        others.hear([1], at: now)
        others.hear([2], at: now)
        others.hear([1], at: now.advanced(bySeconds: 9))
        #expect(!others.areThere(at: now.advanced(bySeconds: 9)))
        others.hear([3], at: now.advanced(bySeconds: 10))
        #expect(others.areThere(at: now.advanced(bySeconds: 11)))
        #expect(!others.areThere(at: now.advanced(bySeconds: 71)))
    }
}
