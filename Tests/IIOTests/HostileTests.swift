import DriverKit
import Readiness
import Support
import SystemPackage
import Testing
@testable import IIO

/// Mutants never crash a parser, and what a parser accepts satisfies its guarantees.
@Suite struct HostileTests {
    /// An expectation that is free while it is met: `#expect` takes most of the time of ten thousand mutants.
    static func hold(_ promise: Bool, _ mutant: [UInt8], line: Int = #line) {
        if !promise { Issue.record("line \(line), mutant \(quoted(mutant, limit: 400))") }
    }

    static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    @Test func `attribute names`() {
        let seeds = Self.bytes([
            "in_accel_x_raw", "in_anglvel_z_quadrature_correction_raw", "in_accel1_y_scale", "in_steps_input",
            "in_velocity_sqrt(x^2+y^2+z^2)_raw", "in_anglvel_offset",
        ])
        for mutant in Mutations(of: seeds, count: 10_000) {
            let name = String(decoding: mutant, as: UTF8.self)
            guard let parsed = AttributeName(name) else { continue }
            let index = name.split(separator: "_").count > 1 ? parsed.index.map(String.init) ?? "" : ""
            Self.hold(name.hasPrefix("in_") && name.hasSuffix("_" + parsed.suffix.rawValue), mutant)
            Self.hold(name.contains(index), mutant)
            Self.hold([.accelerometer, .gyroscope, .stepCounter].contains(parsed.kind), mutant)
            for plan in SensorPlan.plans(for: [name]) { #expect(plan.first == name) }
        }
    }

    @Test(.timeLimit(.minutes(3))) func `a remote device of ten thousand sensors is planned once per sensor`() {
        let names = (0..<10_000).flatMap { ["in_accel\($0)_x_raw", "in_anglvel\($0)_z_raw", "in_accel\($0)_scale"] }
        let plans = SensorPlan.plans(for: names)
        #expect(plans.count == 20_000 && plans.first?.axes.first?.scale == "in_accel0_scale")
    }

    @Test func `values`() {
        let seeds = Self.bytes(["-1024\n", "0.000598\n", "12 34", "999999999999999999999"])
        for mutant in Mutations(of: seeds, count: 10_000) {
            guard let value = AttributeValue(mutant) else { continue }
            Self.hold(!value.number.isNaN, mutant)
            Self.hold(value.text.utf8.allSatisfy { "+-.0123456789".utf8.contains($0) }, mutant)
        }
    }

    @Test func `mount matrices`() {
        let seeds = Self.bytes([
            "1, 0, 0; 0, 1, 0; 0, 0, 1\n", "0, 1, 0; -1, 0, 0; 0, 0, 1", "0.5, 0.5, 0; -1, 1, 0; 0, 0, 1",
        ])
        let sample = AxesReading(x: 1, y: 2, z: 3, unit: .raw)
        for mutant in Mutations(of: seeds, count: 10_000) {
            guard let matrix = MountMatrix(mutant) else { continue }
            Self.hold(matrix.rows.count == 9 && matrix.rows.allSatisfy(\.isFinite), mutant)
            let turned = matrix.applied(to: sample)
            Self.hold([turned.x, turned.y, turned.z].allSatisfy { abs($0 ?? 0) <= 12 }, mutant)
        }
    }

    @Test func `sample formats`() {
        for mutant in Mutations(of: Self.bytes(["le:s12/16>>4\n", "be:U64/64X2>>0"]), count: 10_000) {
            guard let format = SampleFormat(mutant) else { continue }
            Self.hold(1...64 ~= format.bits && format.holds(0) && !format.holds(1e300), mutant)
        }
    }

    @Test func `context descriptions`() {
        for mutant in Mutations(of: [Array(RemoteTests.xml.utf8)], count: 5_000) {
            guard let context = try? ContextDescription(parsing: mutant, of: RemoteTests.uri) else { continue }
            for device in context.devices {
                Self.hold(device.id.hasPrefix("iio:device"), mutant)
                for (_, attribute) in device.attributes {
                    let request = RemoteRequest.read(device: device.id, attribute)
                    Self.hold((try? RemoteRequest(request.frame, to: "")) == request, mutant)
                }
            }
        }
    }

    @Test func `answers of iiod`() {
        let seeds = Self.bytes(["4\n100\0\n-2\n", "\n0\n\n12\n1, 0, 0; 0, 1\n", "0.24.v0.24\n"])
        for mutant in Mutations(of: seeds, count: 10_000) {
            var answers = IIODAnswers(from: RemoteTests.uri)
            var taken = 0
            for byte in mutant {
                answers.add([byte])
                guard let answer = try? answers.answer(limit: 16) else { continue }
                switch answer {
                case .bytes(let bytes):
                    Self.hold(bytes.count <= 16, mutant)
                    taken += bytes.count + 3
                case .failure(let number):
                    Self.hold(number > 0, mutant)
                    taken += 3
                }
                Self.hold(taken <= mutant.count, mutant)
            }
        }
    }

    @Test func `hub descriptors`() {
        for mutant in Mutations(of: [UnboundTests.descriptor], count: 10_000) {
            Self.hold(HubDescriptor.kinds(in: mutant).isSubset(of: [.accelerometer, .gyroscope]), mutant)
        }
    }

    @Test func `a whole device of damaged files is one line a sensor`() throws {
        let seeds = Self.bytes([
            "100\n", "0.5\n", "DEVNAME=iio:device0\nMAJOR=1\n", "1, 0, 0; 0, 1, 0; 0, 0, 1", "le:s16/16>>0\n",
        ])
        var mutants = Mutations(of: seeds, count: 10_000)
        for round in 0..<400 {
            let mutant = Array("round \(round)".utf8)
            var world = LocalTests.sixAxis
            world.add("\(LocalTests.folder)/mount_matrix", "")
            world.add("\(LocalTests.folder)/label", "")
            world.add("\(LocalTests.folder)/scan_elements/in_accel_x_type", "")
            for path in world.files.keys.sorted() { if let next = mutants.next() { world.files[path] = next } }
            let probe = try DriverHarness(world)
            Self.hold(probe.sensors.map(\.kind) == [.accelerometer, .gyroscope], mutant)
            for sensor in probe.sensors {
                Self.hold((sensor.detail?.utf8.count ?? 0) < 1000 && sensor.detail?.contains("\n") != true, mutant)
                if let axes = sensor.axes {
                    Self.hold([axes.x, axes.y, axes.z].allSatisfy { $0?.isFinite != false }, mutant)
                }
                Self.hold(sensor.availability == .available || sensor.detail != nil, mutant)
            }
        }
    }
}
