import Foundation
import Testing

/// The program's libraries and threads.
@Suite struct LinkageTests {
    private func output(of program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    @Test func `Foundation proper and libraries opened at first use are not linked`() throws {
        let libraries = try output(of: "/usr/bin/ldd", [Program.url.path])
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
        let trace = try output(
            of: "/usr/bin/strace",
            ["-f", "-e", "trace=clone,clone3", "-o", "/dev/stdout", Program.url.path] + arguments)
        let threads = trace.split(separator: "\n").count { $0.contains("clone") && $0.contains("CLONE_THREAD") }
        #expect(threads == expected)
    }
}
