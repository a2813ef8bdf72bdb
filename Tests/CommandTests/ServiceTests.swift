import Foundation
import Support
import Testing

/// The watch as a service: the file it keeps, the manager it notifies, and the readers of the file.
@Suite struct ServiceTests {
    /// Starts a service on the demo rig, waits until it has written its report, and ends it after the body.
    private func service(
        environment: [String: String] = [:], configuration: String? = nil,
        _ body: (_ file: URL, _ program: ChildProcess) throws -> Void
    ) throws {
        try Tool.withFolder { folder in
            let file = folder.appending(path: "report.json")
            let program = try ChildProcess(
                [Program.url.path, "watch", "--keep", file.path] + (configuration.map { ["--config", $0] } ?? []),
                environment: Tool.environment.merging(environment) { $1 })
            defer { program.kill() }
            let deadline = Date(timeIntervalSinceNow: 30)
            while !FileManager.default.fileExists(atPath: file.path), Date() < deadline { usleep(10_000) }
            try body(file, program)
        }
    }

    private func cached(_ file: URL, _ words: String...) throws -> Program.Run {
        try Program.run(["check", "--cached", "--cached-from", file.path, "--format", "json"] + words)
    }

    /// Why the file is not usable.
    private func doubt(_ run: Program.Run) throws -> String? {
        #expect(run.status == 2)
        let requirements = try #require(try run.document()["requirements"] as? [[String: Any]])
        #expect(requirements.first?["standing"] as? String == "unknown")
        return requirements.first?["detail"] as? String
    }

