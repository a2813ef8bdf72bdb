import Foundation
import Support
import Testing

/// Every recording of the boot, replayed outside the machine.
@Suite struct ReplayBenchTests {
    @Test func everyRecordingGivesTheReportOfItsProbe() throws {
        for recording in try Bench.recordings() {
            let report = recording.deletingPathExtension().appendingPathExtension("json")
            let expected = try String(contentsOf: report, encoding: .utf8)
            #expect(try replay(recording).difference(from: expected) == nil, "\(recording.lastPathComponent)")
        }
    }

    @Test func everyScenarioIsRecorded() throws {
        let folder = Bench.root.appending(path: "Tests/Hardware/scenarios")
        let scenarios = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".sh") }
        // A scenario of the watch makes no single probe.
        let probing = try scenarios.count { name in
            try String(contentsOf: folder.appending(path: name), encoding: .utf8).contains("report")
        }
        #expect(probing >= scenarios.count - 1)
        #expect(try Bench.recordings().count == probing)
    }

    private func replay(_ recording: URL) throws -> String {
        let program = Process()
        program.executableURL = URL(filePath: Bench.binary)
        program.arguments = ["--rig", recording.path, "--format", "json"]
        let output = Pipe()
        program.standardOutput = output
        try program.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        program.waitUntilExit()
        return String(decoding: text, as: UTF8.self)
    }
}
