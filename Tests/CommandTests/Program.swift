import Foundation

/// The program under test, run as a user runs it.
struct Program {
    typealias Run = Tool.Run

    struct CommandFailure: Error, CustomStringConvertible {
        let description: String
    }

    /// The program that `RIGREADY_PROGRAM` names, else the built one next to the tests.
    static let url: URL = {
        // It would inherit signals that the tests' caller ignores, as nohup and a shell's background jobs do.
        for number in [SIGINT, SIGQUIT, SIGHUP] { signal(number, SIG_DFL) }
        if let path = ProcessInfo.processInfo.environment["RIGREADY_PROGRAM"] { return URL(filePath: path) }
        return URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "rigready")
    }()

    /// Runs the program to its end in the tests' own folder; after half a minute it is killed and the test fails.
    static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Run {
        let folder = URL(filePath: FileManager.default.currentDirectoryPath)
        return try Tool.run(url.path, arguments, environment: environment, in: folder, limit: 30)
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
