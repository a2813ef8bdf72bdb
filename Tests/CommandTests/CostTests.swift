import Foundation
import Testing

/// The system calls of a check, counted.
@Suite struct CostTests {
    /// A six-axis device, as umockdev reads it; values end in a newline, as the kernel's do.
    private static let device = """
        P: /devices/pci0000:00/0000:00:1f.4/i2c-1/1-0069/iio:device0
        N: iio:device0
        E: DEVNAME=/dev/iio:device0
        E: SUBSYSTEM=iio
        E: DEVTYPE=iio_device
        A: name=bmi160\\n
        \(FileBus.attributes.map { "A: \($0)=1\\n" }.joined(separator: "\n"))

        P: /devices/pci0000:00/0000:00:1f.4/i2c-1/1-0069
        E: SUBSYSTEM=i2c
        E: DRIVER=bmi160_i2c
        E: MODALIAS=i2c:bmi160


        """

    /// How often a check of that device opened each file of its folder to read it.
    private func reads(_ arguments: String...) throws -> [String: Int] {
        let mock = try Tool.path("umockdev-run", package: "umockdev")
        let strace = try Tool.path("strace", package: "strace")
        return try Tool.withFolder { folder in
            let rig = folder.appending(path: "rig.umockdev")
            let trace = folder.appending(path: "trace")
            try Data(Self.device.utf8).write(to: rig)
            let run = try Tool.run(
                mock,
                [
                    "-d", rig.path, "--", strace, "-ff", "-e", "trace=open,openat", "-o", trace.path, Program.url.path,
                    "check", "--gpsd", "127.0.0.1:1",
                ] + arguments)
            #expect(run.output.contains("bmi160"), "\(run.complaints)")
            let folderOpening = #/iio:device0/([a-z_0-9]+)", O_RDONLY[^=]*= \d/#
            return try lines(of: trace).reduce(into: [:]) { counts, line in
                if let match = line.firstMatch(of: folderOpening) { counts[String(match.1), default: 0] += 1 }
            }
        }
    }

    /// The output of strace for each thread: in one file their lines would be mixed.
    private func lines(of trace: URL) throws -> [Substring] {
        let folder = trace.deletingLastPathComponent()
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasPrefix(trace.lastPathComponent + ".") }
            .flatMap { try String(contentsOf: folder.appending(path: $0), encoding: .utf8).split(separator: "\n") }
    }

    @Test func `a check to the depth of a sample reads each deciding attribute once`() throws {
        let reads = try reads("--depth", "sample")
        for attribute in FileBus.attributes + ["name", "uevent"] { #expect(reads[attribute] == 1, "\(attribute)") }
        #expect(reads.count == FileBus.attributes.count + 2, "\(reads)")
    }

    @Test(arguments: ["presence", "state"])
    func `a check that takes no sample reads no value`(depth: String) throws {
        #expect(try reads("--depth", depth) == ["name": 1, "uevent": 1])
    }

    @Test func `a replayed check reads no device at all`() throws {
        let strace = try Tool.path("strace", package: "strace")
        try Tool.withFolder { folder in
            let trace = folder.appending(path: "trace")
            _ = try Tool.run(
                strace,
                ["-ff", "-e", "trace=open,openat,connect,socket", "-o", trace.path, Program.url.path, "--rig", "demo"])
            let text = try lines(of: trace).joined(separator: "\n")
            for place in ["\"/sys/bus", "\"/sys/class", "\"/dev/iio", "socket("] {
                #expect(!text.contains(place), "\(place)")
            }
        }
    }

    // MARK: Further devices

    /// The file system calls of a check on a bus of files with that many devices.
    private func calls(beside devices: Int) throws -> Int {
        let strace = try Tool.path("strace", package: "strace")
        return try Tool.withFolder { folder in
            let trace = folder.appending(path: "trace")
            let files = "trace=open,openat,getdents64,readlink,readlinkat,stat,newfstatat,statx,access,faccessat2"
            let run = try FileBus.run(
                devices: devices,
                [
                    strace, "-ff", "-e", files, "-o", trace.path, Program.url.path, "check", "--depth", "state",
                    "--timeout", "30", "--gpsd", "127.0.0.1:1",
                ])
            #expect(run.output.contains("bmi160"), "\(run.output) \(run.complaints)")
            return try lines(of: trace).count { $0.contains("(") }
        }
    }

    /// Three for its folder, three for its name, its uevent and its chip's, three for its place in the firmware, udev's
    /// record and its node, one for its link.
    ///
    /// Each opened file is read once and closed. Closing is not counted: the drivers' threads read from each other too,
    /// and one may be closing a file when the program ends.
    @Test func `each further device costs ten system calls, and what it opens a read and a close`() throws {
        let (one, many) = (try calls(beside: 1), try calls(beside: 21))
        #expect(many - one == 20 * 10, "\(one), \(many)")
    }

    // MARK: Instructions

    /// The program as installed; a debug build runs other instructions.
    private static let release = Tool.repository.appending(path: ".build/release/rigready")

    /// Counted by callgrind, since a count does not depend on the machine's load; most of it is the argument parser's.
    ///
    /// 13.0 million when this was last changed, of which binding every symbol is 0.25, and each option of a check a
    /// quarter of a million. The environment, another C library or compiler may change it a little, so it is a bound;
    /// lower it after a large improvement.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: release.path), "needs Scripts/run's build"))
    func `a bounded number of instructions runs before the first probe`() throws {
        let valgrind = try Tool.path("valgrind", package: "valgrind")
        try Tool.withFolder { folder in
            let run = try Tool.run(
                valgrind,
                [
                    "--tool=callgrind", "--callgrind-out-file=calls", "--dump-before=pthread_create*",
                    Self.release.path,
                    "check", "--depth", "state", "--gpsd", "127.0.0.1:1",
                ], in: folder)
            let counts = try String(contentsOf: folder.appending(path: "calls.1"), encoding: .utf8)
            let total = try #require(
                counts.split(separator: "\n").last { $0.hasPrefix("totals: ") }?.dropFirst(8), "\(run.complaints)")
            let instructions = try #require(Int(total))
            #expect(5_000_000...13_400_000 ~= instructions, "\(instructions)")
        }
    }

    // MARK: Memory

    /// The loader has read all of it, and it is over a megabyte.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: release.path), "needs Scripts/run's build"))
    func `the table of relocations does not stay in memory`() throws {
        let readelf = try Tool.path("readelf", package: "binutils")
        let dynamic = try Tool.run(readelf, ["--dynamic", Self.release.path]).output
        let size = try #require(dynamic.firstMatch(of: #/\(RELASZ\) +(\d+)/#).flatMap { Int($0.1) })
        try Tool.withFolder { folder in
            let watch = try RunningProgram(
                ["watch", "--gpsd", "127.0.0.1:1"], program: Self.release.path, named: "watch", in: folder)
            #expect(RunningProgram.wait { !watch.text.isEmpty })
            // The program's own part that is only read comes first, and begins with that table.
            let parts = try String(contentsOfFile: "/proc/\(watch.identifier)/smaps", encoding: .utf8)
            let resident = try #require(parts.firstMatch(of: #/Rss: +(\d+) kB/#).flatMap { Int($0.1) })
            #expect(resident * 1024 < size, "\(resident) kB of it are in memory")
            watch.end(SIGTERM)
        }
    }
}
