import Foundation
import Testing

/// A process without descriptors, memory or threads: what it cannot look at is unknown, never absent.
@Suite struct ExhaustionTests {
    @Test(arguments: 4...24)
    func `few descriptors leave sensors unknown and never absent`(count: Int) throws {
        let prlimit = try Tool.path("prlimit", package: "util-linux")
        let run = try FileBus.run(
            devices: 2,
            [
                prlimit, "--nofile=\(count):\(count)", Program.url.path, "check", "--format", "json", "--gpsd",
                "127.0.0.1:1",
            ])
        // 127 is the dynamic linker's, before the program has begun.
        guard run.status < 3 else {
            #expect([70, 127].contains(run.status) && count < 8)
            #expect(run.output.isEmpty && run.complaints.split(separator: "\n").count == 1)
            return
        }
        let requirements = try #require(try run.document()["requirements"] as? [[String: Any]])
        for requirement in requirements where ["accelerometer", "gyroscope"].contains(requirement["id"] as? String) {
            let standing = requirement["standing"] as? String
            #expect(standing == "met" || standing == "unknown", "\(requirement)")
        }
    }

    @Test(arguments: [20, 40, 60, 80, 100, 150, 200])
    func `little memory gives no verdict that is none`(mebibytes: Int) throws {
        let prlimit = try Tool.path("prlimit", package: "util-linux")
        let run = try FileBus.run(
            devices: 2,
            [
                prlimit, "--as=\(mebibytes << 20)", Program.url.path, "check", "--format", "json", "--gpsd",
                "127.0.0.1:1",
            ])
        guard run.status < 3, !run.output.isEmpty else { return #expect(![0, 1].contains(run.status)) }
        let requirements = try #require(try run.document()["requirements"] as? [[String: Any]])
        for requirement in requirements where ["accelerometer", "gyroscope"].contains(requirement["id"] as? String) {
            #expect(requirement["cause"] as? String != "absent")
        }
    }
}
