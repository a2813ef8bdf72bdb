import Linux
import DriverKit
import Readiness
import SystemPackage
import Testing
@testable import IIO

/// The packaged udev rule, compared with what the driver reads.
@Suite struct RuleTests {
    private static func lines() throws -> [Substring] {
        let root = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
        let file = root.appending("udev-rules").appending(Diagnosis.rule)
        let bytes = try MockRig.world.contents(of: file, limit: 1 << 20)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }

    /// The files that the rule checks, and the property that each sets.
    private static func names() throws -> [String: String] {
        let pairs = try lines().filter { $0.hasPrefix("TEST==") }.map { line in
            let words = line.split(separator: "\"")
            let property = line.split(separator: "ENV{").last?.prefix { $0 != "}" } ?? ""
            return (String(words[1]), String(property))
        }
        return Dictionary(pairs) { first, _ in first }
    }

    @Test func `the rule looks for each axis that the driver would, raw or processed, numbered or not`() throws {
        let names = try Self.names()
        for type in ["accel", "anglvel"] {
            for number in ["", "0", "1"] {
                for axis in ["x", "y", "z"] {
                    for suffix in ["raw", "input"] {
                        let name = "in_\(type)\(number)_\(axis)_\(suffix)"
                        #expect(names[name] != nil, "\(name)")
                    }
                }
            }
        }
    }

    @Test func `each file gives the kind that the driver takes it for`() throws {
        let properties: [SensorKind: String] = [
            .accelerometer: "RIGREADY_ACCELEROMETER", .gyroscope: "RIGREADY_GYROSCOPE",
            .stepCounter: "RIGREADY_STEP_COUNTER",
        ]
        for (name, property) in try Self.names() {
            #expect(SensorPlan.plans(for: [name]).map { properties[$0.kind] } == [property], "\(name)")
        }
    }

    @Test func `no program is run, and no node is world-accessible`() throws {
        for line in try Self.lines() where !line.hasPrefix("#") {
            for word in ["PROGRAM", "RUN", "IMPORT{program}", "hwdb", "MODE=\"0666\""] {
                #expect(!line.contains(word), "\(line)")
            }
        }
        #expect(try Self.lines().contains("GROUP=\"\(Diagnosis.group)\", MODE=\"0660\", TAG+=\"uaccess\""))
    }
}
