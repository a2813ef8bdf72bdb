import ConfigurationFiles
import Fleet
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
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("  \(kind)  u-blox 7  /dev/ttyACM0  ") == true, "\(page.text)")
        #expect(lines.last?.hasPrefix("  \(kind)  chip      usb-1         ") == true, "\(page.text)")
    }

    @Test func `only of a broker that answers it is said that no rig publishes`() {
        func text(_ broker: BrokerURL?) -> String {
            FleetPage(overview: FleetOverview([], broker: broker, services: nil), terminal: .file).text
        }
        #expect(text(BrokerURL("mqtt://lab")).hasSuffix("  No rig publishes here.\n"))
        #expect(!text(nil).contains("No rig publishes"))
    }
}
