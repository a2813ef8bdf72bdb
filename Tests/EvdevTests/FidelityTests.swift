import DriverKit
import Foundation
import Readiness
import Support
import Testing
@testable import Evdev

/// Each row of the manual's table of kernel drivers, as the driver tells it.
@Suite struct FidelityTests {
    /// A row: what a kernel driver declares, and what that is told as.
    struct DeclaredDevice: CustomTestStringConvertible, Sendable {
        let driver, device: String
        let hasProperty, hasKeys: Bool
        let axes: Set<MotionAxis>
        let perGravity, perDegree: Int32
        let told: String

        var testDescription: String { "\(driver): \(device)" }

        init?(_ cells: [String]) {
            guard cells.count == 8, let perGravity = Int32(cells[4]), let perDegree = Int32(cells[5]) else {
                return nil
            }
            (driver, device, told) = (cells[0], cells[1], cells[7])
            (hasProperty, hasKeys) = (cells[2] == "yes", cells[6] == "yes")
            let names = Set(cells[3].split(separator: " ").map { "ABS_\($0)" })
            axes = Set(MotionAxis.allCases.filter { names.contains($0.name) })
            (self.perGravity, self.perDegree) = (perGravity, perDegree)
        }

        /// A world with the device, as the kernel and udev show it.
        var world: FakeWorld {
            var world = FakeWorld()
            let bits = axes.reduce(0) { $0 | 1 << Int($1.rawValue) }
            // systemd's input_id: three axes and no key, or the property.
            let isTaken = hasProperty || !hasKeys && axes.isSuperset(of: [.x, .y, .z])
            world.add(
                input: 5, named: device, axes: String(bits, radix: 16), properties: hasProperty ? "40" : "0",
                udev: "E:ID_INPUT=1\n" + (isTaken ? "E:ID_INPUT_ACCELEROMETER=1\n" : "")
            ) { [axes, perGravity, perDegree, reportsZero = device.hasSuffix("reports 0 alone")] in
                var states: [MotionAxis: (value: Int32, resolution: Int32)] = [:]
                for axis in axes { states[axis] = (0, axis.rawValue < 3 ? perGravity : perDegree) }
                let report: KeyValuePairs<MotionAxis, Int32> = [.x: 3, .y: 4, .z: 5, .rx: 6, .ry: 7, .rz: 8]
                // The kernel passes on changes alone.
                return InputNode(states, reads: reportsZero ? [] : [.success(InputNode.report(report))])
            }
            return world
        }
    }

    static let rows: [DeclaredDevice] = {
        let manual = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Documentation/motion-sources.md")
        let lines = ((try? String(contentsOf: manual, encoding: .utf8)) ?? "").split(separator: "\n")
        return lines.filter { $0.hasPrefix("| ") }.compactMap { line in
            DeclaredDevice(
                line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map {
                    $0.trimmingCharacters(in: .whitespaces)
                })
        }
    }()

    @Test func `the manual has the table`() { #expect(Self.rows.count >= 24) }

    @Test(arguments: rows) func `a device is told for what it is`(row: DeclaredDevice) throws {
        let (sensors, enumeration) = try row.world.found()
        let told = [SensorKind.accelerometer, .gyroscope].compactMap { kind -> String? in
            guard let sensor = sensors[kind] else { return nil }
            guard case .axes(let axes)? = sensor.reading, sensor.availability == .available else {
                return "\(kind.id) \(sensor.availability.id)"
            }
            return "\(kind.id) \(axes.unit.rawValue)"
        }
        #expect((told.isEmpty ? "nothing" : told.joined(separator: ", ")) == row.told)
        #expect(enumeration.obstacles.isEmpty)
        guard case .axes(let axes)? = sensors[.accelerometer]?.reading, axes.unit != .raw else { return }
        #expect(axes.x == 3 * (9.80665 / Double(row.perGravity)))
    }
}
