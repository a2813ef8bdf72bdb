import LocalRig
import Foundation
import Readiness
import Rendering
import Testing
@testable import Fleet

/// The fleet as a page.
@Suite struct FleetPagesTests {
    /// A fleet of three rigs: one that is online, one that has ended, and one that says what nothing may run.
    private func overview() throws -> FleetOverview {
        var report = Report(try LocalRig(recording: "field-kit").assess())
        report.rootCauses[0].detail = "<script>alert(1)</script>\u{202e}"
        let now = Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        var rigs = FleetRigs()
        for (name, state) in [("bench-1", "online"), ("bench-2", "offline"), ("bench-3", "<b>")] {
            func take(_ topic: String, _ payload: [UInt8]) {
                rigs.take(MQTTMessage(topic: "rigready/\(name)/\(topic)", payload: payload, isRetained: true))
            }
            take("report", Array(try JSONEncoder().encode(report)))
            take("seen", Array(now.utf8))
            take("state", Array(state.utf8))
        }
        return FleetOverview(rigs.standings(asked: nil), broker: BrokerURL("mqtt://lab"), services: nil)
    }

    /// What a page shows, without its elements.
    private func text(of page: String) -> String {
        page.replacing(#/<[^>]*>/#, with: "").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
    }

    @Test func `the page has a row for each rig, with its sign and its reason`() throws {
        let page = try overview().html(at: "2026-01-01T00:00:00.000Z")
        let text = text(of: page)
        #expect(
            text.contains("bench-1✗ ") && text.contains("bench-2– offline") && text.contains("bench-3? cannot tell"))
        #expect(text.contains("3 rigs, 1 online") && text.contains("no rig runs all requested services, 1 unknown"))
        #expect(!page.contains("<b>") && !page.contains("<a "))
    }

    @Test func `a server's page leads to each rig`() throws {
        let main = try overview().main(remark: "a <remark>", linksRigs: true).text
        for name in ["bench-1", "bench-2", "bench-3"] { #expect(main.contains("<a href=\"\(name)/\">\(name)</a>")) }
        #expect(main.contains("a &lt;remark&gt;"))
    }

    @Test func `a rig's page has its services, and its causes with their commands, as text`() throws {
        let rig = try #require(try overview().rigs.first)
        let main = FleetRigPage(rig.name.description, rig.standing).main().text
        let text = text(of: main)
        #expect(text.contains("distraction-free driving✗ blocked") && text.contains("What to repair, in this order"))
        #expect(text.contains("<script>alert(1)</script>") && !main.contains("<script") && !text.contains("\u{202e}"))
        #expect(main.contains("<code class=\"command\">"))
    }

    @Test func `a verdict that is accepted is marked so on a rig's page`() throws {
        var report = Report(try LocalRig(recording: "field-kit").assess())
        report.acceptedServices = ["driving"]
        var rigs = FleetRigs()
        for (topic, payload) in [("report", Array(try JSONEncoder().encode(report))), ("state", Array("online".utf8))] {
            rigs.take(MQTTMessage(topic: "rigready/r/\(topic)", payload: payload, isRetained: true))
        }
        let standing = try #require(rigs.standings(asked: nil).first?.standing)
        let text = text(of: FleetRigPage("r", standing).main().text)
        #expect(standing.lines.count > 1 && text.components(separatedBy: "(accepted)").count == 2)
        #expect(text.contains("\ndriving (accepted)"))
    }

    @Test func `a rig that has ended shows no causes, and one that is unknown says so`() throws {
        let ended = try overview().rigs[1]
        let main = FleetRigPage(ended.name.description, ended.standing).main().text
        #expect(main.contains("– offline") && !main.contains("What to repair"))
        #expect(FleetRigPage("bench-9", nil).main().text.contains("no messages from this rig on the broker"))
    }

    @Test func `an empty broker is not the same as none`() {
        func text(_ broker: BrokerURL?) -> String {
            FleetOverview([], broker: broker, services: nil).main().text
        }
        #expect(text(BrokerURL("mqtt://lab")).contains("No rig publishes here"))
        #expect(text(nil).contains("No rigs shown: no broker answered.") && text(nil).contains("no broker answers"))
    }
}
