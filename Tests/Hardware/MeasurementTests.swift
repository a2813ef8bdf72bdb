import Foundation
import Testing

/// What `measure` tells of real kernel drivers, and what it leaves behind.
@Suite struct MeasurementBenchTests {
    private struct Sensor {
        let values: [String: Any]

        subscript<Value>(key: String) -> Value? { values[key] as? Value }
        var findings: [String] { (values["findings"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String } }
    }

    /// The sensors of a document; what the program said besides stands before and after it.
    private func sensors(_ name: String) throws -> [Sensor] {
        let text = try Bench.text("\(name).txt")
        let start = try #require(text.firstIndex(of: "{"))
        let end = try #require(text.lastIndex(of: "}"))
        let document = try JSONSerialization.jsonObject(with: Data(text[start...end].utf8)) as? [String: Any]
        return try #require(document?["sensors"] as? [[String: Any]]).map { Sensor(values: $0) }
    }

    private func sensor(_ kind: String, _ name: String, in case: String = "measure") throws -> Sensor {
        try #require(try sensors(`case`).first { $0["kind"] == kind && $0["name"] == name })
    }

    @Test(arguments: ["accelerometer accel_3d", "gyroscope gyro_3d"])
    func `a hub is measured through its buffer`(words: String) throws {
        let parts = words.split(separator: " ").map(String.init)
        let hub = try sensor(parts[0], parts[1])
        #expect(hub["way"] == "buffer" && hub["outOfOrder"] == [Int]())
        // 50 samples a second for 5 s, as far as an emulated machine delivers them.
        #expect((hub["samples"] ?? 0) > 100)
        #expect(hub["stuckAxes"] == [String]() && hub["clippedAxes"] == [String]())
        guard parts[0] == "accelerometer" else { return }
        // 12, -31 and 998 milli-g.
        #expect(abs((hub["magnitude"] ?? 0) - 9.79) < 0.02 && hub["up"] == "+z")
    }

    @Test func `a chip whose registers never change is stuck or too coarse to tell`() throws {
        let accelerometer = try sensor("accelerometer", "bmi160")
        #expect(accelerometer["way"] == "attributes" && accelerometer["verdict"] == "bad")
        #expect(accelerometer["stuckAxes"] == ["x", "y", "z"])
        let gyroscope = try sensor("gyroscope", "bmi160")
        #expect(gyroscope["verdict"] == "undetermined" && gyroscope.findings.contains("coarse"))
    }

    @Test func `the receiver and the controller are measured`() throws {
        let sensors = try sensors("measure")
        let receiver = try #require(sensors.first { $0["kind"] == "locationReceiver" })
        #expect((receiver["samples"] ?? 0) > 5 && receiver["satellitesUsed"] == 8)
        let controller = try #require(sensors.first { $0["kind"] == "bluetoothAdapter" })
        #expect((controller["samples"] ?? 0) > 10 && controller["powerChanges"] == 0)
    }

    @Test func `without the right to the buffer it reads attributes and says why`() throws {
        let hub = try sensor("accelerometer", "accel_3d", in: "measure-denied")
        #expect(hub["way"] == "attributes" && hub["verdict"] == "undetermined")
        let reason: String? = hub["wayDetail"]
        #expect(reason?.contains("may not write") == true)
    }

    @Test(arguments: ["after", "terminated"])
    func `all settings are put back`(end: String) throws {
        let before = try Bench.text("measure-before.txt")
        #expect(before.contains("buffer/enable 0"))
        #expect(try Bench.text("measure-\(end).txt") == before)
    }
}
