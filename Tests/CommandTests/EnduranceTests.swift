import Foundation
import Support
import Testing

/// A long-running watch: peers that connect and disconnect leave no resources behind.
@Suite(.timeLimit(.minutes(10))) struct EnduranceTests {
    @Test(.waits) func `a hundred restarts of gpsd leave nothing behind`() throws {
        let gpsd = "/usr/sbin/gpsd"
        guard FileManager.default.isExecutableFile(atPath: gpsd) else { try Test.cancel("needs \(gpsd) of gpsd") }
        try Tool.withFolder { folder in
            let port = "\(Int.random(in: 20_000..<30_000))"
            let output = folder.appending(path: "out")
            let watch = try ChildProcess(
                [Program.url.path, "watch", "--gpsd", "127.0.0.1:\(port)", "--service", "driving"],
                environment: Tool.environment, output: .file(output.path))
            defer { watch.kill() }
            func lines() throws -> Int {
                try Data(contentsOf: output).count { $0 == UInt8(ascii: "\n") }
            }
            func tells(after count: Int) throws -> Bool {
                let deadline = Date(timeIntervalSinceNow: 20)
                while try lines() <= count, Date() < deadline { usleep(5000) }
                return try lines() > count
            }
            let hasBegun = try tells(after: 0)
            try #require(hasBegun)
            var first: Holdings?
            for turn in 1...100 {
                let before = try lines()
                let daemon = try ChildProcess(
                    [gpsd, "-N", "-b", "-S", port, "-F", folder.appending(path: "sock\(turn)").path])
                let isSeen = try tells(after: before)
                let afterwards = try lines()
                // A peer that disconnects at once is reconnected at growing intervals.
                usleep(250_000)
                daemon.kill()
                let isMissed = try tells(after: afterwards)
                try #require(isSeen && isMissed, "restart \(turn)")
                if turn == 10 { first = try Holdings(watch.identifier) }
            }
            let (before, after) = (try #require(first), try Holdings(watch.identifier))
            // One more or less is a probe in progress.
            #expect(after.descriptors <= before.descriptors + 4)
            #expect(after.threads <= before.threads + 2)
            #expect(after.memory <= before.memory + 512)
            #expect(watch.isRunning)
        }
    }

    /// How often the threads of a process went to sleep voluntarily, which is how often they were woken.
    private func sleeps(of process: Int32) throws -> Int {
        let folder = "/proc/\(process)/task"
        return try FileManager.default.contentsOfDirectory(atPath: folder).map { thread in
            let status = try String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
        }.reduce(0, +)
    }

    @Test(.waits, .enabled(if: RunningGPSD.isInstalled)) func `equal reports of a receiver wake the watch once each`()
        throws
    {
        let socat = try Tool.path("socat", package: "socat")
        let gpsd = try RunningGPSD(.threeDimensional)
        defer { gpsd.stop() }
        try Tool.withFolder { folder in
            func lines(_ file: URL) throws -> Int { try Data(contentsOf: file).count { $0 == UInt8(ascii: "\n") } }
            let (told, heard) = (folder.appending(path: "told"), folder.appending(path: "heard"))
            let watch = try ChildProcess(
                [Program.url.path, "watch", "--gpsd", "127.0.0.1:\(gpsd.port)", "--service", "places"],
                environment: Tool.environment, output: .file(told.path))
            defer { watch.kill() }
            let question = Pipe()
            let other = try ChildProcess(
                [socat, "-", "TCP:127.0.0.1:\(gpsd.port)"],
                input: .descriptor(question.fileHandleForReading.fileDescriptor), output: .file(heard.path))
            defer { other.kill() }
            question.fileHandleForWriting.write(Data("?WATCH={\"enable\":true,\"json\":true};\n".utf8))
            // Until there is a fix and the watch is idle.
            let rest = Date(timeIntervalSinceNow: 20)
            while Date() < rest, try !String(contentsOf: told, encoding: .utf8).contains("places runs") {
                usleep(50_000)
            }
            usleep(2_000_000)
            let (toldBefore, heardBefore) = (try lines(told), try lines(heard))
            let before = try sleeps(of: watch.identifier)
            usleep(6_000_000)
            let woken = try sleeps(of: watch.identifier) - before
            let reports = try lines(heard) - heardBefore
            #expect(reports > 10)
            #expect(woken <= reports)
            let toldAfterwards = try lines(told)
            #expect(toldAfterwards == toldBefore)
        }
    }
}
