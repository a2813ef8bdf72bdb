import Rendering
import Readiness
import Testing

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

    @Test func `nothing is repeated`() {
        let adapter = Reading.adapter(AdapterReading(state: .poweredOn))
        #expect(sensor(adapter, "powered on; without BLE").summary == "powered on; without BLE")
    }
}
