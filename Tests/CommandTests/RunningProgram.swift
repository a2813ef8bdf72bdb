import Foundation
import Support
import Testing

/// A program that runs beside a test, with its output in files; it is killed at the latest with this object.
final class RunningProgram {
    private let process = Process()
    private let output: URL

    /// Starts a program, by default the one under test, in a folder; its outputs go to `NAME.out` there.
    init(
        _ arguments: [String], program: String? = nil, named name: String, environment: [String: String] = [:],
        in folder: URL
    ) throws {
        output = folder.appending(path: "\(name).out")
        _ = FileManager.default.createFile(atPath: output.path, contents: nil)
        let file = try FileHandle(forWritingTo: output)
        let words = try Tool.unblocked(program ?? Program.url.path, arguments)
        process.executableURL = URL(filePath: words[0])
        process.arguments = Array(words.dropFirst())
        process.environment = Tool.environment.merging(environment) { $1 }
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = file
        process.standardError = file
        try process.run()
        try? file.close()
    }

    deinit { end(SIGKILL) }

    var isRunning: Bool { process.isRunning }
    var identifier: Int32 { process.processIdentifier }

    /// What it has printed.
    var text: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }

    /// Sends a signal, waits for the end, and gives the status.
    @discardableResult
    func end(_ signal: Int32) -> Int32 {
        if process.isRunning { kill(process.processIdentifier, signal) }
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Waits for a state, for at most a minute; false if it does not come.
    static func wait(for isReached: () throws -> Bool) rethrows -> Bool {
        let deadline = Date(timeIntervalSinceNow: 60)
        while Date() < deadline {
            if try isReached() { return true }
            usleep(10_000)
        }
        return try isReached()
    }

    /// A mosquitto that keeps nothing, once it listens.
    static func mosquitto(at address: String, in folder: URL) throws -> RunningProgram {
        let program = "/usr/sbin/mosquitto"
        if !FileManager.default.isExecutableFile(atPath: program) { try Test.cancel("needs \(program) of mosquitto") }
        let parts = address.split(separator: ":")
        let settings = "listener \(parts[1]) \(parts[0])\nallow_anonymous true\npersistence false\n"
        try Data(settings.utf8).write(to: folder.appending(path: "mosquitto.conf"))
        let broker = try RunningProgram(["-c", "mosquitto.conf"], program: program, named: "mosquitto", in: folder)
        guard wait(for: { broker.text.contains(" running") }) else {
            throw Program.CommandFailure(description: "mosquitto at \(address): \(broker.text)")
        }
        return broker
    }
}
