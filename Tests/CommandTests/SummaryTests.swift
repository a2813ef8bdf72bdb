import Foundation
import Rendering
import Testing
@testable import Readiness
@testable import rigready

/// The one-line summary of a sensor.
@Suite struct SummaryTests {
    private func sensor(_ reading: Reading?, _ detail: String?) -> Sensor {
        var sensor = Sensor(key: "k", kind: .accelerometer, name: "chip", driver: "iio", detail: detail)
        sensor.availability = .available
        sensor.reading = reading
        return sensor
    }

    @Test func `remarks follow the reading`() {
        let axes = Reading.axes(AxesReading(x: 1, y: nil, z: 9.81, unit: .metresPerSecondSquared))
        let frequent = sensor(axes, "12.5 Hz")
        #expect(frequent.summary == "x 1.000  z 9.810  m/s²; 12.5 Hz")
        #expect(SensorLine(frequent).detail == "12.5 Hz")
        #expect(sensor(axes, nil).summary == "x 1.000  z 9.810  m/s²")
        #expect(sensor(nil, "in use").summary == "in use" && sensor(nil, nil).summary == "present")
    }

    @Test func `a reading has nine decimals, and a large number all of its digits`() throws {
        let large = 12_345_678.000_000_001
        let axes = Reading.axes(AxesReading(x: 0.1 + 0.2, y: -1 / 3, z: large, unit: .raw))
        guard case .axes(let shown) = SensorLine(sensor(axes, nil)).reading else {
            Issue.record("no axes")
            return
        }
        #expect(shown.x == 0.3 && shown.y == -0.333_333_333 && shown.z == large)
    }

    @Test func `nothing is repeated`() {
        let adapter = Reading.adapter(AdapterReading(state: .poweredOn))
        #expect(sensor(adapter, "powered on; without BLE").summary == "powered on; without BLE")
    }
}

/// The line of a watch.
@Suite struct ChangeSummaryTests {
    private let gyroscope = Difference.Subject.sensor(.gyroscope, key: "a", name: "bmi160")
    private let receiver = Difference.Subject.sensor(.locationReceiver, key: "usb-1", name: nil)

    @Test func `requirements stand before services, and hardware only where neither changed`() {
        let met = [
            Difference(id: .better, subject: .service(.walking), before: "fails", after: "runs"),
            Difference(
                id: .better, subject: .requirement(.gyroscope), before: "noDriver", after: "met", detail: "left out"),
            Difference(
                id: .worse, subject: .requirement(.location), before: "met", after: "denied", detail: "by a grant"),
            Difference(id: .new, subject: gyroscope, after: "available"),
        ]
        #expect(
            met.summary == "location: met → denied (by a grant); gyroscope: no driver → met; walking fails → runs")
    }

    @Test func `hardware is told by what appeared, what disappeared and what changed`() {
        let differences = [
            Difference(id: .missing, subject: gyroscope, before: "available", after: "absent"),
            Difference(id: .worse, subject: receiver, before: "available", after: "noFix"),
            Difference(id: .new, subject: .sensor(.locationReceiver, key: "usb-2", name: nil), after: "noFix"),
            Difference(id: .changed, subject: receiver, property: .label, after: "roof"),
            Difference(id: .changed, subject: receiver, property: .access, before: "denied", after: "readable"),
            Difference(id: .changed, subject: .driver("iio"), before: "ok", after: "timedOut"),
            Difference(
                id: .changed, subject: .authorization(.health), before: "allowed by access", after: "denied by grant"),
            Difference(id: .changed, subject: .obstacle(.locationReceiver, .unreachable), before: "unreachable"),
            Difference(id: .changed, subject: .notice(.inUse), after: "inUse"),
        ]
        #expect(
            differences.summary.components(separatedBy: "; ") == [
                "receiver usb-2 appeared", "gyroscope a disappeared",
                "receiver usb-1: available → noFix, no label → roof, access denied → access readable",
                "driver iio: ok → timedOut", "health authorization: allowed by access → denied by grant", "now inUse",
                "no longer receiver unreachable",
            ])
    }

    @Test func `a sensor at another place appears and disappears`() {
        let moved = Difference(id: .moved, subject: gyroscope, before: "b", after: "a")
        #expect([moved].summary == "gyroscope a appeared; gyroscope b disappeared")
    }
}
