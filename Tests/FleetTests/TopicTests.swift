import DriverKit
import Readiness
import Rendering
import Testing
@testable import Fleet

@Suite("Topics, names and times")
struct TopicTests {
    @Test(arguments: [
        ("bench-07", "bench-07"), ("bench 07.lab", "bench_07_lab"), ("", "_"), ("ä/+#", "____"), ("a\u{0}b", "a_b"),
    ])
    func `a host's name becomes a name that every broker takes`(host: String, name: String) {
        #expect(RigName(host: host).description == name)
        #expect(RigName(RigName(host: host).description) != nil)
    }

    @Test(arguments: ["", "a b", "a/b", "a.b", "+", "#", "ä", "a\u{1b}", String(repeating: "n", count: 65)])
    func `what is no name is refused`(text: String) { #expect(RigName(text) == nil) }

    @Test func `every topic is read as it is written`() throws {
        let rig = try #require(RigName("bench-07"))
        #expect(FleetTopic(of: .deviceDiscovery).path(of: rig) == "rigready/bench-07/run/driving/deviceDiscovery")
        let others: [FleetTopic] = [.state, .seen, .report, .discovery]
        for topic in others + Service.allCases.map(FleetTopic.init(of:)) {
            let parsed = try #require(FleetTopic.parse(topic.path(of: rig)))
            #expect(parsed.rig == rig && parsed.topic == topic)
        }
    }

    @Test(arguments: [
        "", "rigready", "rigready/a", "rigready/a/state/b", "rigready//state", "other/a/state", "rigready/a b/state",
        "rigready/a/run", "rigready/a/else", "homeassistant/device/rigready-/config",
        "homeassistant/device/rigready-a b/config", "homeassistant/device/other-a/config",
        "homeassistant/device/rigready-a", "rigready/a/ask", "rigready/a/answer/0f",
    ])
    func `a topic of somebody else is none`(path: String) { #expect(FleetTopic.parse(path) == nil) }

    @Test(arguments: [
        ("1970-01-01T00:00:00.000Z", 0.0), ("2026-11-24T21:26:15.579Z", 1_795_555_575.579),
        ("2000-02-29T23:59:59.999Z", 951_868_799.999), ("1969-12-31T23:59:59.000Z", -1),
        ("9999-12-31T23:59:59.000Z", 253_402_300_799),
    ])
    func `a time is read in seconds`(text: String, seconds: Double) throws {
        let read = try #require(text.secondsSinceEpoch)
        #expect(abs(read - seconds) < 0.0005)
    }

    @Test(arguments: [
        "", "2026-11-24", "2026-11-24T21:26:15Z", "2026-13-24T21:26:15.579Z", "2026-11-24T24:26:15.579Z",
        "2026-02-30T21:26:15.579Z", "2026-11-24T21:26:15.579+", "2026-11-24 21:26:15.579Z",
        "\u{0}026-11-24T21:26:15.579Z",
    ])
    func `what is no time has no seconds`(text: String) { #expect(text.secondsSinceEpoch == nil) }
}
