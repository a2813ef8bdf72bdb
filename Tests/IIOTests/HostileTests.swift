import DriverKit
import Readiness
import Support
import SystemPackage
import Testing

@testable import IIO

/// Mutants never crash a parser, and what a parser accepts keeps its promises.
@Suite struct HostileTests {
    static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    @Test func `attribute names`() {
        let seeds = Self.bytes([
            "in_accel_x_raw", "in_anglvel_z_quadrature_correction_raw", "in_accel1_y_scale", "in_steps_input",
            "in_velocity_sqrt(x^2+y^2+z^2)_raw", "in_anglvel_offset",
        ])
        for mutant in Mutations(of: seeds, count: 20_000) {
            let name = String(decoding: mutant, as: UTF8.self)
            guard let parsed = AttributeName(name) else { continue }
            let index = name.split(separator: "_").count > 1 ? parsed.index.map(String.init) ?? "" : ""
            #expect(name.hasPrefix("in_") && name.hasSuffix("_" + parsed.suffix.rawValue))
            #expect(name.contains(index))
            #expect([.accelerometer, .gyroscope, .stepCounter].contains(parsed.kind))
            for plan in SensorPlan.plans(for: [name]) { #expect(plan.first == name) }
        }
    }

    @Test func `values`() {
        for mutant in Mutations(
            of: Self.bytes(["-1024\n", "0.000598\n", "12 34", "999999999999999999999"]), count: 20_000)
        {
            guard let value = AttributeValue(mutant) else { continue }
            #expect(!value.number.isNaN)
            #expect(value.text.utf8.allSatisfy { "+-.0123456789".utf8.contains($0) })
        }
    }

    @Test func `mount matrices`() {
        let seeds = Self.bytes([
            "1, 0, 0; 0, 1, 0; 0, 0, 1\n", "0, 1, 0; -1, 0, 0; 0, 0, 1", "0.5, 0.5, 0; -1, 1, 0; 0, 0, 1",
        ])
        let sample = AxesReading(x: 1, y: 2, z: 3, unit: .raw)
        for mutant in Mutations(of: seeds, count: 20_000) {
            guard let matrix = MountMatrix(mutant) else { continue }
            #expect(matrix.rows.count == 9 && matrix.rows.allSatisfy(\.isFinite))
            let turned = matrix.applied(to: sample)
            #expect([turned.x, turned.y, turned.z].allSatisfy { abs($0 ?? 0) <= 12 })
        }
    }

    @Test func `sample formats`() {
        for mutant in Mutations(of: Self.bytes(["le:s12/16>>4\n", "be:U64/64X2>>0"]), count: 20_000) {
            guard let format = SampleFormat(mutant) else { continue }
            #expect(1...64 ~= format.bits && format.holds(0) && !format.holds(1e300))
        }
    }

    @Test func `context descriptions`() {
        for mutant in Mutations(of: [Array(RemoteTests.xml.utf8)], count: 5_000) {
            guard let context = try? ContextDescription(parsing: mutant) else { continue }
            for device in context.devices {
                #expect(device.id.hasPrefix("iio:device"))
                for (_, attribute) in device.attributes {
                    let request = RemoteRequest.read(device: device.id, attribute)
                    #expect(RemoteRequest(request.frame) == request)
                }
            }
        }
    }

    @Test func `hub descriptors`() {
        for mutant in Mutations(of: [UnboundTests.descriptor], count: 20_000) {
            #expect(HubDescriptor.kinds(in: mutant).isSubset(of: [.accelerometer, .gyroscope]))
        }
    }

    @Test func `a whole device of damaged files is one line a sensor`() throws {
        let seeds = Self.bytes([
            "100\n", "0.5\n", "DEVNAME=iio:device0\nMAJOR=1\n", "1, 0, 0; 0, 1, 0; 0, 0, 1", "le:s16/16>>0\n",
        ])
        var mutants = Mutations(of: seeds, count: 10_000)
        for _ in 0..<800 {
            var world = LocalTests.sixAxis
            world.add("\(LocalTests.folder)/mount_matrix", "")
            world.add("\(LocalTests.folder)/label", "")
            world.add("\(LocalTests.folder)/scan_elements/in_accel_x_type", "")
            for path in world.files.keys.sorted() { if let next = mutants.next() { world.files[path] = next } }
            let probe = try Probe(world)
            #expect(probe.sensors.map(\.kind) == [.accelerometer, .gyroscope])
            for sensor in probe.sensors {
                #expect((sensor.detail?.utf8.count ?? 0) < 1000 && sensor.detail?.contains("\n") != true)
                if let axes = sensor.axes {
                    #expect([axes.x, axes.y, axes.z].allSatisfy { $0?.isFinite != false })
                }
                #expect(sensor.availability == .available || sensor.detail != nil)
            }
        }
    }
}
