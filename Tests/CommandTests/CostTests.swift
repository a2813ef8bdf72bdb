import Foundation
import Testing

/// What a check reads of a device, by its depth.
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
}
