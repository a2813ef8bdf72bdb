import Foundation
import Support
import Testing

/// Another program that a test runs.
enum Tool {
    /// The result of a run.
    struct Run {
        let status: Int32
        let output: String
        let complaints: String

        /// The one JSON document on standard output.
        func document() throws -> [String: Any] {
            let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
            guard let document = value as? [String: Any] else {
                throw Program.CommandFailure(description: "no JSON object")
            }
            return document
        }
    }

    /// The repository, which contains the examples.
    static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// What every program of a test finds in its environment: little, and what `Scripts/sanitize` and
    /// `Scripts/mutate` need.
    static let environment: [String: String] = {
        let own = ProcessInfo.processInfo.environment
        var names = ["ASAN_OPTIONS", "TSAN_OPTIONS", "RIGREADY_MUTATION"]
        if own["TSAN_OPTIONS"] != nil { names.append("LD_PRELOAD") }
        // The packages that tests build need not be small. Without a locale in UTF-8 text is in ASCII.
        let fixed = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "DPKG_DEB_COMPRESSOR_LEVEL": "1"]
        return own.filter { names.contains($0.key) }.merging(fixed) { $1 }
    }()

    /// The path of a program of Debian; a test without it is reported as cancelled, not as passed.
    static func path(_ name: String, package: String) throws -> String {
        let path = "/usr/bin/\(name)"
        if !FileManager.default.isExecutableFile(atPath: path) { try Test.cancel("needs \(path) of \(package)") }
        return path
    }

    /// Debian's Python, with the modules of its packages.
    static func python(with modules: [String: String]) throws -> String {
        let python = try path("python3", package: "python3")
        for (module, package) in modules where try run(python, ["-c", "import \(module)"]).status != 0 {
            try Test.cancel("needs the module \(module) of \(package)")
        }
        return python
    }

    /// Writes a script that can be run.
    static func write(_ script: String, asProgram file: URL) throws {
        let text = file.appendingPathExtension("text")
        try Data(script.utf8).write(to: text)
        try copy(text, asProgram: file)
    }

    /// Copies a program, so that all users may run it.
    ///
    /// Another process writes the file. What this process has open for writing is held by each process that another test starts
    /// at that moment, until it has become its program, and a file that is open for writing cannot be run (ETXTBSY).
    static func copy(_ program: URL, asProgram file: URL) throws {
        let copied = try run("/usr/bin/install", ["-m", "755", program.path, file.path])
        try #require(copied.status == 0, "\(copied.complaints)")
    }

    /// Builds a package of `Examples` and returns the folder of its programs.
    ///
    /// `Scripts/test` has built them before, and nothing is compiled here.
    static func build(example name: String) throws -> URL {
        let environment = ProcessInfo.processInfo.environment
        let folders = (environment["PATH"] ?? "").split(separator: ":")
        guard folders.contains(where: { FileManager.default.isExecutableFile(atPath: "\($0)/swift") }) else {
            try Test.cancel("needs swift on the PATH")
        }
        let built = try run(
            "/bin/bash", ["-c", "source Scripts/lib.sh; build_example \(name)"], environment: environment,
            in: repository, limit: 1200)
        try #require(built.status == 0, "\(built.output) \(built.complaints)")
        return repository.appending(path: ".build/examples/\(name)/debug")
    }

    /// Runs a program to its end; one that takes longer than the limit (seconds) is killed and fails.
    ///
    /// `observe` is called with the process again and again while it runs.
    static func run(
        _ program: String, _ arguments: [String], input: String = "", environment: [String: String] = [:],
        in folder: URL? = nil, limit: Double = 60,
        observe: (pid_t) -> Void = { _ in }
    ) throws -> Run {
        try withFolder { scratch in
            func file(_ name: String) -> URL { scratch.appending(path: name) }
            try Data(input.utf8).write(to: file("in"))
            let process = try ChildProcess(
                [program] + arguments,
                environment: Self.environment.merging(environment) { $1 },
                folder: (folder ?? scratch).path, input: .file(file("in").path), output: .file(file("out").path),
                errors: .file(file("err").path))
            let deadline = Date(timeIntervalSinceNow: limit)
            while process.isRunning, Date() < deadline {
                observe(process.identifier)
                usleep(2000)
            }
            let status: Int32
            switch process.end {
            case .exit(let number), .signal(let number): status = number
            case nil: throw Program.CommandFailure(description: "\(program) \(arguments) ran for \(limit) s")
            }
            func text(_ name: String) throws -> String {
                String(decoding: try Data(contentsOf: file(name)), as: UTF8.self)
            }
            return Run(status: status, output: try text("out"), complaints: try text("err"))
        }
    }

    /// A peer in Python that prints the port on which it listens, for the duration of the body.
    static func withPeer<Result>(_ script: String, _ body: (_ port: String) throws -> Result) throws -> Result {
        try withFolder { folder in
            let output = folder.appending(path: "port")
            let python = try path("python3", package: "python3")
            let peer = try ChildProcess(
                [python, "-c", script], environment: environment, output: .file(output.path))
            defer { peer.kill() }
            var port = Substring()
            try MessageBus.wait {
                let text = try String(contentsOf: output, encoding: .utf8)
                port = text.hasSuffix("\n") ? text.dropLast() : ""
                return !port.isEmpty
            }
            return try body(String(port))
        }
    }

    /// An empty folder for the duration of the body.
    static func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
        let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "rigready-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }
}