    @Test func `the report is readable by the group`() throws {
        try service { file, program in
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o640)
            let kept = try #require(
                try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
            let run = try cached(file)
            let told = try run.document()
            func text(_ document: [String: Any]) throws -> String {
                let common = document.filter { $0.key != "inventory" }
                return String(
                    decoding: try JSONSerialization.data(withJSONObject: common, options: .sortedKeys), as: UTF8.self)
            }
            // Only the command's name and the watch's status differ.
            let unlike = ["notices", "rig"]
            let (here, there) = (
                try text(kept.filter { !unlike.contains($0.key) }), try text(told.filter { !unlike.contains($0.key) })
            )
            #expect(here == there)
            #expect(kept["takenAt"] as? String == told["takenAt"] as? String)
            #expect(kept["schema"] as? String == "rigready.report/1")
            #expect(told["inventory"] == nil)
            program.send(SIGTERM)
            #expect(program.wait(60) == .exit(0))
        }
    }

    /// The threads that listen end at the same time as the process.
    @Test func `it ends in order whatever its threads are doing`() throws {
        for _ in 0..<15 {
            try service { _, program in
                program.send(SIGTERM)
                #expect(program.wait(60) == .exit(0))
            }
        }
    }

    @Test func `authorizations are the caller's own`() throws {
        try service { file, _ in
            try Program.withFile("motion: denied\n") { grants in
                let authorizations = try cached(file, "--permissions", grants).document()["authorizations"]
                let motion = (authorizations as? [String: [String: Any]])?["motion"]
                #expect(motion?["status"] as? String == "denied")
                #expect(motion?["from"] as? String == "grant")
            }
        }
    }

    @Test func `the report of a dead or stuck writer is not used`() throws {
        try service { file, program in
            program.send(SIGSTOP)
            usleep(1_200_000)
            let stuck = try doubt(cached(file, "--max-age", "1"))
            #expect(stuck?.contains("last confirmed") == true)
            for command in ["sensors", "permissions"] {
                let run = try Program.run(command, "--cached", "--cached-from", file.path, "--max-age", "1")
                #expect(run.status == 2)
            }
            program.send(SIGKILL)
            #expect(program.wait(60) == .signal(SIGKILL))
            // Its child process ends a moment later, and its lock with it.
            try MessageBus.wait { try cached(file).status == 2 }
            let ended = try doubt(cached(file))
            #expect(ended?.contains("the service that wrote it has ended") == true)
        }
        try Tool.withFolder { folder in
            let missing = try doubt(cached(folder.appending(path: "none")))
            #expect(missing?.contains("no service publishes a report") == true)
            let link = folder.appending(path: "link")
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "none")
            #expect(try doubt(cached(link))?.contains("no service publishes a report") == true)
        }
    }

    /// Takes the lock of an open file, as its writer does or a reader could.
    private func lock(_ descriptor: Int32, _ kind: Int32) -> Bool {
        var request = flock()
        request.l_type = Int16(kind)
        // The command F_OFD_SETLK.
        return unsafe fcntl(descriptor, 37, &request) == 0
    }

    @Test func `a reader of the report cannot make an ended service seem alive`() throws {
        try service { file, program in
            program.send(SIGKILL)
            #expect(program.wait(60) == .signal(SIGKILL))
            let reader = unsafe open(file.path, O_RDONLY)
            defer { close(reader) }
            #expect(flock(reader, LOCK_EX) == 0)
            // Its child process ends a moment later, and its lock with it.
            let deadline = Date(timeIntervalSinceNow: 30)
            while !lock(reader, F_RDLCK), Date() < deadline { usleep(5000) }
            #expect(lock(reader, F_RDLCK) && !lock(reader, F_WRLCK))
            let ended = try doubt(cached(file))
            #expect(ended?.contains("the service that wrote it has ended") == true)
        }
    }

    /// A file that this process keeps as a service would, made from a real one.
    private func edited(_ edit: (String) -> String, _ body: (URL) throws -> Void) throws {
        try service { file, program in
            let text = try String(contentsOf: file, encoding: .utf8)
            let copy = file.deletingLastPathComponent().appending(path: "edited.json")
            try Data(edit(text).utf8).write(to: copy)
            let descriptor = unsafe open(copy.path, O_RDWR)
            defer { close(descriptor) }
            #expect(lock(descriptor, F_WRLCK))
            try body(copy)
        }
    }

    @Test func `a report of another boot or version is not used`() throws {
        try edited({ $0 }) { file in
            let told = try cached(file).document()
            #expect(told["takenAt"] is String)
        }
        let boot = #""boot" : "00000000-0000-0000-0000-000000000000""#
        try edited({ $0.replacing(/"boot" : "[^"]*"/, with: boot) }) { file in
            let reason = try doubt(cached(file))
            #expect(reason?.contains("before the last boot") == true)
        }
        try edited({ $0.replacing(/"version" : "[^"]*"/, with: #""version" : "0.0.9""#) }) { file in
            let reason = try doubt(cached(file))
            #expect(reason?.contains("of version 0.0.9") == true)
        }
    }

    @Test(arguments: [
        "", "{", "[]", #"{"schema": "rigready.report/1"}"#, String(repeating: "[", count: 100_000), "\u{0}",
    ])
    func `an invalid report exits with 66`(text: String) throws {
        try edited({ _ in text }) { file in
            let run = try cached(file)
            #expect(run.status == 66)
            #expect(run.output == "")
            #expect(run.complaints.contains("\(file.path): expected the report of a running service"))
        }
    }

    @Test(arguments: [
        ["--rig", "demo"], ["--depth", "state"], ["--timeout", "3"], ["--min-fix", "3d"], ["--no-simulated"],
        ["--wait-fix", "1"], ["--gpsd", "h:1"], ["--iio", "ip:h"],
    ])
    func `options of a probe are refused with a cached report`(words: [String]) throws {
        #expect(try Program.run(["check", "--cached"] + words).status == 64)
        #expect(try Program.run("watch", "--cached").status == 64)
        #expect(try Program.run("record", "file", "--cached").status == 64)
        #expect(try Program.run("check", "--cached-from", "file").status == 64)
        #expect(try Program.run("watch", "--keep", "file", "--format", "json").status == 64)
    }

    @Test(arguments: [-3600.0, 3600])
    func `a report that was not confirmed just now is not used`(seconds: Double) throws {
        try edited({ $0 }) { file in
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: seconds)], ofItemAtPath: file.path)
            let reason = try doubt(cached(file))
            #expect(reason?.contains(seconds < 0 ? "last confirmed 3" : "in the future") == true, "\(reason ?? "")")
        }
    }

    @Test func `a removed report is written again`() throws {
        try service(environment: ["WATCHDOG_USEC": "400000"]) { file, _ in
            try FileManager.default.removeItem(at: file)
            let deadline = Date(timeIntervalSinceNow: 20)
            while !FileManager.default.fileExists(atPath: file.path), Date() < deadline { usleep(10_000) }
            let run = try cached(file)
            #expect(run.status != 2)
        }
    }

    @Test func `a path that is not a file is neither replaced nor read`() throws {
        try Tool.withFolder { folder in
            let (link, pipe) = (folder.appending(path: "link"), folder.appending(path: "pipe"))
            let victim = folder.appending(path: "victim")
            try Data("mine".utf8).write(to: victim)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: victim)
            let isMade = unsafe mkfifo(pipe.path, 0o600) == 0
            #expect(isMade)
            for place in [link, pipe, folder] {
                let kept = try Program.run("watch", "--keep", place.path)
                #expect(kept.status == 73)
            }
            let text = try String(contentsOf: victim, encoding: .utf8)
            #expect(text == "mine")
            for place in [pipe, folder, URL(filePath: "/dev/zero")] {
                let read = try cached(place)
                #expect(read.status == 66)
            }
        }
    }

    @Test func `a service that requires nothing is indeterminate too`() throws {
        let run = try Program.run("check", "--cached", "--cached-from", "/nonexistent", "--service", "assistanceCall")
        #expect(run.status == 2)
    }

    @Test func `cached reports are not used for keeping or deciding`() throws {
        for words in [["compare", "--write", "file"], ["consent"], ["permissions", "request", "motion"]] {
            #expect(try Program.run(words + ["--cached"]).status == 64)
        }
    }

    @Test func `a number out of bounds makes a report invalid`() throws {
        let absurd = #""elapsedMilliseconds" : 1e308"#
        try edited({ $0.replacing(/"elapsedMilliseconds" : [0-9.e-]+/, with: absurd) }) { file in
            let run = try cached(file)
            #expect(run.status == 66)
        }
    }

    @Test func `an unwritable file exits with 73`() throws {
        let run = try Program.run("watch", "--keep", "/nonexistent/report.json")
        #expect(run.status == 73)
        #expect(run.complaints.contains("/nonexistent/report.json: No such file or directory"))
    }

    /// systemd accepts the notifications of the process that it started alone, by what the kernel says of their sender.
    @Test func `its manager is notified that it is ready and alive, by the process that it started`() throws {
        let receiver = """
            import socket, struct, sys
            notifications = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            notifications.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
            notifications.bind(sys.argv[1])
            while True:
                data, credentials, _, _ = notifications.recvmsg(4096, socket.CMSG_SPACE(12))
                print(struct.unpack("iii", credentials[0][2])[0], data.decode(), flush=True)
            """
        try Tool.withFolder { folder in
            let (path, heard) = (folder.appending(path: "notify").path, folder.appending(path: "heard"))
            try Data().write(to: heard)
            let manager = try ChildProcess(
                [Tool.path("python3", package: "python3"), "-c", receiver, path], output: .file(heard.path))
            defer { manager.kill() }
            func lines() -> [Substring] {
                ((try? String(contentsOf: heard, encoding: .utf8)) ?? "").split(separator: "\n")
            }
            func wait(for isEnough: ([Substring]) -> Bool) -> Bool {
                let deadline = Date(timeIntervalSinceNow: 60)
                while Date() < deadline {
                    if isEnough(lines()) { return true }
                    usleep(10_000)
                }
                return false
            }
            #expect(wait { _ in FileManager.default.fileExists(atPath: path) })
            try service(environment: ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "400000"]) { _, program in
                let own = "\(program.identifier) "
                #expect(wait { $0.count > 1 && $0[0] == own + "READY=1" && $0[1].hasPrefix(own + "STATUS=") })
                #expect(wait { $0.count { $0 == own + "WATCHDOG=1" } > 3 })
                program.send(SIGTERM)
                #expect(wait { $0.last == own + "STOPPING=1" })
                #expect(lines().allSatisfy { $0.hasPrefix(own) })
            }
        }
    }

    @Test func `SIGHUP reads its configuration again, and does not end it`() throws {
        try Tool.withFolder { folder in
            // A replaced folder is not seen as an edit of the file in it.
            let (old, new) = (folder.appending(path: "old"), folder.appending(path: "new"))
            for (place, text) in [(old, "services: [driving]\n"), (new, "services: [impactDetection]\n")] {
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
                try Data(text.utf8).write(to: place.appending(path: "rigready.yaml"))
            }
            let current = folder.appending(path: "current")
            try FileManager.default.createSymbolicLink(at: current, withDestinationURL: old)
            try service(configuration: current.appending(path: "rigready.yaml").path) { file, program in
                func asked() throws -> [String] {
                    let report = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
                    let services = report?["services"] as? [[String: Any]] ?? []
                    return services.filter { $0["asked"] as? Bool == true }.compactMap { $0["id"] as? String }
                }
                #expect(try asked() == ["driving"])
                try FileManager.default.removeItem(at: current)
                try FileManager.default.createSymbolicLink(at: current, withDestinationURL: new)
                program.send(SIGHUP)
                let deadline = Date(timeIntervalSinceNow: 30)
                while try asked() != ["impactDetection"], Date() < deadline { usleep(10_000) }
                #expect(try asked() == ["impactDetection"])
                // Longer than a process that is told to end may take.
                usleep(2_500_000)
                #expect(program.isRunning)
            }
        }
    }

    /// The shipped unit, except for the program's path.
    private func unit(_ body: (String) throws -> Void) throws {
        let text = try String(contentsOf: Tool.repository.appending(path: "Systemd/rigready.service"), encoding: .utf8)
        try Tool.withFolder { folder in
            let file = folder.appending(path: "rigready.service")
            let here = text.replacing("/usr/bin/rigready", with: Program.url.path)
            try Data(here.utf8).write(to: file)
            try body(file.path)
        }
    }

    @Test func `systemd accepts the unit as valid and safe`() throws {
        let analyze = try Tool.path("systemd-analyze", package: "systemd")
        try unit { unit in
            let verified = try Tool.run(analyze, ["verify", "--man=no", unit])
            #expect(verified.status == 0)
            #expect(verified.complaints == "")
            let safe = try Tool.run(analyze, ["security", "--offline=true", "--threshold=15", unit])
            #expect(safe.status == 0, "\(safe.output.suffix(200))")
            // A limit that every unit passes would show nothing.
            #expect(try Tool.run(analyze, ["security", "--offline=true", "--threshold=5", unit]).status != 0)
        }
    }
}
