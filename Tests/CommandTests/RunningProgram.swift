import Foundation

/// A program that runs beside a test, with its output in files; it is killed at the latest with this object.
final class RunningProgram {
    private let process = Process()
    private let output: URL

    /// Starts a program, by default the one under test, in a folder; its outputs go to `NAME.out` there.
    init(_ arguments: [String], program: String? = nil, named name: String, in folder: URL) throws {
        output = folder.appending(path: "\(name).out")
        _ = FileManager.default.createFile(atPath: output.path, contents: nil)
        let file = try FileHandle(forWritingTo: output)
        process.executableURL = program.map { URL(filePath: $0) } ?? Program.url
        process.arguments = arguments
        process.environment = Tool.environment
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = file
        process.standardError = file
        try process.run()
        try? file.close()
    }

    deinit { end(SIGKILL) }

    var isRunning: Bool { process.isRunning }

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
}
