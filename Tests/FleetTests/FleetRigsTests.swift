import LocalRig
import DriverKit
import Foundation
import Readiness
import Rendering
import Support
import Testing
@testable import Fleet

/// What is told of a rig, by the messages that a broker has of it.
@Suite("What is told of a rig")
struct FleetRigsTests {
    private static func time(_ seconds: Double) -> String {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return Date(timeIntervalSinceNow: seconds).formatted(style)
    }

    private static let report: Report = {
        do {
            return Report(try LocalRig(recording: "field-kit").assess())
        } catch {
            fatalError("\(error)")
        }
    }()

    private static func encoded(_ edit: (inout Report) -> Void = { _ in }) throws -> [UInt8] {
        var report = report
        edit(&report)
        return Array(try JSONEncoder().encode(report))
    }

    private func message(_ rig: String, _ topic: String, _ payload: [UInt8], retained: Bool = true) -> MQTTMessage {
        MQTTMessage(topic: "rigready/\(rig)/\(topic)", payload: payload, isRetained: retained)
    }

    /// The fleet of one rig with these messages.
    private func rigs(
        state: String? = "online", seen: String? = time(0), report: [UInt8]?, live: Bool = false
    ) -> FleetRigs {
        var rigs = FleetRigs()
        if let report { rigs.take(message("r", "report", report)) }
        if let seen { rigs.take(message("r", "seen", Array(seen.utf8), retained: !live)) }
        if let state { rigs.take(message("r", "state", Array(state.utf8))) }
        return rigs
    }

    private func standing(_ rigs: FleetRigs, _ asked: ServiceSet? = nil) throws -> RigStatus {
        try #require(rigs.standings(asked: asked).first?.standing)
    }

    @Test func `a rig that is online and was seen counts with its verdicts`() throws {
        let fleet = rigs(report: try Self.encoded())
        let (walking, driving) = (
            try standing(fleet, ServiceSet(.walking)), try standing(fleet, ServiceSet(.driving))
        )
        #expect(walking.outcome == .runs && walking.isWhole)
        #expect(driving.outcome == .doesNotRun && !driving.rootCauses.isEmpty)
        let all = try standing(fleet)
        #expect(all.outcome == .doesNotRun)
    }

    @Test(arguments: [
        ("offline", 0.0, false, "", Bool?.some(false)), ("online", -31, false, "notSeen", false),
        ("online", 6, false, "clockOff", nil), ("online", -3600, true, "clockOff", nil),
        // Behind by less than it may be silent, and still the same answer until it is heard again.
        ("online", -25, true, "clockOff", nil), ("online", 25, true, "clockOff", nil), ("online", -4, true, "", true),
        ("online", -29, false, "", true),
        ("online", 4, false, "", true), ("here", 0, false, "unreadableState", nil),
    ])
    func `a rig counts only if it is online and was seen lately`(
        state: String, seconds: Double, live: Bool, remark: String, online: Bool?
    ) throws {
        let fleet = rigs(state: state, seen: Self.time(seconds), report: try Self.encoded(), live: live)
        let told = try standing(fleet, ServiceSet(.walking))
        #expect(told.online == online)
        #expect(told.remarks.map(\.id) == (remark.isEmpty ? [] : [remark]))
        #expect(told.outcome == (online == nil ? .cannotTell : online == true ? .runs : .doesNotRun))
        let name = try #require(RigName("r"))
        let document = FleetDocument([(name, told)], broker: nil, all: false, isCut: false, takenAt: "")
        let line = try #require(document.rigs.first)
        #expect(line.services.map(\.verdict) == [online == true ? "runs" : "undetermined"])
    }

    @Test func `of a state that no rig publishes forty bytes are told`() throws {
        let told = try standing(rigs(state: String(repeating: "s", count: 60), report: nil))
        let detail = try #require(told.remarks.first { $0.id == "unreadableState" }?.detail)
        #expect(detail.hasSuffix(": " + String(repeating: "s", count: 40)))
    }

    @Test func `what a frozen broker delivers late does not make the clock off`() throws {
        var fleet = rigs(report: try Self.encoded())
        for seconds in [-20.0, -10, 0] {
            fleet.take(message("r", "seen", Array(Self.time(seconds).utf8), retained: false))
        }
        #expect(try standing(fleet).online == true && standing(fleet).remarks.isEmpty)
        // A clock that is set back is off from then on.
        for _ in 0..<3 { fleet.take(message("r", "seen", Array(Self.time(-60).utf8), retained: false)) }
        #expect(try standing(fleet).online == nil)
    }

