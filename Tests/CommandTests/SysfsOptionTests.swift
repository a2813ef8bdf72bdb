import Foundation
import Testing

/// `--sysfs`: the host's sysfs under another folder.
@Suite struct SysfsOptionTests {
    private static let arguments = ["sensors", "--format", "json", "--depth", "sample", "--gpsd", "127.0.0.1:1"]

    /// What a report says of motion sensors.
    private static func motion(_ run: Tool.Run) throws -> [[String: String]] {
        let sensors = try #require(try run.document()["sensors"] as? [[String: Any]], "\(run.complaints)")
        return sensors.map { sensor in
            ["key", "kind", "name", "path", "availability"].reduce(into: [:]) { $0[$1] = sensor[$1] as? String }
        }
    }

    @Test func `sensors elsewhere are those of the same sysfs at its own place`() throws {
        try Tool.withFolder { folder in
            let bus = folder.appending(path: "sys")
            for number in 0..<3 { try FileBus.addDevice(number, to: bus) }
            let elsewhere = try Self.motion(try Program.run(Self.arguments + ["--sysfs", bus.path]))
            #expect(elsewhere.count == 6 && elsewhere.allSatisfy { $0["availability"] == "available" })
            #expect(try Self.motion(try FileBus.run(devices: 3, [Program.url.path] + Self.arguments)) == elsewhere)
            // By the environment, and with a slash at its end.
            let environment = ["RIGREADY_SYSFS": bus.path + "/"]
            #expect(try Self.motion(try Program.run(Self.arguments, environment: environment)) == elsewhere)
            // A recording of it names the places of the host.
            let file = folder.appending(path: "rig.jsonl").path
            let made = try Program.run(["record", file, "--sysfs", bus.path, "--gpsd", "127.0.0.1:1"])
            try #require(made.status == 0, "\(made.complaints)")
            #expect(try !String(contentsOfFile: file, encoding: .utf8).contains(bus.path))
            #expect(try Self.motion(try Program.run("sensors", "--format", "json", "--rig", file)) == elsewhere)
        }
    }

    @Test func `what is no sysfs is an error of a file, and of the call where it makes no sense`() throws {
        try Tool.withFolder { folder in
            for path in [folder.path, folder.path + "/none"] {
                let run = try Program.run(["--sysfs", path])
                #expect(run.status == 66 && run.complaints.contains("expected the folder of a sysfs"))
            }
            for words in [["--rig", "demo"], ["--cached"]] {
                #expect(try Program.run(words + ["--sysfs", folder.path]).status == 64)
            }
            #expect(try Program.run(["measure", "--sysfs", folder.path]).status == 64)
            #expect(try Program.run("measure", "--help").output.contains("--sysfs") == false)
            #expect(try Program.run("check", "--help").output.contains("--sysfs <folder>"))
        }
    }
}
