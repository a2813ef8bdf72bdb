import Foundation
import Glibc
import Readiness
import Support
import Testing

/// Every command that is printed for hostile names, run with stand-ins for what it calls: nothing hostile runs.
@Suite(.timeLimit(.minutes(10))) struct HostileRemedyTests {
    /// What a shell runs if a word is not quoted as often as it is read; each makes the file PWNED.
    private static let payloads = [
        "$(touch PWNED)", "`touch PWNED`", ";touch${IFS}PWNED;:", "|touch PWNED|", "&touch PWNED&", "'$(touch PWNED)'",
        "'\u{489};touch PWNED;'\u{489}", "’;touch PWNED;’", "\u{2018}$(touch PWNED)\u{201d}",
        "'\\''$(touch PWNED)", "\"$(touch PWNED)\"", "\\$(touch PWNED)", "$((a[$(touch PWNED)]))", ">PWNED;",
    ]

    /// Programs that a command may call, which do nothing here.
    private static let silent = [
        "apt-get", "bluetoothctl", "btmgmt", "chmod", "chown", "gpsd", "gpsdctl", "grep", "groupadd", "iio_attr",
        "iio_info", "mmcli", "modprobe", "nft", "nsenter", "rfkill", "rigready", "rm", "setfacl", "systemctl", "tee",
        "udevadm", "usermod",
    ]

    /// A folder that everybody may write, with the stand-ins in `bin`.
    private func withStandIns(_ body: (_ place: URL) throws -> Void) throws {
        try Tool.withFolder { folder in
            let bin = folder.appending(path: "bin"), place = folder.appending(path: "place")
            for new in [bin, place] {
                try FileManager.default.createDirectory(at: new, withIntermediateDirectories: false)
            }
            func write(_ name: String, _ script: String) throws {
                try Tool.write("#!/bin/sh\n\(script)\n", asProgram: bin.appending(path: name))
            }
            // ssh(1): the words of a command are joined by spaces, and read by the shell of the other machine.
            try write("ssh", "while [ \"${1#-}\" != \"$1\" ]; do shift; done; shift; exec sh -c \"$*\"")
            try write("sg", "shift 2; exec sh -c \"$1\"")
            try write("sudo", "while [ \"${1#-}\" != \"$1\" ]; do shift; done; exec \"$@\"")
            for name in Self.silent { try write(name, "exit 0") }
            for name in ["sh", "touch"] {
                try FileManager.default.createSymbolicLink(
                    at: bin.appending(path: name), withDestinationURL: URL(filePath: "/bin/\(name)"))
            }
            for open in [folder, place] {
                #expect(unsafe chmod(open.path, 0o777) == 0)
            }
            try body(place)
        }
    }

    /// Runs a line as an ordinary user, so that a redirection reaches no file of the system; returns whether it was hit.
    private func isHit(by line: String, at place: URL) throws -> Bool {
        // cat waits for what the line leaves in the background.
        var words = ["/bin/sh", "-c", "/bin/sh -c \"$1\" | /bin/cat", "sh", line]
        if geteuid() == 0 {
            let setpriv = try Tool.path("setpriv", package: "util-linux")
            words = [setpriv, "--reuid=65534", "--regid=65534", "--clear-groups"] + words
        }
        let bin = place.deletingLastPathComponent().appending(path: "bin").path
        _ = try Tool.run(words[0], Array(words.dropFirst()), environment: ["PATH": bin], in: place)
        let hit = place.appending(path: "PWNED")
        defer { try? FileManager.default.removeItem(at: hit) }
        return FileManager.default.fileExists(atPath: hit.path)
    }

    /// The commands of a report and of the dry run, each checked and run; returns them.
    @discardableResult
    private func check(_ words: [String], at place: URL, _ name: Comment) throws -> [String] {
        let report = try Tool.run(Program.url.path, words + ["--format", "json"], in: place, limit: 30)
        // A recording that is no longer valid prints no command.
        if report.status == 66 { return [] }
        #expect(report.status <= 2, "\(name): \(report.complaints)")
        let document = try report.document()
        let items = ["requirements", "rootCauses"].flatMap { document[$0] as? [[String: Any]] ?? [] }
        let remedies = items.flatMap { $0["remedies"] as? [[String: Any]] ?? [] }
        let commands = Set(remedies.compactMap { $0["command"] as? String }).sorted()
        let script = try Tool.run(Program.url.path, ["fix", "--dry-run"] + words, in: place, limit: 30).output
        // Also as a terminal without UTF-8 shows them.
        for line in commands + commands.map(\.inASCII) + [script] {
            for shell in [["/bin/sh"], ["/bin/bash"], ["/usr/bin/dash"], ["/usr/bin/busybox", "sh"]] {
                guard FileManager.default.isExecutableFile(atPath: shell[0]) else { continue }
                let parsed = try Tool.run(shell[0], Array(shell.dropFirst()) + ["-n", "-c", line])
                #expect(parsed.status == 0, "\(name): \(shell) does not parse \(line)")
            }
            #expect(try !isHit(by: line, at: place), "\(name): \(line)")
        }
        return commands
    }

    @Test func `the stand-ins show what is quoted too rarely`() throws {
        try withStandIns { (place) throws in
            for payload in Self.payloads where !payload.contains("'") && !payload.hasPrefix("\\") {
                #expect(try isHit(by: "ssh -t board sudo chmod a+r '/sys/x\(payload)y'", at: place), "\(payload)")
            }
            #expect(try isHit(by: "sudo chmod a+r /sys/$(touch PWNED)", at: place))
            #expect(try !isHit(by: "ssh -t board sudo chmod a+r /sys/x", at: place))
        }
    }

    /// Places, names and nodes of sensors, radios and receivers, from a stranger's recording.
    @Test(
        .waits,
        arguments: [
            ("demo", "0-0069"), ("demo", "bmi160"), ("demo", "ttyACM0"), ("demo", "hci0"), ("field-kit", "ttyACM0"),
            ("field-kit", "hci0"), ("field-kit", "i2c-0"), ("prototype-board", "i2c-0"),
            ("prototype-board", "iio:device0"),
            ("prototype-board", "ttyACM0"), ("prototype-board", "bmi160"),
        ])
    func `names of a recording are not run`(rig: String, name: String) throws {
        let file = Tool.repository.appending(path: "Sources/LocalRig/Rigs/\(rig).jsonl")
        let text = try String(contentsOf: file, encoding: .utf8)
        try withStandIns { place in
            for payload in Self.payloads {
                let escaped = String(decoding: try JSONEncoder().encode(payload), as: UTF8.self).dropFirst().dropLast()
                let hostile = text.replacing(name, with: escaped.replacing("\\/", with: "/"))
                try Data(hostile.utf8).write(to: place.appending(path: "rig.jsonl"))
                try check(["--rig", "rig.jsonl"], at: place, "\(rig) \(name) \(payload)")
            }
        }
    }

    @Test func `names of files are not run, and are in the command`() throws {
        try withStandIns { place in
            for payload in Self.payloads where !payload.contains("/") {
                let grants = "x\(payload).yaml"
                try Data("location: not-determined\nmotion: denied\n".utf8).write(to: place.appending(path: grants))
                let commands = try check(["--rig", "demo", "--permissions", grants], at: place, "\(payload)")
                #expect(commands.contains { $0.contains("PWNED") }, "\(payload): \(commands)")
            }
        }
    }

    @Test(.waits) func `ids and attributes of an iiod are not run`() throws {
        try withStandIns { place in
            for payload in Self.payloads {
                let escaped = payload.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
                    .replacing("<", with: "&lt;").replacing(">", with: "&gt;")
                for id in ["iio:device0\(escaped)", "iio:device0"] {
                    let attribute = id == "iio:device0" ? "in_accel_x_raw\(escaped)" : "in_accel_x_raw"
                    let context =
                        #"<context name="network"><device id="\#(id)" name="chip\#(escaped)">"#
                        + #"<channel id="accel_x" type="input"><attribute name="raw" filename="\#(attribute)"/></channel>"#
                        + "</device></context>"
                    let server = try HostileServer { peer in
                        while let request = peer.line() {
                            switch request {
                            case "VERSION": peer.send("0.24.v0.24\n")
                            case "PRINT": peer.send("\(context.utf8.count)\n\(context)\n")
                            default: peer.send("-13\n")
                            }
                        }
                    }
                    let peers = ["--gpsd", "127.0.0.1:1", "--iio", "ip:127.0.0.1:\(server.port)"]
                    try check(peers, at: place, "\(id) \(attribute)")
                }
            }
        }
    }

    @Test(.waits) func `paths of a gpsd are not run`() throws {
        try withStandIns { place in
            for payload in Self.payloads {
                let device: [String: Any] = ["class": "DEVICE", "path": "/dev/tty\(payload)", "driver": payload]
                let devices: [String: Any] = ["class": "DEVICES", "devices": [device]]
                let line = String(decoding: try JSONSerialization.data(withJSONObject: devices), as: UTF8.self)
                let server = try HostileServer { peer in
                    peer.send("{\"class\":\"VERSION\",\"release\":\"3.22\",\"proto_major\":3,\"proto_minor\":14}\n")
                    while peer.line() != nil { peer.send(line + "\n") }
                }
                try check(["--gpsd", "127.0.0.1:\(server.port)"], at: place, "\(payload)")
            }
        }
    }
}
