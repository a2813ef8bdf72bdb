import DriverKit
import Foundation
import Readiness
import Testing
@testable import LocalRig

/// A rig that is watched, and the files that it depends on.
struct WatchedFilesTests {
    @Test func `what is edited between reading and watching is noticed`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rigready-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "config.yaml")
        try Data("services: [impactDetection]\n".utf8).write(to: file)
        var options = LocalRig.Options()
        options.source = .recording("demo")
        options.configurationFile = file.path
        // The kernel's clock of files has moved on since it was written.
        Thread.sleep(forTimeInterval: 0.05)
        for isEdited in [false, true] {
            let rig = try LocalRig(options)
            if isEdited { try Data("services: [places]\n".utf8).write(to: file, options: .atomic) }
            let watch = try AssessmentWatch(rig)
            defer { watch.end() }
            let first = try #require(try watch.next(until: .now.advanced(bySeconds: 30))).assessment
            #expect(first.services.map(\.id) == [isEdited ? "places" : "impactDetection"])
        }
    }

    @Test func `a recorded rig is read once, since its answers are used up`() throws {
        let watch = try AssessmentWatch(try LocalRig(recording: "demo"), resample: 0.1)
        defer { watch.end() }
        var seen: [Int32] = []
        let end = Instant.now.advanced(bySeconds: 0.5)
        while try watch.next(until: end, observe: { seen.append($0.exitStatus) }) != nil {}
        #expect(seen == [0])
    }
}
