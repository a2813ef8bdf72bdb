import Foundation
import Testing

/// The program's libraries and threads.
@Suite struct LinkageTests {
    @Test func `Foundation proper and libraries opened at first use are not linked`() throws {
        let libraries = try Tool.run("/usr/bin/ldd", [Program.url.path]).output
        #expect(libraries.contains("libudev.so"))
        let strangers = [
            "libFoundation.so", "_FoundationICU", "libiio", "libkmod", "libbluetooth", "libsystemd", "libmosquitto",
            "libssl",
        ]
        for stranger in strangers {
            #expect(!libraries.contains(stranger), "\(stranger)")
        }
    }

    // One thread per driver if no sensor is read, none in a replay, and none of a concurrency runtime.
    @Test(arguments: [(["check", "--depth", "presence"], 4), (["check", "--rig", "demo"], 0)])
    func `a check starts a thread a driver, and a replay none`(arguments: [String], expected: Int) throws {
        // Each thread is a clone in the trace.
        let words = ["-f", "-e", "trace=clone,clone3", Program.url.path] + arguments
        let trace = try Tool.run("/usr/bin/strace", words)
        let threads = trace.complaints.split(separator: "\n").count {
            $0.contains("clone") && $0.contains("CLONE_THREAD")
        }
        #expect(threads == expected)
    }
}
