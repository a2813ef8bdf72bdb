import Foundation
import Support
import Testing

/// A real D-Bus daemon of a test, and services on it.
enum MessageBus {
    /// A private bus, with folders of services that it may start and further rules of its policy; ended with the body.
    static func run(
        services: [String: String] = [:], rules: String = "", _ body: (_ address: String, _ folder: URL) throws -> Void
    ) throws {
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
                \(rules)
                </busconfig>
                """.utf8
            ).write(to: configuration)
            let process = try ChildProcess([daemon, "--config-file=\(configuration.path)", "--nofork", "--nopidfile"])
            defer { process.kill() }
            try wait { FileManager.default.fileExists(atPath: folder.path + "/bus") }
            try body("unix:path=\(folder.path)/bus", folder)
        }
    }

    /// Runs a service in Python, to whose `bus` the script adds objects; returns once it is ready.
    static func serve(
        _ script: String, by python: String, at address: String, in folder: URL
    ) throws -> ChildProcess {
        let ready = folder.appending(path: "ready-\(UUID().uuidString)").path
        let file = folder.appending(path: "service-\(UUID().uuidString).py")
        try Data(
            """
            import dbus, dbus.service, dbus.mainloop.glib
            from gi.repository import GLib
            dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
            bus = dbus.bus.BusConnection("\(address)")
            \(script)
            open("\(ready)", "w").close()
            GLib.MainLoop().run()
            """.utf8
        ).write(to: file)
        let process = try ChildProcess(
            [python, file.path], environment: Tool.environment, errors: .file("\(file.path).complaints"))
        try wait { FileManager.default.fileExists(atPath: ready) }
        return process
    }

    /// Waits for what a started program has to do first; a guard against hanging, not a measurement.
    static func wait(until isDone: () throws -> Bool) throws {
        let deadline = Date(timeIntervalSinceNow: 30)
        while try !isDone() {
            guard Date() < deadline else { throw Program.CommandFailure(description: "nothing came for half a minute") }
            usleep(5000)
        }
    }

    /// A socket that takes connections and does nothing with them.
    static func listener(at path: String) throws -> CInt {
        let listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        try #require(listener >= 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        try #require(path.utf8.count < 100)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let bound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0 && listen(listener, 64) == 0)
        return listener
    }
}
