import Foundation

/// The program under test, run as a user runs it.
struct Program {
    /// The result of a run.
    struct Run {
        let status: Int32
        let output: String
        let complaints: String

        /// The one JSON document on standard output.
        func document() throws -> [String: Any] {
            let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
            guard let document = value as? [String: Any] else { throw CommandFailure(description: "no JSON object") }
            return document
        }
    }

    struct CommandFailure: Error, CustomStringConvertible {
        let description: String
    }

    /// The built program is next to the tests.
    static let url = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "rigready")

    /// Runs the program to its end; after half a minute it is killed and the test fails.
    static func run(
        _ arguments: [String], environment: [String: String] = [:]
    ) throws -> Run {
        let program = Process()
        program.executableURL = url
        program.arguments = arguments
        program.environment = ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }
        let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "rigready-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func sink(_ name: String) throws -> FileHandle {
            let file = folder.appending(path: name)
            _ = FileManager.default.createFile(atPath: file.path, contents: nil)
            return try FileHandle(forWritingTo: file)
        }
        let files = try [sink("out"), sink("err")]
        // As in `Tool.run`.
        defer { files.forEach { try? $0.close() } }
        program.standardOutput = files[0]
        program.standardError = files[1]
        program.standardInput = FileHandle.nullDevice
        try program.run()
        let deadline = Date(timeIntervalSinceNow: 30)
        while program.isRunning, Date() < deadline { usleep(2000) }
        if program.isRunning {
            kill(program.processIdentifier, SIGKILL)
            program.waitUntilExit()
            throw CommandFailure(description: "\(arguments) ran for half a minute")
        }
        func text(_ name: String) throws -> String {
            String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
        }
        return Run(status: program.terminationStatus, output: try text("out"), complaints: try text("err"))
    }

    /// The same, with separate arguments.
    static func run(_ arguments: String...) throws -> Run { try run(arguments) }

    /// Writes a file for one test and passes its path to the body.
    static func withFile<Result>(_ text: String, ending: String = "yaml", _ body: (String) throws -> Result) throws
        -> Result
    {
        // Files that the program creates next to it, such as a lock, are removed with the folder.
        try Tool.withFolder { folder in
            let file = folder.appending(path: "file.\(ending)")
            try Data(text.utf8).write(to: file)
            return try body(file.path)
        }
    }
}
