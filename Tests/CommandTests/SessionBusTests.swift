import Foundation
import Support
import Testing

/// Notifications against a real session bus.
@Suite struct SessionBusTests {
    /// The state of notifications on a bus.
    private func notifications(_ address: String?, in folder: URL) throws -> [String: Any] {
        let environment = address.map { ["DBUS_SESSION_BUS_ADDRESS": $0] } ?? [:]
        let run = try Program.run(
            [
                "consent", "--service", "assistance", "--with", "notifications", "--format", "json", "--depth",
                "presence",
                "--permissions", folder.path + "/g.yaml", "--state", folder.path + "/c.yaml",
                "--answers", "/dev/null",
            ], environment: environment)
        let lines = try #require(try run.document()["permissions"] as? [[String: Any]])
        return try #require(lines.last)
    }

    @Test func `a bus without the service has none`() throws {
        try MessageBus.run { address, folder in
            let line = try notifications(address, in: folder)
            #expect(line["status"] as? String == "absent")
            #expect(line["granted"] as? Bool == false)
            #expect(line["evidence"] as? String == "the session bus has no org.freedesktop.Notifications")
        }
    }

    @Test func `a service on the bus is granted`() throws {
        let python = try Tool.python(with: ["dbus": "python3-dbus", "gi": "python3-gi"])
        try MessageBus.run { address, folder in
            let process = try MessageBus.serve(
                """
                name = "org.freedesktop.Notifications"
                class Service(dbus.service.Object):
                    @dbus.service.method(name, in_signature="susssasa{sv}i", out_signature="u")
                    def Notify(self, app, replaced, icon, summary, body, actions, hints, timeout):
                        open("\(folder.path)/shown", "w").close()
                        return 1
                held = dbus.service.BusName(name, bus)
                Service(bus, "/org/freedesktop/Notifications")
                """, by: python, at: address, in: folder)
            defer { process.kill() }
            let line = try notifications(address, in: folder)
            // Access allows it, and nothing is decided yet.
            #expect(line["evidence"] as? String == "org.freedesktop.Notifications is on the session bus")
            #expect(line["status"] as? String == "notDetermined")
            try Data("notifications: allow\n".utf8).write(to: folder.appending(path: "a.yaml"))
            let run = try Program.run(
                [
                    "consent", "--service", "assistance", "--with", "notifications", "--answers",
                    folder.path + "/a.yaml", "--depth", "presence", "--permissions", folder.path + "/g.yaml", "--state",
                    folder.path + "/c.yaml",
                ], environment: ["DBUS_SESSION_BUS_ADDRESS": address])
            #expect(run.output.contains("✓ notifications"))
            #expect(try notifications(address, in: folder)["granted"] as? Bool == true)
            // No notification was shown to find out.
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/shown"))
            // The answer stays when the service ends; the state does not.
            process.kill()
            let gone = try notifications(address, in: folder)
            #expect(gone["accepted"] as? Bool == true && gone["granted"] as? Bool == false)
            #expect(gone["status"] as? String == "absent")
        }
    }

    @Test func `a startable service is granted and is not started`() throws {
        try Tool.withFolder { elsewhere in
            let mark = elsewhere.appending(path: "started").path
            let service = """
                [D-BUS Service]
                Name=org.freedesktop.Notifications
                Exec=/usr/bin/touch \(mark)
                """
            try MessageBus.run(services: ["org.freedesktop.Notifications": service]) { address, folder in
                let line = try notifications(address, in: folder)
                #expect((line["evidence"] as? String)?.contains("starts org.freedesktop.Notifications") == true)
                #expect(!FileManager.default.fileExists(atPath: mark))
            }
        }
    }

    @Test func `without a bus it is unreachable`() throws {
        try Tool.withFolder { folder in
            for address in ["unix:path=\(folder.path)/none", nil] {
                let line = try notifications(address, in: folder)
                #expect(line["status"] as? String == "unreachable")
                #expect(line["remedy"] is String)
            }
        }
    }

    @Test func `a bus that does not answer is unreachable`() throws {
        try Tool.withFolder { folder in
            let path = folder.path + "/mute"
            let listener = try MessageBus.listener(at: path)
            defer { close(listener) }
            let line = try notifications("unix:path=\(path)", in: folder)
            #expect(line["status"] as? String == "unreachable")
            #expect(line["evidence"] as? String == "the session bus does not answer")
        }
    }
}
