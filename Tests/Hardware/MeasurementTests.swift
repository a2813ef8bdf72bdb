import Foundation
import Testing

/// What `measure` tells of real kernel drivers, and what it leaves behind.
@Suite struct MeasurementBenchTests {
    private struct Sensor {
        let values: [String: Any]

        subscript<Value>(key: String) -> Value? { values[key] as? Value }
        var findings: [String] { (values["findings"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String } }

        /// The severity of a finding; nil if there is none of that name.
        func severity(_ finding: String) -> String? {
            (values["findings"] as? [[String: Any]])?.first { $0["id"] as? String == finding }?["severity"] as? String
        }
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
        // 50 samples a second for 15 s, as far as an emulated machine delivers them.
        #expect((hub["samples"] ?? 0) > 100)
        #expect(hub["stuckAxes"] == [String]() && hub["clippedAxes"] == [String]())
        guard parts[0] == "accelerometer" else { return }
        // 12, -31 and 998 milli-g, each within half a step.
        let mean: [String: Double] = try #require(hub["mean"])
        for (axis, bias) in [("x", 12.0), ("y", -31), ("z", 998)] {
            #expect(abs((mean[axis] ?? 0) / 0.00980665 - bias) < 0.5, "\(axis)")
        }
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

    @Test func `a step counter is measured on a walk`() throws {
        func counter(_ name: String) throws -> Sensor { try sensor("stepCounter", "bma400", in: name) }
        let off = try counter("steps-measured-off")
        #expect(off["way"] == "unmeasured" && off["verdict"] == "undetermined" && off["steps"] as Int? == nil)
        let reason: String? = off["wayDetail"]
        #expect(reason?.contains("in_steps_en is 0") == true)
        let counted = try counter("steps-measured")
        // Twenty steps, of which the emulated machine may be slow to make the last.
        #expect(counted["verdict"] == "good" && (16...20).contains(counted["steps"] ?? 0))
        #expect(try counter("steps-replayed")["steps"] as Int? == counted["steps"])
        let still = try counter("steps-measured-still")
        #expect(still["steps"] == 0 && still["verdict"] == "bad" && still.findings == ["steps"])
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

    // MARK: Known signals

    /// A count of the fine hub in m/s², a hundredth of a milli-g.
    private static let count = 9.80665e-5

    @Test func `the hub's signal is measured as it was sent`() throws {
        let hub = try sensor("accelerometer", "accel_3d", in: "signal-healthy")
        let rate: [String: Double] = try #require(hub["rate"])
        // The hub's own clock, exactly 50 Hz.
        #expect(abs((rate["value"] ?? 0) - 50) < 0.05 && hub["outOfOrder"] == [Int]())
        let mean: [String: Double] = try #require(hub["mean"])
        let uncertainty: [String: Double] = try #require(hub["meanUncertainty"])
        let density: [String: Double] = try #require(hub["noiseDensity"])
        let densityUncertainty: [String: Double] = try #require(hub["noiseDensityUncertainty"])
        for (axis, bias) in [("x", 1200.0), ("y", -3100), ("z", 99800)] {
            // Twice an interval of 95 %: four standard deviations.
            #expect(abs((mean[axis] ?? 0) - bias * Self.count) < 2 * (uncertainty[axis] ?? 0), "\(axis)")
            let expected = 200 * Self.count / 50.squareRoot()
            #expect(abs((density[axis] ?? 0) - expected) < 2 * (densityUncertainty[axis] ?? 0), "\(axis)")
        }
        let receiver = try #require(try sensors("signal-healthy").first { $0["kind"] == "locationReceiver" })
        #expect((1.0...8).contains(receiver["cep50"] ?? 0) && !receiver.findings.contains("constantPosition"))
    }

    @Test func `a receiver that moves or jumps is told so`() throws {
        func receiver(_ name: String) throws -> Sensor {
            try #require(try sensors(name).first { $0["kind"] == "locationReceiver" })
        }
        let moving = try receiver("signal-moving")
        #expect(moving["moving"] == true && moving.severity("moving") == "undetermined")
        // A machine that is overloaded sends the receiver's reports late, and those gaps are worse.
        #expect(moving["verdict"] == "undetermined" || moving.severity("gaps") == "bad")
        #expect(abs((moving["speed"] ?? 0) - 14) < 0.1 && moving["cep50"] as Double? == nil)
        let jumping = try receiver("signal-jumping")
        #expect(jumping["moving"] == false && jumping.findings.contains("jump"))
        let jumps: [[String: Any]] = try #require(jumping["jumps"])
        let lengths = jumps.compactMap { $0["distance"] as? Double }
        #expect((2...3).contains(jumps.count) && lengths.allSatisfy { abs($0 - 40) < 1 }, "\(jumps)")
        #expect(jumps.allSatisfy { $0["usedAfter"] as? Int == 8 })
    }

    @Test func `every gap of the hub is found at its sample`() throws {
        let gaps: [[String: Any]] = try #require(
            try sensor("accelerometer", "accel_3d", in: "signal-gaps")["gaps"])
        let indices = gaps.compactMap { $0["index"] as? Int }
        // Of each 500 samples the last 25 are not sent.
        #expect(indices.count >= 2 && zip(indices, indices.dropFirst()).allSatisfy { $1 - $0 == 475 })
        #expect(gaps.allSatisfy { $0["missing"] as? Int == 25 })
    }

    @Test func `swapped times, a stuck axis and a clipped one are found`() throws {
        let indices: [Int] = try #require(
            try sensor("accelerometer", "accel_3d", in: "signal-swapped")["outOfOrder"])
        #expect(indices.count >= 2 && zip(indices, indices.dropFirst()).allSatisfy { $1 - $0 == 100 })
        let faulty = try sensor("accelerometer", "accel_3d", in: "signal-faults")
        #expect(faulty["stuckAxes"] == ["y"] && faulty["clippedAxes"] == ["z"] && faulty["verdict"] == "bad")
        let samples: Int = try #require(faulty["samples"])
        func run(_ key: String) throws -> (index: Int, count: Int, value: Int) {
            let runs: [[String: Any]] = try #require(faulty[key])
            let run = try #require(runs.first)
            return try (
                #require(run["index"] as? Int), #require(run["count"] as? Int), #require(run["value"] as? Int)
            )
        }
        let rows = try Bench.text("signal-faults.csv").split(separator: "\n").dropFirst().map {
            $0.split(separator: ",")
        }
        #expect(rows.count == samples)
        // y is held from the hub's 100th report on, the first of which came before the capture, to the end.
        let stuck = try run("stuckRuns")
        let y = rows.map { $0[2] }
        try #require(1...100 ~= stuck.index && stuck.index + stuck.count == samples)
        #expect(y[stuck.index...].allSatisfy { $0 == y[stuck.index] } && y[stuck.index - 1] != y[stuck.index])
        // z is cut off at its bias, above which half of the samples would be.
        let clipped = try run("clippedRuns")
        let z = rows.compactMap { Double($0[3]) }
        let greatest = try #require(z.max())
        #expect(clipped.value == 99_800 && abs(greatest - 99_800 * Self.count) < Self.count)
        #expect(clipped.index == z.firstIndex(of: greatest) && clipped.count == z.count { $0 == greatest })
        #expect(abs(Double(clipped.count) / Double(samples) - 0.5) < 0.15)
    }

