import DriverKit
import LocalRig
import Measurement
import Readiness
import Rendering
import Testing
@testable import rigready

/// The lines of a measurement for a person who waits.
@Suite struct MeasurementProgressTests {
    private func state(_ progress: [(SensorKind, [Double])]) -> MeasurementProgress.State {
        var state = MeasurementProgress.State()
        for (index, (kind, values)) in progress.enumerated() {
            state.take(
                MeasuringPeriod.Progress(
                    kind: kind, key: "a \(kind.id)", samples: 10 * (index + 1), seconds: 2, values: values))
        }
        return state
    }

    @Test func `each sensor has its rate, its values with their units, and a sparkline`() {
        let state = state([
            (.accelerometer, [0.1, -0.2, 9.81]), (.locationReceiver, [8, 3.25]), (.bluetoothAdapter, [0.000423]),
            (.accelerometer, [0.3, -0.2, 9.8]), (.locationReceiver, [7]), (.bluetoothAdapter, [0.001]),
        ])
        let lines = state.lines(after: 3.9, of: 10, columns: 99)
        #expect(lines.count == 4 && lines[0] == "measuring: 3 of 10 s; keep the rig still")
        for (line, words) in zip(lines.dropFirst(), ["0.30 −0.20 9.80", "7 used", "1.00 ms"]) {
            #expect(line.contains("  \(words)  "), "\(line)")
            #expect(line.contains(" Hz  "))
            // The last of two values, of which one is the least and one the greatest.
            #expect(line.contains("▁") && line.contains("█"), "\(line)")
        }
    }

    @Test func `a long key gives way to the values and the sparkline`() {
        var state = MeasurementProgress.State()
        for value in [0.1, 9.8] {
            state.take(
                MeasuringPeriod.Progress(
                    kind: .accelerometer, key: "uhid/0003:1209:0001/HID-SENSOR-200073", samples: 101, seconds: 2,
                    values: [value, -0.2, 9.81]))
        }
        let line = state.lines(after: 2, of: 10, columns: 60)[1]
        #expect(line.count == 60 && line.contains("  …") && line.hasSuffix("█"), "\(line)")
        #expect(line.contains("200073  50.0 Hz  9.80 −0.20 9.81  "), "\(line)")
    }

    @Test func `a sparkline has the last twenty-four values`() throws {
        var state = MeasurementProgress.State()
        for value in 0..<40 {
            state.take(
                MeasuringPeriod.Progress(
                    kind: .gyroscope, key: "k", samples: value + 1, seconds: 2, values: [Double(value)]))
        }
        let line = state.lines(after: 2, of: 10, columns: 99)[1]
        #expect(line.count { "▁▂▃▄▅▆▇█".contains($0) } == 24, "\(line)")
    }

    @Test func `a measurement of nothing says so, with its rig and its time`() throws {
        let words = "  No sensor, controller or receiver was found that can be measured.\n"
        let measurement = RigMeasurement([])
        let report = try MeasurementReport(measurement, of: LocalRig(recording: "demo").assess(), seconds: 10)
        let text = measurement.text(report, on: .file)
        #expect(text.hasPrefix("\(report.rig.host) · measured \(report.takenAt.prefix(19))Z, 10 s  "), "\(text)")
        #expect(text.hasSuffix("nothing to measure\n\n" + words))
    }

    @Test func `elsewhere a line has each sensor's samples and values`() {
        let state = state([(.locationReceiver, [8, 3.25]), (.bluetoothAdapter, []), (.gyroscope, [0.01])])
        #expect(
            state.line(after: 5, of: 10)
                == "5 of 10 s: a locationReceiver 10 8 used 3.3 m, a bluetoothAdapter 20, a gyroscope 30 0.01")
    }

    @Test func `a person is asked what to do, with the seconds left`() {
        var state = state([])
        state.requests = GuidedMotion.requests(for: [.accelerometer])
        #expect(
            state.lines(after: 6, of: 29, columns: 99)
                == ["measuring: 6 of 29 s; \(GuidedMotion.poses[1].request) (7 s)"])
    }
}