    @Test func `a report that cannot be read makes a rig unknown`() throws {
        let bad: [([UInt8], String)] = [
            (Array("{".utf8), "unreadableReport"), (Array(#"{"schema": "rigready.report/2"}"#.utf8), "otherSchema"),
            (Array(repeating: UInt8(ascii: "["), count: 100_000), "unreadableReport"),
            (try Self.encoded { $0.schema = "rigready.report/9" }, "otherSchema"),
        ]
        for (bytes, remark) in bad {
            let told = try standing(rigs(report: bytes))
            #expect(told.remarks.map(\.id) == [remark])
            #expect(told.outcome == .cannotTell)
        }
        let none = try standing(rigs(report: nil))
        #expect(none.remarks.map(\.id) == ["noReport"] && none.outcome == .cannotTell)
    }

    @Test func `another version is told and counts, a taken name is told and does not`() throws {
        let other = try standing(rigs(report: try Self.encoded { $0.version = "0.0.9" }), ServiceSet(.walking))
        #expect(other.remarks.map(\.id) == ["otherVersion"] && other.outcome == .runs)
        let taken = try standing(
            rigs(report: try Self.encoded { $0.notices.append(Report.NoticeLine(nameTaken: "r")) }),
            ServiceSet(.walking))
        #expect(taken.outcome == .cannotTell && taken.online == true)
    }

    @Test func `a service that the rig was not asked for cannot be determined`() throws {
        let told = try standing(
            rigs(report: try Self.encoded { report in report.services.removeAll { $0.id == "walking" } }),
            ServiceSet(.walking))
        #expect(told.outcome == .cannotTell && told.remarks.map(\.id) == ["notAsked"])
    }

    @Test func `an accepted finding counts as it does in the exit status`() throws {
        let told = try standing(
            rigs(report: try Self.encoded { $0.acceptedServices = ["driving"] }), ServiceSet(.driving))
        #expect(told.outcome == .runs && !told.isWhole)
    }

    @Test func `what a broker kept does not take the place of what is newer`() throws {
        var fleet = rigs(report: try Self.encoded { $0.takenAt = "2026-01-02" })
        func verdict() throws -> RigOutcome { try standing(fleet, ServiceSet(.walking)).outcome }
        let older = try Self.encoded { report in
            report.takenAt = "2026-01-01"
            report.services = report.services.map { line in
                var line = line
                line.verdict = "fails"
                return line
            }
        }
        fleet.take(message("r", "report", older))
        let kept = try verdict()
        #expect(kept == .runs)
        fleet.take(message("r", "seen", Array(Self.time(-300).utf8)))
        let seen = try verdict()
        #expect(seen == .runs)
        // What is published just now holds, whatever its clock says.
        fleet.take(message("r", "report", older, retained: false))
        let live = try verdict()
        #expect(live == .doesNotRun)
    }

    @Test func `a rig of which nothing is left is gone`() throws {
        var fleet = rigs(report: try Self.encoded())
        for topic in ["report", "seen", "state"] { fleet.take(message("r", topic, [])) }
        #expect(fleet.standings(asked: nil).isEmpty)
        fleet.take(message("new", "state", []))
        #expect(fleet.standings(asked: nil).isEmpty)
    }

    @Test func `rigs and reports have a bound, and topics of others are counted`() throws {
        var fleet = FleetRigs()
        for index in 0...FleetRigs.limit { fleet.take(message("r\(index)", "state", [1])) }
        #expect(fleet.standings(asked: nil).count == FleetRigs.limit && fleet.isCut)
        fleet.take(MQTTMessage(topic: "rigready/a b/state", payload: [1]))
        #expect(fleet.strangers == 1)
        var large = rigs(report: nil)
        large.take(MQTTMessage(topic: "rigready/r/report", payload: [], isRetained: true, size: FleetReport.limit + 1))
        let told = try standing(large)
        #expect(told.remarks.map(\.id) == ["unreadableReport"])
    }

    @Test(arguments: [0, 1, 3], [false, true])
    func `a document that is written rig by rig is the same text`(count: Int, onOneLine: Bool) throws {
        let told = try standing(rigs(report: try Self.encoded()), ServiceSet(.walking))
        let standings = try (0..<count).map { (try #require(RigName("r\($0)")), told) }
        // A broker is named by a peer: brackets in it are text.
        let broker = BrokerURL("mqtt://[::1]")
        let document = FleetDocument(standings, broker: broker, all: false, isCut: false, takenAt: "\"rigs\":[]")
        var pieces: [String] = []
        try document.write(onOneLine: onOneLine) { pieces.append($0) }
        #expect(pieces.joined() == (try String(json: document, onOneLine: onOneLine)))
        #expect(pieces.count == (count == 0 ? 1 : count + 2))
    }

    @Test func `the status is 0 if one runs, with all if every one does, and 2 where it cannot be determined`() throws {
        let good = try standing(rigs(report: try Self.encoded()), ServiceSet(.walking))
        let bad = try standing(rigs(state: "offline", report: try Self.encoded()), ServiceSet(.walking))
        let unknown = try standing(rigs(report: nil), ServiceSet(.walking))
        func status(_ standings: [RigStatus], all: Bool, isCut: Bool = false) throws -> Int32 {
            let name = try #require(RigName("r"))
            return FleetDocument(
                standings.map { (name, $0) }, broker: nil, all: all, isCut: isCut, takenAt: ""
            ).exitStatus
        }
        for (standings, one, every): ([RigStatus], Int32, Int32) in [
            ([], 1, 1), ([good], 0, 0), ([bad], 1, 1), ([unknown], 2, 2), ([good, bad], 0, 1), ([good, unknown], 0, 2),
            ([bad, unknown], 2, 1), ([good, bad, unknown], 0, 1),
        ] {
            let found = (try status(standings, all: false), try status(standings, all: true))
            #expect(found == (one, every))
        }
        let cut = (try status([bad], all: false, isCut: true), try status([good], all: true, isCut: true))
        #expect(cut == (2, 2))
    }

    @Test func `damaged messages end in a line, and in no crash`() throws {
        let topics = ["report", "seen", "state", "run/driving"]
        for (index, bytes) in Mutations(of: [try Self.encoded(), Array(Self.time(0).utf8)], count: 2000).enumerated() {
            var fleet = rigs(report: nil)
            fleet.take(message("r", topics[index % topics.count], bytes))
            for (_, standing) in fleet.standings(asked: nil) {
                for remark in standing.remarks {
                    #expect(!remark.detail.unicodeScalars.contains { $0.actsOnTerminal })
                }
                if index % topics.count == 1, standing.online == true {
                    #expect(String(decoding: bytes, as: UTF8.self).secondsSinceEpoch != nil || bytes.isEmpty)
                }
            }
        }
    }
}
