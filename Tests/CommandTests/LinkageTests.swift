import Foundation
import Testing

/// What the program brings with it, and what it costs.
@Suite struct LinkageTests {
    private func output(of program: String, _ arguments: String...) throws -> String {
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

    @Test func foundationProperAndWhatIsOpenedAtFirstUseAreNotLinked() throws {
        let libraries = try output(of: "/usr/bin/ldd", Program.url.path)
        #expect(libraries.contains("libudev.so"))
        for stranger in ["libFoundation.so", "_FoundationICU", "libiio", "libkmod", "libbluetooth", "libsystemd"] {
            #expect(!libraries.contains(stranger), "\(stranger)")
        }
    }

    @Test func noThreadOfAConcurrencyRuntimeIsStarted() throws {
        // A check starts one thread a driver and no more; each thread is a clone in the trace.
        let trace = try output(
            of: "/usr/bin/strace", "-f", "-e", "trace=clone,clone3", "-o", "/dev/stdout", Program.url.path, "--rig",
            "demo")
        let threads = trace.split(separator: "\n").count { $0.contains("clone") && $0.contains("CLONE_THREAD") }
        #expect(threads == 3)
    }
}
