import Foundation
import Testing

/// A process without descriptors or memory: what it cannot look at is unknown, never absent.
@Suite struct ExhaustionTests {
    /// A check beside two chips under a limit of prlimit(1): its result, and how it evaluates each chip's sensors.
    private func check(under limit: String) throws -> (run: Tool.Run, requirements: [[String: Any]]) {
        let prlimit = try Tool.path("prlimit", package: "util-linux")
        let words = [Program.url.path, "check", "--format", "json", "--gpsd", "127.0.0.1:1"]
        let run = try FileBus.run(devices: 2, [prlimit, limit] + words)
        guard run.status < 3, !run.output.isEmpty else { return (run, []) }
        let requirements = try #require(try run.document()["requirements"] as? [[String: Any]])
        return (run, requirements.filter { ["accelerometer", "gyroscope"].contains($0["id"] as? String) })
    }

    @Test(arguments: 4...24)
    func `few descriptors leave sensors unknown and never absent`(count: Int) throws {
        let (run, requirements) = try check(under: "--nofile=\(count):\(count)")
        if requirements.isEmpty {
            // 127 is the dynamic linker's, before the program has begun.
            #expect([70, 127].contains(run.status) && count < 8)
            #expect(run.output.isEmpty && run.complaints.split(separator: "\n").count == 1)
        }
        for requirement in requirements {
            let standing = requirement["standing"] as? String
            #expect(standing == "met" || standing == "unknown", "\(requirement)")
        }
    }

    @Test(arguments: [20, 40, 60, 80, 100, 150, 200])
    func `little memory gives no verdict that is none`(mebibytes: Int) throws {
        let (run, requirements) = try check(under: "--as=\(mebibytes << 20)")
        // Without memory the Swift runtime ends the program by a signal.
        if requirements.isEmpty { #expect(![0, 1, 2].contains(run.status)) }
        for requirement in requirements { #expect(requirement["cause"] as? String != "absent", "\(requirement)") }
    }
}
