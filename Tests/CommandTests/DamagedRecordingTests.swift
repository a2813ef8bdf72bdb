import ArgumentParser
import Foundation
import LocalRig
import Readiness
import Rendering
import Testing
@testable import rigready

/// Damaged recordings through the real drivers, the evaluation and the reports: there is a result, and never a crash or
/// a hang.
@Suite struct DamagedRecordingTests {
    /// The number of mutants; `RIGREADY_MUTANTS` sets more than a test run has time for.
    private static let count = ProcessInfo.processInfo.environment["RIGREADY_MUTANTS"].flatMap { Int($0) } ?? 300

    /// Rigs that lack little, much and everything, with sensors that never answer, remote contexts and blocked radios.
    private static func seeds() throws -> [[String]] {
        let names = ["demo", "field-kit", "prototype-board"].map { "Sources/LocalRig/Rigs/\($0).jsonl" }
        let cases = ["remote", "two-controllers-one-on", "silent-after-fix", "hub-frozen-beside-good", "no-driver-hid"]
        return try names.map { name in
            try String(contentsOf: Tool.repository.appending(path: name), encoding: .utf8)
                .split(separator: "\n").map(String.init)
        }
            + cases.map { name in
                let file = Tool.repository.appending(path: "Tests/Recordings/\(name).jsonl.gz")
                let recording = try Recording(parsing: Array(try Data(contentsOf: file)), file: name)
                return String(decoding: recording.serialized(), as: UTF8.self).split(separator: "\n").map(String.init)
            }
    }

    @Test(.timeLimit(.minutes(10)), arguments: [1, 2] as [UInt64])
    func `damage is reported and never crashes or hangs`(seed: UInt64) throws {
        let rig = try LocalRig()
        var replayed = 0
        for (number, mutant) in DamagedRecordings(of: try Self.seeds(), count: Self.count / 2, seed: seed).enumerated()
        {
            guard let recording = try? Recording(parsing: mutant, file: "mutant") else { continue }
            replayed += 1
            let assessment = try LocalRig(rig, on: recording).assess()
            #expect(try Output.document(Report(assessment)).hasPrefix("{"), "\(seed)/\(number)")
            #expect(!assessment.text(on: .file).isEmpty)
            #expect(!TAPReport(list: assessment.caseList).text.isEmpty)
            _ = recording.anonymized(by: BundledDrivers.anonymizers).serialized(compressed: true)
        }
        #expect(replayed > Self.count / 2 / 4, "too few are still recordings")
    }
}
