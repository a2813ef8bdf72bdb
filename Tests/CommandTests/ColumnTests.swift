import LocalRig
import Fleet
import Foundation
import Readiness
import Rendering
import Testing
@testable import rigready

/// Columns of reports, and what is said where there is nothing to show.
@Suite struct ColumnTests {
    private func sensor(_ key: String, _ name: String) -> Sensor {
        Sensor(key: key, kind: .locationReceiver, name: name, driver: "gpsd", access: .readable)
    }

    @Test(arguments: [true, false])
    func `columns are two spaces apart, and kinds are words of options only in full`(isFull: Bool) {
        var page = Page(.file)
        page.sensors([sensor("/dev/ttyACM0", "u-blox 7"), sensor("usb-1", "chip")], isFull: isFull)
        let kind = isFull ? SensorKind.locationReceiver.id : SensorKind.locationReceiver.title
        let lines = page.text.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.dropFirst().first?.hasPrefix("  \(kind)  u-blox 7  /dev/ttyACM0  ") == true, "\(page.text)")
        #expect(lines.last?.hasPrefix("  \(kind)  chip      usb-1         ") == true, "\(page.text)")
    }

    @Test(arguments: [(false, 100, 30), (false, 50, 20), (true, 60, 30)])
    func `a long name widens the column of the others in full, or where each state still has room`(
        isFull: Bool, columns: Int, width: Int
    ) {
        var page = Page(Terminal(colour: false, width: columns))
        page.sensors([sensor("one", "chip"), sensor("two", String(repeating: "n", count: 30))], isFull: isFull)
        #expect(page.text.contains("  chip" + String(repeating: " ", count: width - 4) + "  one"), "\(page.text)")
    }

    @Test func `only of a broker that answers it is said that no rig publishes`() {
        func text(_ broker: BrokerURL?) -> String {
            FleetOverview([], broker: broker, services: nil).text(on: .file)
        }
        #expect(text(BrokerURL("mqtt://lab")).hasSuffix("  No rig publishes here.\n"))
        #expect(!text(nil).contains("No rig publishes"))
    }

    @Test(arguments: [([Service.driving], "driving runs"), ([.driving, .walking], "all 2 services run")])
    func `what runs is told of one service and of several`(services: [Service], words: String) throws {
        var options = LocalRig.Options()
        options.source = .recording("demo")
        options.services = services
        #expect(try LocalRig(options).assess().tallyWords.text == words)
    }

    @Test(arguments: [("2020-01-01", "bad"), ("2999-12-31", "doubtful")])
    func `only an accepted finding whose day is over is shown as bad`(day: String, tone: String) throws {
        let rig = try LocalRig(recording: "field-kit").assess()
        let unmet = try #require(rig.requirements.first { $0.status == .unmet }?.requirement.id)
        let until = try #require(CalendarDay(day))
        let finding = try #require(AcceptedFinding(id: unmet, reason: "ordered", until: until))
        let assessment = Assessment(
            rig.inventory, of: rig.rig, authorizations: rig.authorizations,
            request: Assessment.Request(.all, accepted: [finding]))
        let title = try #require(assessment.accepted.first).state.title
        let html = AssessmentPage(assessment).html
        let before = try #require(html.components(separatedBy: " \(title)</span>").first).suffix(24)
        #expect(before.contains("class=\"\(tone)\""), "\(before)")
    }
}
