import DriverKit
import SystemPackage
import Testing

@testable import IIO

/// The udev rule that the package ships.
@Suite struct RuleTests {
    /// The names of the files that the rule looks for.
    private static func names() throws -> [String] {
        let root = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
        let file = root.appending("udev-rules").appending(NodeRemedy.rule)
        let bytes = try MockRig.world.contents(of: file, limit: 1 << 20)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            let words = line.split(separator: "\"")
            return line.hasPrefix("TEST==") && words.count > 1 ? String(words[1]) : nil
        }
    }

    @Test func `the rule looks for each axis that the driver would, raw or processed, numbered or not`() throws {
        let names = try Set(Self.names())
        for type in ["accel", "anglvel"] {
            for number in ["", "0", "1"] {
                for axis in ["x", "y", "z"] {
                    for suffix in ["raw", "input"] {
                        let name = "in_\(type)\(number)_\(axis)_\(suffix)"
                        #expect(names.contains(name), "\(name)")
                    }
                }
            }
        }
        for name in names { #expect(SensorPlan.plans(for: [name]).count == 1, "\(name)") }
    }
}
