import Foundation
import Testing

/// The programs of `Examples/library`, built and run as a package of its own.
@Suite struct LibraryExampleTests {
    @Test func `a program on the library lists sensors and verdicts, and decodes what the command wrote`() throws {
        let package = Tool.repository.appending(path: "Examples/library")
        let readme = try String(contentsOf: Tool.repository.appending(path: "README.md"), encoding: .utf8)
        let program = try String(contentsOf: package.appending(path: "Sources/assess/main.swift"), encoding: .utf8)
        #expect(readme.contains(program))

        let folder = try Tool.build(example: "library")

        let report = FileManager.default.temporaryDirectory.appending(path: "report-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: report) }
        try Program.run("--rig", "demo", "--format", "json").output.write(to: report, atomically: true, encoding: .utf8)
        let run = try Tool.run(folder.appending(path: "assess-recording").path, ["demo", report.path])
        #expect(run.status == 0, "\(run.complaints)")
        let lines = run.output.split(separator: "\n")
        #expect(lines.contains("gyroscope i2c-0/0-0069 available"))
        #expect(lines.contains("impactDetection runs"))
        #expect(lines.contains("report impactDetection runs"))
        #expect(lines.contains("report status 0 equal"))

        let live = try Tool.run(folder.appending(path: "assess").path, [])
        #expect(live.status == 0, "\(live.complaints)")
        #expect(live.output.hasPrefix("impactDetection "))
    }
}
