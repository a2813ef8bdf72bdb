import Foundation
import Support
import Testing

/// A program that runs beside a test, with its output in files; it is killed at the latest with this object.
final class RunningProgram {
    private let process: ChildProcess
    private let output: URL

    /// Starts a program, by default the one under test, in a folder; its outputs go to `NAME.out` there.
    init(
        _ arguments: [String], program: String? = nil, named name: String, environment: [String: String] = [:],
        in folder: URL
    ) throws {
        output = folder.appending(path: "\(name).out")
        process = try ChildProcess(
            [program ?? Program.url.path] + arguments, environment: Tool.environment.merging(environment) { $1 },
            folder: folder.path, output: .file(output.path), errors: .output)
    }

    var isRunning: Bool { process.isRunning }
    var identifier: Int32 { process.identifier }

    /// What it has printed.
    var text: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }

    /// Sends a signal, waits for the end, and gives the status.
    @discardableResult
    func end(_ signal: Int32) -> Int32 {
        process.send(signal)
        switch process.wait(60) {
        case .exit(let status), .signal(let status): return status
        case nil: return -1
        }
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
