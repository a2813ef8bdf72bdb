import Foundation
import Testing

/// Notifications against a real session bus.
@Suite struct SessionBusTests {
    /// A private session bus, with folders of services that it may start; ended with the body.
    private func withBus(services: [String: String] = [:], _ body: (_ address: String, _ folder: URL) throws -> Void)
        throws
    {
        let daemon = try Tool.path("dbus-daemon", package: "dbus-daemon")
        try Tool.withFolder { folder in
            let started = folder.appending(path: "services")
            try FileManager.default.createDirectory(at: started, withIntermediateDirectories: true)
            for (name, text) in services {
                try Data(text.utf8).write(to: started.appending(path: "\(name).service"))
            }
            let configuration = folder.appending(path: "bus.conf")
            try Data(
                """
                <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
                 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
                <busconfig><type>session</type><listen>unix:path=\(folder.path)/bus</listen>
                <servicedir>\(started.path)</servicedir>
                <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy>
                </busconfig>
                """.utf8
            ).write(to: configuration)
            let process = Process()
            process.executableURL = URL(filePath: daemon)
            process.arguments = ["--config-file=\(configuration.path)", "--nofork", "--nopidfile"]
            process.standardError = FileHandle.nullDevice
            try process.run()
            defer { Self.end(process) }
            try Self.wait { FileManager.default.fileExists(atPath: folder.path + "/bus") }
            try body("unix:path=\(folder.path)/bus", folder)
        }
    }

    /// Waits for what a started program has to do first; a guard against hanging, not a measurement.
    private static func wait(until isDone: () throws -> Bool) throws {
        let deadline = Date(timeIntervalSinceNow: 30)
        while try !isDone() {
            guard Date() < deadline else { throw Program.CommandFailure(description: "nothing came for half a minute") }
            usleep(5000)
        }
    }

    /// Ends a program; by SIGKILL, since it inherits blocked signals.
    private static func end(_ process: Process) {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

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
        try withBus { address, folder in
            let line = try notifications(address, in: folder)
            #expect(line["status"] as? String == "absent")
            #expect(line["granted"] as? Bool == false)
            #expect(line["evidence"] as? String == "the session bus has no org.freedesktop.Notifications")
        }
    }

    @Test func `a service on the bus is granted`() throws {
        let python = try Tool.python(with: ["dbus": "python3-dbus", "gi": "python3-gi"])
        try withBus { address, folder in
            let service = folder.appending(path: "service.py")
            try Data(
                """
                import dbus, dbus.service, dbus.mainloop.glib
                from gi.repository import GLib
                dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
                name = "org.freedesktop.Notifications"
                class Service(dbus.service.Object):
                    @dbus.service.method(name, in_signature="susssasa{sv}i", out_signature="u")
                    def Notify(self, app, replaced, icon, summary, body, actions, hints, timeout):
                        open("\(folder.path)/shown", "w").close()
                        return 1
                bus = dbus.SessionBus()
                held = dbus.service.BusName(name, bus)
                Service(bus, "/org/freedesktop/Notifications")
                open("\(folder.path)/ready", "w").close()
                GLib.MainLoop().run()
                """.utf8
            ).write(to: service)
            let process = Process()
            process.executableURL = URL(filePath: python)
            process.arguments = [service.path]
            process.environment = Tool.environment.merging(["DBUS_SESSION_BUS_ADDRESS": address]) { $1 }
            try process.run()
            defer { Self.end(process) }
            try Self.wait { FileManager.default.fileExists(atPath: folder.path + "/ready") }
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
            Self.end(process)
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
            try withBus(services: ["org.freedesktop.Notifications": service]) { address, folder in
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
            let listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
            try #require(listener >= 0)
            defer { close(listener) }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            try #require(path.utf8.count < 100)
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
            let bound = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(bound == 0 && listen(listener, 8) == 0)
            let line = try notifications("unix:path=\(path)", in: folder)
            #expect(line["status"] as? String == "unreachable")
            #expect(line["evidence"] as? String == "the session bus does not answer")
        }
    }
}
