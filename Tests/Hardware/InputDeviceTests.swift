import Foundation
import Testing

/// Motion sensors among the input devices, of real kernel drivers.
@Suite struct InputDeviceBenchTests {
    private func sensors(_ name: String) throws -> (accelerometer: Bench.Report.Sensor, gyroscope: Bench.Report.Sensor)
    {
        let bench = try Bench.case(name)
        return (
            try #require(bench.sensors("accelerometer").first), try #require(bench.sensors("gyroscope").first)
        )
    }

    @Test func `a controller is both sensors, in SI units`() throws {
        try expectBoth("controller", at: "uhid/0003:054C:0CE6")
    }

    @Test func `a device that a program makes is both sensors, at its name`() throws {
        try expectBoth("controller-virtual", at: "virtual/Simulated-motion")
    }

    /// Expects both sensors of what lies flat and turns at 1, -2 and 3 degrees a second.
    private func expectBoth(_ name: String, at key: String) throws {
        let bench = try Bench.case(name)
        #expect(bench.standing("accelerometer") == "met" && bench.standing("gyroscope") == "met")
        #expect(bench.standing("motion") == "met")
        let (accelerometer, gyroscope) = try sensors(name)
        #expect(accelerometer.key == key && gyroscope.key == key)
        let (acceleration, rotation) = (try #require(accelerometer.reading), try #require(gyroscope.reading))
        #expect(acceleration.unit == "m/s^2" && rotation.unit == "rad/s")
        // With a noise of 40 counts of 8192, and of one count of 16.
        #expect(abs((acceleration.x ?? 1) - 0) < 0.1 && abs((acceleration.z ?? 0) - 9.80665) < 0.1)
        let degree = Double.pi / 180
        for (axis, rate) in [(rotation.x, 1.0), (rotation.y, -2), (rotation.z, 3)] {
            #expect(abs((axis ?? 9) - rate * degree) < 0.1 * degree)
        }
    }

    @Test func `below depth sample it is listed, and not read`() throws {
        let (accelerometer, gyroscope) = try sensors("controller-state")
        #expect([accelerometer, gyroscope].allSatisfy { $0.availability == "available" && $0.reading == nil })
    }

    @Test func `a controller that lies still reports its time`() throws {
        let (accelerometer, gyroscope) = try sensors("controller-still")
        #expect([accelerometer, gyroscope].allSatisfy { $0.availability == "available" && $0.reading != nil })
    }

    @Test func `a controller that says nothing is silent`() throws {
        let bench = try Bench.case("controller-quiet")
        #expect(bench.standing("accelerometer") == "unmet silent" && bench.standing("gyroscope") == "unmet silent")
    }

    @Test func `a driver that reports zero alone is silent`() throws {
        #expect(try Bench.case("controller-zero").standing("accelerometer") == "unmet silent")
    }

    @Test func `a node of the group input is denied, with a remedy that does not open every keyboard`() throws {
        let bench = try Bench.case("controller-denied")
        #expect(bench.standing("motion") == "unmet denied" && bench.standing("accelerometer") == "unmet denied")
        let remedy = try #require(bench.requirement("motion")?.remedy)
        #expect(remedy.contains("setfacl -m \"u:$(id -un):r\" /dev/input/event"))
        #expect(try Bench.case("controller-seat").standing("accelerometer") == "met")
    }

    @Test func `an unplugged controller is absent`() throws {
        #expect(try Bench.case("controller-unplugged").standing("accelerometer") == "unmet absent")
    }

    @Test func `a watch tells what comes and goes`() throws {
        let changes = try Bench.text("input-watch.txt").split(separator: "\n").flatMap {
            $0.components(separatedBy: "; ")
        }
        for kind in ["accelerometer", "gyroscope"] {
            let ends = changes.compactMap { change in
                ["absent", "met"].first { change.contains("\(kind): ") && change.contains("→ \($0)") }
            }
            #expect(ends == ["met", "absent", "met", "absent"], "\(kind)")
        }
    }

    @Test func `an accelerometer that its driver shows as a joystick has no unit`() throws {
        let bench = try Bench.case("joystick-accelerometer")
        let sensor = try #require(bench.sensors("accelerometer").first)
        #expect(sensor.key == "lis3lv02d" && sensor.availability == "available" && sensor.reading?.unit == "raw")
        #expect(bench.sensors("gyroscope").isEmpty && bench.standing("gyroscope") == "unmet absent")
    }

    @Test func `one that reports no change cannot be determined`() throws {
        let bench = try Bench.case("joystick-accelerometer-at-rest")
        #expect(bench.standing("accelerometer") == "unknown indeterminate")
        #expect(bench.sensors("accelerometer").first?.reading == nil)
    }
}
