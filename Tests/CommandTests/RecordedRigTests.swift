import Foundation
import Support
import Testing

/// Every recording in `Tests/Recordings` gives the report next to it.
@Suite struct RecordedRigTests {
    private static let folder = Tool.repository.appending(path: "Tests/Recordings")

    private static let files: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".jsonl") || $0.hasSuffix(".jsonl.gz") }.sorted()
    }()

    @Test func `there are recordings`() { #expect(Self.files.count > 50) }

    @Test(arguments: files) func `a recording gives its report`(file: String) throws {
        let name = String(file.prefix { $0 != "." })
        let recording = "Tests/Recordings/\(file)", report = "Tests/Recordings/\(name).json"
        let run = try Program.run("--rig", Self.folder.appending(path: file).path, "--format", "json")
        guard let expected = try? String(contentsOf: Self.folder.appending(path: "\(name).json"), encoding: .utf8)
        else {
            Issue.record(
                """
                \(recording) has no report beside it. Look at what rigready makes of it, and if that is right, keep it: \
                .build/release/rigready --rig \(recording) --format json >\(report)
                """)
            return
        }
        #expect(run.complaints == "")
        #expect(run.output.difference(from: expected) == nil)
        #expect(try run.document()["exitStatus"] as? Int == Int(run.status))
    }

    @Test func `a report has its recording`() throws {
        let reports = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
            .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
        #expect(Set(reports) == Set(Self.files.map { String($0.prefix { $0 != "." }) }))
    }
}