    @Test func `a page of a hub with gaps says where they are`() throws {
        let page = try Bench.text("signal-gaps.html")
        #expect(page.contains("gaps are shaded") && page.contains("class=\"gap\""))
    }

    @Test func `a late start is found, and a start in time is not`() throws {
        #expect(try sensor("accelerometer", "accel_3d", in: "signal-late").findings.contains("late"))
        for name in ["signal-healthy", "signal-swapped"] {
            #expect(try !sensor("accelerometer", "accel_3d", in: name).findings.contains("late"), "\(name)")
        }
    }

    @Test func `healthy sensors raise no false alarm`() throws {
        let lines = try Bench.text("measure-healthy.txt").split(separator: "\n")
        let verdicts = lines.filter { $0.contains("verdict") }
        #expect(verdicts.count >= 16 && verdicts.allSatisfy { !$0.contains("bad") })
        // The hub's rate, and what ten seconds cannot tell of a gyroscope, are no faults.
        let findings = lines.filter { $0.contains("\"id\"") }
        #expect(findings.allSatisfy { $0.hasSuffix("\"slow\"") || $0.hasSuffix("\"biasInstability\"") }, "\(findings)")
    }

    @Test func `the pictures of a live capture are in one page`() throws {
        let page = try Bench.text("signal-healthy.html")
        for title in ["Time series", "Histogram", "Spectrum", "Scatter of the positions", "Satellites in the sky"] {
            #expect(page.contains(title), "\(title)")
        }
    }

    @Test func `a guided motion tells right axes from crossed ones`() throws {
        let checks: Set<String> = ["axes", "sign", "scale", "still"]
        for (kind, name) in [("accelerometer", "accel_3d"), ("gyroscope", "gyro_3d")] {
            let right = try sensor(kind, name, in: "signal-turns")
            #expect(right["verdict"] == "good" || right["verdict"] == "warning", "\(kind)")
            #expect(right.findings.filter(checks.contains) == ["axes"], "\(kind)")
            let crossed = try sensor(kind, name, in: "signal-turns-crossed")
            #expect(crossed["verdict"] == "bad" && crossed.findings.contains("axes"), "\(kind)")
        }
        #expect(try sensor("gyroscope", "gyro_3d", in: "signal-turns-crossed").findings.contains("sign"))
    }
}
