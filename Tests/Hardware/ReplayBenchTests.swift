import Foundation
import Support
import Testing

/// Every recording of the boot, replayed outside the machine.
@Suite struct ReplayBenchTests {
    @Test func `every recording gives the report of its probe`() throws {
        for recording in try Bench.recordings() {
            let report = recording.deletingPathExtension().appendingPathExtension("json")
            let expected = try String(contentsOf: report, encoding: .utf8)
            #expect(try replay(recording).difference(from: expected) == nil, "\(recording.lastPathComponent)")
        }
    }

    @Test func `every scenario is recorded`() throws {
        // That of the class gnss runs on arm64 alone: see boot.
        let scenarios = try FileManager.default.contentsOfDirectory(
            at: Bench.root.appending(path: "Tests/Hardware/scenarios"), includingPropertiesForKeys: nil
        ).filter { $0.pathExtension == "sh" && !$0.lastPathComponent.hasSuffix("-gnss.sh") }
        // A scenario that only measures, or runs an app, keeps no report.
        let reporting = try scenarios.filter { scenario in
            try String(contentsOf: scenario, encoding: .utf8).split(separator: "\n").contains { line in
                !line.hasPrefix("#") && !line.contains("rigready record")
                    && line.contains(#/(^|[ ;"])(report(_\w+)?|record) /#)
            }
        }.map { $0.deletingPathExtension().lastPathComponent }
        #expect(!reporting.isEmpty)
        #expect(try Set(reporting).subtracting(Bench.recordedScenarios()).isEmpty)
    }

    private func replay(_ recording: URL) throws -> String {
        let output = recording.deletingPathExtension().appendingPathExtension("replay")
        try ChildProcess([Bench.binary, "--rig", recording.path, "--format", "json"], output: .file(output.path)).wait(
            60)
        return try String(contentsOf: output, encoding: .utf8)
    }
}
