import Foundation
import Support
import Testing

/// What bluetoothd and ModemManager say on a real system bus; the services are stand-ins with the real ones' objects.
@Suite(.timeLimit(.minutes(10))) struct SystemBusTests {
    /// A service with objects, whose properties a bus types as Python's dbus module does.
    static func objects(_ name: String, at root: String, _ objects: String, other: String = "") -> String {
        """
        name = "\(name)"
        objects = \(objects)
        class Service(dbus.service.Object):
            @dbus.service.method("org.freedesktop.DBus.ObjectManager", out_signature="a{oa{sa{sv}}}")
            def GetManagedObjects(self):
                return objects
        \(other)
        held = dbus.service.BusName(name, bus)
        service = Service(bus, "\(root)")
        """
    }

    static func adapter(_ index: Int, powered: Bool, state: String? = nil, alias: String = "bench") -> String {
        let more = state.map { ", \"PowerState\": \"\($0)\"" } ?? ""
        return """
            "/org/bluez/hci\(index)": {"org.bluez.Adapter1": {"Address": "00:AA:01:00:00:0\(index)", \
            "Alias": "\(alias)", "Powered": \(powered ? "True" : "False"), "UUIDs": ["1", "2"]\(more)}}
            """
    }

    /// The program in a network namespace of its own, where there are no Bluetooth sockets.
    static func apart(
        _ arguments: [String] = [], bus: String, within seconds: Double = 30
    ) throws -> Tool.Run {
        let unshare = try Tool.path("unshare", package: "util-linux")
        let program = [Program.url.path, "--format", "json", "--timeout", "4"] + arguments
        let namespace = getuid() == 0 ? ["--net"] : ["--net", "--map-root-user"]
        guard try Tool.run(unshare, namespace + ["true"]).status == 0 else { try Test.cancel("needs namespaces") }
        return try Tool.run(
            unshare, namespace + ["--"] + program, environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus], limit: seconds)
    }

    static func requirement(_ id: String, of run: Tool.Run) throws -> [String: Any] {
        let all = try #require(try run.document()["requirements"] as? [[String: Any]])
        return try #require(all.first { $0["id"] as? String == id })
    }

    private static func remedies(_ requirement: [String: Any]) -> String {
        ((requirement["remedies"] as? [[String: Any]]) ?? []).compactMap { $0["text"] as? String }
            .joined(separator: "; ")
    }

    static var python: String {
        get throws { try Tool.python(with: ["dbus": "python3-dbus", "gi": "python3-gi"]) }
    }

    // MARK: bluetoothd

    @Test(arguments: [
        ("[on, off]", true, nil as String?, "met", nil as String?), ("off", false, nil, "unmet", "poweredOff"),
        ("blocked", false, "off-blocked", "unmet", "softBlocked"),
    ])
    func `bluetoothd tells where there are no sockets`(
        name: String, powered: Bool, state: String?, status: String, cause: String?
    ) throws {
        let python = try Self.python
        try MessageBus.run { address, folder in
            var adapters = [Self.adapter(0, powered: powered, state: state)]
            if powered { adapters.append(Self.adapter(1, powered: false)) }
            let device = #""/org/bluez/hci0/dev_11": {"org.bluez.Device1": {"Address": "11:22:33:44:55:66"}}"#
            let script = Self.objects("org.bluez", at: "/", "{\((adapters + [device]).joined(separator: ", "))}")
            let service = try MessageBus.serve(script, by: python, at: address, in: folder)
            defer { service.kill() }
            let run = try Self.apart(bus: address)
            let bluetooth = try Self.requirement("bluetooth", of: run)
            #expect(bluetooth["standing"] as? String == status, "\(run.output)")
            #expect(bluetooth["cause"] as? String == cause)
            let sensors = try #require(try run.document()["sensors"] as? [[String: Any]])
                .filter { $0["kind"] as? String == "bluetoothAdapter" }
            #expect(sensors.map { $0["key"] as? String }.first == "00:AA:01:00:00:00")
            #expect(sensors.count == adapters.count)
            let drivers = try #require(try run.document()["drivers"] as? [[String: Any]])
            let own = try #require(drivers.first { $0["name"] as? String == "bluetooth" })
            #expect((own["detail"] as? String)?.contains("asked through BlueZ on the system bus") == true)
            // Nobody else's devices.
            #expect(!run.output.contains("11:22:33"))
        }
    }

    @Test func `a recording holds what bluetoothd said of its controllers and nothing else`() throws {
        let python = try Self.python
        try MessageBus.run { address, folder in
            let device = #""/org/bluez/hci0/dev_11": {"org.bluez.Device1": {"Address": "11:22:33:44:55:66"}}"#
            let script = Self.objects(
                "org.bluez", at: "/", "{\(Self.adapter(0, powered: true, alias: "anna's rig")), \(device)}")
            let service = try MessageBus.serve(script, by: python, at: address, in: folder)
            defer { service.kill() }
            let file = folder.appending(path: "rig.jsonl").path
            let unshare = try Tool.path("unshare", package: "util-linux")
            let namespace = getuid() == 0 ? ["--net"] : ["--net", "--map-root-user"]
            for option in [[], ["--anonymize"]] {
                let made = try Tool.run(
                    unshare, namespace + ["--", Program.url.path, "record", file] + option,
                    environment: ["DBUS_SYSTEM_BUS_ADDRESS": address])
                try #require(made.status == 0, "\(made.complaints)")
                let text = try String(contentsOfFile: file, encoding: .utf8)
                #expect(!text.contains("11:22:33"))
                #expect(text.contains("anna's rig") == option.isEmpty)
                #expect(text.contains("00:AA:01:00:00:00") == option.isEmpty)
                let replay = try Program.run("--rig", file, "--format", "json")
                let bluetooth = try Self.requirement("bluetooth", of: replay)
                #expect(bluetooth["standing"] as? String == "met", "\(replay.output)")
            }
        }
    }

    @Test func `without a bus, the missing mount is told`() throws {
        try Tool.withFolder { folder in
            let run = try Self.apart(bus: "unix:path=\(folder.path)/none")
            let bluetooth = try Self.requirement("bluetooth", of: run)
            #expect(bluetooth["standing"] as? String == "unknown", "\(bluetooth)")
            #expect(Self.remedies(bluetooth).contains("/run/dbus/system_bus_socket"))
        }
    }

    @Test func `a bus without bluetoothd is told, and bluetoothd is not started`() throws {
        try Tool.withFolder { elsewhere in
            let mark = elsewhere.appending(path: "started").path
            let service = "[D-BUS Service]\nName=org.bluez\nExec=/usr/bin/touch \(mark)\n"
            try MessageBus.run(services: ["org.bluez": service]) { address, _ in
                let bluetooth = try Self.requirement("bluetooth", of: try Self.apart(bus: address))
                #expect(bluetooth["standing"] as? String == "unknown", "\(bluetooth)")
                let remedies = Self.remedies(bluetooth)
                #expect(remedies.contains("bluetooth") || remedies.contains("install bluez"), "\(remedies)")
                #expect(!FileManager.default.fileExists(atPath: mark))
            }
        }
    }

    @Test func `a bus that accepts and says nothing leaves it unknown, in time`() throws {
        try Tool.withFolder { folder in
            let path = folder.path + "/mute"
            let listener = try MessageBus.listener(at: path)
            defer { close(listener) }
            let bluetooth = try Self.requirement("bluetooth", of: try Self.apart(bus: "unix:path=\(path)"))
            #expect(bluetooth["standing"] as? String == "unknown", "\(bluetooth)")
            #expect((bluetooth["detail"] as? String)?.contains("no answer before the deadline") == true)
        }
    }

    @Test(.waits) func `a bluetoothd that hangs leaves it unknown, in time`() throws {
        let python = try Self.python
        try MessageBus.run { address, folder in
            let service = try MessageBus.serve(
                Self.objects("org.bluez", at: "/", "{}"), by: python, at: address, in: folder)
            defer { service.kill() }
            service.send(SIGSTOP)
            let bluetooth = try Self.requirement("bluetooth", of: try Self.apart(bus: address))
            #expect(bluetooth["standing"] as? String == "unknown", "\(bluetooth)")
        }
    }

    @Test(arguments: [
        ("an answer of three megabytes", #"{"/org/bluez/hci0": {"org.bluez.Adapter1": {"Alias": "x" * 3000000}}}"#),
        ("an answer of thirty megabytes", #"{"/org/bluez/hci0": {"org.bluez.Adapter1": {"Alias": "x" * 30000000}}}"#),
        (
            "a hundred thousand controllers",
            #"{"/org/bluez/hci%d" % n: {"org.bluez.Adapter1": {"Powered": True}} for n in range(100000)}"#
        ),
        ("other types", #"{"/org/bluez/hci0": {"org.bluez.Adapter1": {"Powered": "yes", "Address": dbus.UInt64(7)}}}"#),
        (
            "a name for a terminal",
            #"{"/org/bluez/hci0": {"org.bluez.Adapter1": {"Address": "00:AA:01:00:00:00", "Powered": True, "Alias": "\x1b[2J\n\tx"}}}"#
        ),
        ("no controllers", "{}"), ("an error", "(_ for _ in ()).throw(Exception('no'))"),
    ])
    func `a hostile bluetoothd costs its own line`(name: String, objects: String) throws {
        let python = try Self.python
        try MessageBus.run { address, folder in
            let script = Self.objects("org.bluez", at: "/", "{}")
                .replacing("return objects", with: "return \(objects)")
            let service = try MessageBus.serve(script, by: python, at: address, in: folder)
            defer { service.kill() }
            let run = try Self.apart(bus: address)
            #expect([1, 2].contains(run.status), "\(run.complaints)")
            let bluetooth = try Self.requirement("bluetooth", of: run)
            let isTerminal = name.hasSuffix("terminal")
            #expect((bluetooth["standing"] as? String == "met") == isTerminal, "\(bluetooth)")
            #expect(!run.output.contains("\u{1b}") && !run.output.contains("\\u001b"))
        }
    }

    @Test(arguments: ["AUTH\r\n", "OK 0123\r\n", "REJECTED\r\n", "l\u{2}\u{1}\u{1}", ""])
    func `what is no bus leaves it unknown`(said: String) throws {
        try Tool.withFolder { folder in
            let path = folder.path + "/other"
            let listener = try MessageBus.listener(at: path)
            defer { close(listener) }
            let bytes = Array(String(repeating: said, count: 1000).utf8)
            let thread = Thread {
                while true {
                    let peer = accept(listener, nil, nil)
                    guard peer >= 0 else { return }
                    if !bytes.isEmpty { _ = unsafe send(peer, bytes, bytes.count, CInt(MSG_NOSIGNAL)) }
                    close(peer)
                }
            }
            thread.start()
            let run = try Self.apart(bus: "unix:path=\(path)")
            shutdown(listener, CInt(SHUT_RDWR))
            let bluetooth = try Self.requirement("bluetooth", of: run)
            #expect(bluetooth["standing"] as? String == "unknown", "\(bluetooth)")
        }
    }

    @Test func `a watch follows bluetoothd's signals, and its end`() throws {
        let python = try Self.python
        try MessageBus.run { address, folder in
            let mark = folder.appending(path: "off").path
            let toggle = """
                    @dbus.service.signal("org.freedesktop.DBus.Properties", signature="sa{sv}as")
                    def PropertiesChanged(self, interface, changed, gone):
                        pass
                import os
                def toggle():
                    if os.path.exists("\(mark)"):
                        objects["/org/bluez/hci0"]["org.bluez.Adapter1"]["Powered"] = False
                        service.PropertiesChanged("org.bluez.Adapter1", {"Powered": False}, [])
                        return False
                    return True
                GLib.timeout_add(20, toggle)
                """
            let script = Self.objects(
                "org.bluez", at: "/", "{\(Self.adapter(0, powered: true))}", other: toggle)
            let service = try MessageBus.serve(script, by: python, at: address, in: folder)
            defer { service.kill() }
            let unshare = try Tool.path("unshare", package: "util-linux")
            let namespace = getuid() == 0 ? ["--net"] : ["--net", "--map-root-user"]
            let words = ["watch", "--format", "json", "--depth", "state", "--gpsd", "127.0.0.1:1"]
            let watch = try RunningProgram(
                namespace + ["--", Program.url.path] + words, program: unshare, named: "watch",
                environment: ["DBUS_SYSTEM_BUS_ADDRESS": address], in: folder)
            func last() -> String { watch.text.split(separator: "\n").last.map(String.init) ?? "" }
            try MessageBus.wait { last().contains(#""state":"poweredOn""#) }
            // Until the program listens, a signal may come too early: what it finds then is the same.
            _ = FileManager.default.createFile(atPath: mark, contents: nil)
            try MessageBus.wait { last().contains(#""state":"poweredOff""#) }
            service.kill()
            try MessageBus.wait { last().contains("no program owns org.bluez") }
            watch.end(SIGTERM)
        }
    }

    // MARK: ModemManager

    /// A machine with a modem, and no gpsd.
    private static func modem(
        _ capabilities: Int, enabled: Int, state: Int = 8, location: String = "{}", python: String,
        _ arguments: [String] = [], _ body: (Tool.Run) throws -> Void
    ) throws {
        try MessageBus.run { address, folder in
            let sysfs = folder.appending(path: "sys")
            let device = "devices/pci0000:00/0000:00:1c.0/0000:01:00.0"
            for place in ["class/wwan", "\(device)/wwan/wwan0", "bus"] {
                try FileManager.default.createDirectory(
                    at: sysfs.appending(path: place), withIntermediateDirectories: true)
            }
            try FileManager.default.createSymbolicLink(
                atPath: sysfs.path + "/class/wwan/wwan0", withDestinationPath: "../../\(device)/wwan/wwan0")
            let interfaces =
                capabilities < 0
                ? ""
                : """
                , "org.freedesktop.ModemManager1.Modem.Location": {"Capabilities": dbus.UInt32(\(capabilities)), \
                "Enabled": dbus.UInt32(\(enabled)), "SignalsLocation": False}
                """
            let objects = """
                {"/org/freedesktop/ModemManager1/Modem/0": {"org.freedesktop.ModemManager1.Modem": {"Manufacturer": \
                "QUALCOMM", "Model": "EM7565", "State": dbus.Int32(\(state)), "EquipmentIdentifier": "350000000000000", \
                "OwnNumbers": ["+49170"], "Device": "/sys/\(device)"}\(interfaces)}}
                """
            let receiver = """
                calls = [0]
                class Modem(dbus.service.Object):
                    @dbus.service.method("org.freedesktop.ModemManager1.Modem.Location", out_signature="a{uv}")
                    def GetLocation(self):
                        calls[0] += 1
                        return \(location)
                modem = Modem(bus, "/org/freedesktop/ModemManager1/Modem/0")
                """
            let script =
                Self.objects("org.freedesktop.ModemManager1", at: "/org/freedesktop/ModemManager1", objects) + "\n"
                + receiver
            let service = try MessageBus.serve(script, by: python, at: address, in: folder)
            defer { service.kill() }
            // A port that nothing listens on.
            try body(
                try Self.apart(["--gpsd", "127.0.0.1:2947", "--sysfs", sysfs.path] + arguments, bus: address))
        }
    }

    private static let position = """
        {dbus.UInt32(1): "262,02F8,0001", dbus.UInt32(2): dbus.Dictionary({"utc-time": "1628%02d.000" % (calls[0] % 60), \
        "latitude": 48.14, "longitude": 11.58, "altitude": 519.0}, signature="sv")}
        """

    @Test func `a receiver in a modem that is not switched on is inactive`() throws {
        try Self.modem(0b111, enabled: 1, python: try Self.python) { run in
            let location = try Self.requirement("location", of: run)
            #expect(location["cause"] as? String == "inactive", "\(run.output)")
            // The program is root here, where sudo is left out.
            #expect(Self.remedies(location) == "mmcli -m 0 --location-enable-gps-raw --location-enable-gps-nmea")
            // Nothing of the subscriber.
            #expect(!run.output.contains("350000000000000") && !run.output.contains("+49170"))
        }
        try Self.modem(0b111, enabled: 0, state: 3, python: try Self.python) { run in
            let location = try Self.requirement("location", of: run)
            #expect(Self.remedies(location).hasPrefix("mmcli -m 0 --enable && "))
        }
    }

    @Test func `ModemManager's fix is read where it is the only source`() throws {
        try Self.modem(0b111, enabled: 0b111, location: Self.position, python: try Self.python) { run in
            let location = try Self.requirement("location", of: run)
            #expect(location["standing"] as? String == "met", "\(run.output)")
            let sensors = try #require(try run.document()["sensors"] as? [[String: Any]])
            let receiver = try #require(sensors.first { $0["kind"] as? String == "locationReceiver" })
            #expect(receiver["key"] as? String == "pci0000:00/0000:00:1c.0/0000:01:00.0")
            #expect(receiver["name"] as? String == "QUALCOMM EM7565")
            let reading = try #require(receiver["reading"] as? [String: Any])
            #expect(reading["fix"] as? String == "3D" && reading["latitude"] as? Double == 48.14)
            #expect(!run.output.contains("02F8"))
        }
    }

    /// An answer of ModemManager's with these values of a position.
    private static func raw(_ values: String) -> String {
        "{dbus.UInt32(2): dbus.Dictionary({\(values)}, signature=\"sv\")}"
    }

    private static let refusal = """
        (_ for _ in ()).throw(dbus.DBusException("no", name="org.freedesktop.ModemManager1.Error.Core.Unauthorized"))
        """

    @Test(arguments: [
        ("{}", "unmet", "noFix"),
        (raw(#""utc-time": "162853.000", "latitude": 1.0, "longitude": 2.0"#), "unknown", "indeterminate"),
        (raw(#""latitude": 1.0, "longitude": 2.0"#), "unknown", "indeterminate"),
        (raw(#""latitude": 1e300, "longitude": float("nan")"#), "unmet", "noFix"),
        (refusal, "unmet", "denied"),
    ])
    func `a position that is missing, old, impossible or refused is told as that`(
        location: String, status: String, cause: String
    ) throws {
        try Self.modem(0b111, enabled: 0b111, location: location, python: try Self.python) { run in
            let location = try Self.requirement("location", of: run)
            #expect(location["standing"] as? String == status, "\(run.output)")
            #expect(location["cause"] as? String == cause)
        }
    }

    @Test func `a modem that is locked leaves it unknown, and one without a receiver is none`() throws {
        try Self.modem(-1, enabled: 0, state: 2, python: try Self.python) { run in
            let location = try Self.requirement("location", of: run)
            #expect(location["standing"] as? String == "unknown", "\(run.output)")
            #expect((location["detail"] as? String)?.contains("locked") == true)
        }
        try Self.modem(1, enabled: 1, python: try Self.python) { run in
            let location = try Self.requirement("location", of: run)
            #expect(location["cause"] as? String == "unreachable", "\(run.output)")
        }
    }

    @Test func `at depth state ModemManager's receiver is met, and its position is not asked for`() throws {
        let refusal = "(_ for _ in ()).throw(Exception('asked'))"
        try Self.modem(
            0b111, enabled: 0b111, location: refusal, python: try Self.python, ["--depth", "state"]
        ) { run in
            let location = try Self.requirement("location", of: run)
            #expect(location["standing"] as? String == "met", "\(run.output)")
        }
    }
}
