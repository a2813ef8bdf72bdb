internal import CSystemd
package import DriverKit
internal import Glibc
internal import Readiness
internal import SystemPackage

/// A transient unit of systemd that has the sandbox of a service which does not run, and in which one process waits.
///
/// The manager gets back its own values of the service's properties. The unit ends with this object, or with this program: the
/// process in it reads from a socket whose other end is here. Nothing is written but lines of the journal; the folders that the
/// service would create, such as its state folder, are left out.
///
/// Source: org.freedesktop.systemd1(5), `StartTransientUnit`; systemd.exec(5); systemd.resource-control(5).
package final class TransientUnit: Sendable {
    /// The name of the unit, such as `rigready-1f2e3d4c.service`.
    package let name: String
    /// The parts of the sandbox that could not be taken over.
    package let omissions: [String]
    private let end: FileDescriptor

    /// The properties that decide what a process may use.
    private static let properties: Set<String> = [
        "AmbientCapabilities", "BPFProgram", "IPEgressFilterPath", "IPIngressFilterPath", "RestrictFileSystems",
        "RestrictNetworkInterfaces", "AppArmorProfile", "BindPaths", "BindReadOnlyPaths", "CapabilityBoundingSet",
        "DeviceAllow",
        "DevicePolicy", "DynamicUser", "ExecPaths", "Group", "IPAddressAllow", "IPAddressDeny", "IPCNamespacePath",
        "InaccessiblePaths", "KeyringMode", "LockPersonality", "MemoryDenyWriteExecute", "MountAPIVFS", "MountFlags",
        "NetworkNamespacePath", "NoExecPaths", "NoNewPrivileges", "PrivateDevices", "PrivateIPC", "PrivateMounts",
        "PrivateNetwork", "PrivateTmp", "PrivateUsers", "ProcSubset", "ProtectClock", "ProtectControlGroups",
        "ProtectHome",
        "ProtectHostname", "ProtectKernelLogs", "ProtectKernelModules", "ProtectKernelTunables", "ProtectProc",
        "ProtectSystem", "ReadOnlyPaths", "ReadWritePaths", "RestrictAddressFamilies", "RestrictNamespaces",
        "RestrictRealtime", "RestrictSUIDSGID", "RootDirectory", "RootImage", "SecureBits", "Slice",
        "SmackProcessLabel", "SupplementaryGroups", "SystemCallArchitectures", "SystemCallErrorNumber",
        "SystemCallFilter",
        "TemporaryFileSystem", "User",
    ]

    private static let waiting = ["/usr/bin/cat", "/bin/cat"]

    /// Starts the unit; throws if systemd does not know the service, or refuses.
    ///
    /// Its process may not have started yet.
    package init(like service: String, until deadline: Instant) throws(DriverError) {
        var ends: [CInt] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw DriverError(errno: .current, subject: "a socket")
        }
        let (own, other) = (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
        let name = "rigready-\(String(UInt32.random(in: .min ... .max), radix: 16)).service"
        let program = Self.waiting.first { unsafe access($0, X_OK) == 0 } ?? Self.waiting[0]
        do throws(DriverError) {
            // sd-bus may block while it connects.
            let result = try Worker.answer(until: deadline) { () -> Result<[String], DriverError> in
                defer { try? other.close() }
                return Result { () throws(DriverError) in
                    try SystemdManager().start(name, like: service, Self.properties, program, input: other.rawValue)
                }
            }
            guard let result else { throw DriverError(.timedOut, subject: service, detail: "systemd does not answer") }
            omissions = try result.get()
        } catch {
            try? own.close()
            throw error
        }
        self.name = name
        end = own
    }

    deinit { try? end.close() }
}

/// The manager of systemd, on the socket that it has for root, as `systemctl` uses it: no bus has to run.
@safe
private final class SystemdManager {
    private static let socket = "/run/systemd/private"
    private static let service = "org.freedesktop.systemd1"
    private static let place = "/org/freedesktop/systemd1"
    private let library: LibSystemd
    private let bus: OpaquePointer

    init() throws(DriverError) {
        library = try LibSystemd()
        var bus: OpaquePointer?
        var status = unsafe library.new(&bus)
        if status >= 0 { status = unsafe library.setAddress(bus, "unix:path=\(Self.socket)") }
        if status >= 0 { status = unsafe library.start(bus) }
        guard status >= 0, let bus = unsafe bus else {
            _ = unsafe library.release(bus)
            let isMissing = status == -ENOENT || status == -ECONNREFUSED
            throw DriverError(
                .refused, errno: Errno(rawValue: -status), subject: Self.socket,
                detail: isMissing ? "systemd does not run on this machine" : "")
        }
        unsafe self.bus = bus
    }

    deinit {
        unsafe library.close(bus)
        _ = unsafe library.release(bus)
    }

    /// Starts a transient unit with the given properties of a service, in which a program waits for the end of its input;
    /// returns what was left out.
    func start(
        _ name: String, like service: String, _ names: Set<String>, _ program: String, input: CInt
    ) throws(DriverError) -> [String] {
        let loaded = try call(Self.place, "\(Self.service).Manager", "LoadUnit") { $0.add("s", service) }
        defer { release(loaded) }
        var path: UnsafePointer<CChar>?
        guard unsafe library.readBasic(loaded.handle, CChar(UInt8(ascii: "o")), &path) > 0, let path = unsafe path
        else { throw malformed(service) }
        let object = unsafe String(cString: path)
        let unit = try properties(of: object, "Unit")
        defer { release(unit.message) }
        let state = unit.values["LoadState"]?.first ?? ""
        guard state == "loaded" else {
            let reason = state == "not-found" ? "there is no such unit" : "systemd has not loaded this unit (\(state))"
            throw DriverError(.refused, errno: .noSuchProcess, subject: service, detail: reason)
        }
        if unit.values["ActiveState"] == ["active"], let name = unit.values["Id"]?.first, name != service {
            throw DriverError(
                .refused, errno: .noSuchProcess, subject: service, detail: "it is another name of \(name), which runs")
        }
        guard service.hasSuffix(".service") else {
            throw DriverError(
                .refused, errno: .noSuchProcess, subject: service, detail: "only a .service has a sandbox")
        }
        let own = try properties(of: object, "Service")
        defer { release(own.message) }
        let copied = own.values.filter { names.contains($0.key) && !Self.isDefault($0.value) }.keys
        let started = try call(Self.place, "\(Self.service).Manager", "StartTransientUnit") { message in
            message.add("s", name)
            message.add("s", "fail")
            message.within("a", "(sv)") {
                message.property("Description", "s") { message.add("s", "the sandbox of \(service)") }
                // Otherwise it would start the targets of the system.
                message.property("DefaultDependencies", "b") { message.add("b", number: 0) }
                message.property("Type", "s") { message.add("s", "exec") }
                message.property("CollectMode", "s") { message.add("s", "inactive-or-failed") }
                message.property("StandardOutput", "s") { message.add("s", "null") }
                message.property("StandardInputFileDescriptor", "h") { message.add("h", number: input) }
                message.property("ExecStart", "a(sasb)") {
                    message.within("a", "(sasb)") {
                        message.within("r", "sasb") {
                            message.add("s", program)
                            message.within("a", "s") { message.add("s", program) }
                            message.add("b", number: 0)
                        }
                    }
                }
                message.addProperties(Set(copied), from: own.message)
            }
            message.within("a", "(sa(sv))") {}
        }
        release(started)
        return Self.omissions(own.values, unit.values)
    }

    /// Whether a property has its default: an empty text or list, also behind the flag that says how a list is meant.
    private static func isDefault(_ values: [String]) -> Bool {
        values == [""] || values.count == 2 && values[1].isEmpty && ["true", "false"].contains(values[0])
    }

    /// What restricts a service and is not taken over.
    private static func omissions(_ service: [String: [String]], _ unit: [String: [String]]) -> [String] {
        var omissions: [String] = []
        if service["RestrictAddressFamilies"] == ["true", ""] {
            omissions.append("the setting RestrictAddressFamilies=none")
        }
        // Of SELinuxContext the manager reads another type than it returns.
        let settings = [
            "ExtensionDirectories", "ExtensionImages", "MountImages", "PAMName", "SELinuxContext", "UserNamespacePath",
        ]
        for name in settings where service[name].map(isDefault) == false { omissions.append("the setting \(name)=") }
        if unit["JoinsNamespaceOf"].map(isDefault) == false { omissions.append("the setting JoinsNamespaceOf=") }
        // Its program runs without a part of the sandbox, or an argument looks like that.
        if let words = service["ExecStartEx"], words.contains(where: ["privileged", "no-setuid", "ambient"].contains) {
            omissions.append("the prefix of ExecStart=")
        }
        return omissions
    }

    // MARK: Calls

    /// The properties of an object's interface as texts, and the message that has them.
    private func properties(
        of object: String, _ interface: String
    ) throws(DriverError) -> (message: BusMessage, values: [String: [String]]) {
        let reply = try call(object, "org.freedesktop.DBus.Properties", "GetAll") {
            $0.add("s", "\(Self.service).\(interface)")
        }
        var reader = BusMessageReader(library: library, message: reply, call: BusCall("", "", ""))
        guard reader.read() else {
            release(reply)
            throw malformed(object)
        }
        let values = reader.values.reduce(into: [String: [String]]()) {
            $0[$1.keys.first ?? "", default: []].append($1.text)
        }
        return (reply, values)
    }

    private func call(
        _ object: String, _ interface: String, _ method: String, _ fill: (MessageWriter) -> Void
    ) throws(DriverError) -> BusMessage {
        var message: OpaquePointer?
        var status = unsafe library.newCall(bus, &message, Self.service, object, interface, method)
        defer { _ = unsafe library.releaseMessage(message) }
        if status >= 0, let handle = unsafe message {
            let writer = unsafe MessageWriter(library, BusMessage(handle: handle))
            fill(writer)
            status = writer.status
        }
        guard status >= 0 else { throw DriverError(errno: Errno(rawValue: -status), subject: method) }
        var error = unsafe sd_bus_error()
        defer { unsafe library.freeError(&error) }
        var reply: OpaquePointer?
        status = unsafe library.call(bus, message, 0, &error, &reply)
        guard status >= 0, let reply = unsafe reply else {
            let text = unsafe error.message.flatMap {
                unsafe PeerText.line(Array(String(cString: $0).utf8), limit: 160)
            }
            throw DriverError(.refused, errno: Errno(rawValue: -status), subject: "systemd", detail: text ?? "")
        }
        return unsafe BusMessage(handle: reply)
    }

    private func release(_ message: BusMessage) { _ = unsafe library.releaseMessage(message.handle) }

    private func malformed(_ subject: String) -> DriverError {
        DriverError(.malformed, subject: subject, detail: "systemd's answer cannot be read")
    }
}

/// Writes a message part by part, and nothing after the first failure.
@safe
private final class MessageWriter {
    private let library: LibSystemd
    private let message: BusMessage
    /// A negative error number of sd-bus after a failure.
    private(set) var status: CInt = 0

    init(_ library: LibSystemd, _ message: BusMessage) {
        self.library = library
        self.message = message
    }

    /// Adds a text of the type `s`.
    func add(_ type: Unicode.Scalar, _ text: String) {
        guard status >= 0 else { return }
        status = unsafe text.withCString { unsafe library.append(message.handle, code(type), $0) }
    }

    /// Adds a value of the type `b` or `h`.
    func add(_ type: Unicode.Scalar, number: CInt) {
        guard status >= 0 else { return }
        var number = number
        status = unsafe library.append(message.handle, code(type), &number)
    }

    /// Adds a container of the kind `a`, `r` or `v`.
    func within(_ kind: Unicode.Scalar, _ contents: String, _ fill: () -> Void) {
        guard status >= 0 else { return }
        status = unsafe library.openContainer(message.handle, code(kind), contents)
        fill()
        if status >= 0 { status = unsafe library.closeContainer(message.handle) }
    }

    /// Adds a property as its name and a variant.
    func property(_ name: String, _ type: String, _ fill: () -> Void) {
        within("r", "sv") {
            add("s", name)
            within("v", type, fill)
        }
    }

    /// Adds properties of an answer of the type `a{sv}`, which has been read.
    func addProperties(_ names: Set<String>, from source: BusMessage) {
        guard status >= 0 else { return }
        status = unsafe library.rewind(source.handle, 1)
        if status >= 0 { status = unsafe library.enter(source.handle, code("a"), "{sv}") }
        while status >= 0 {
            status = unsafe library.enter(source.handle, code("e"), "sv")
            var name: UnsafePointer<CChar>?
            guard status > 0 else { return }
            status = unsafe library.readBasic(source.handle, code("s"), &name)
            guard status >= 0, let text = unsafe name.map({ unsafe String(cString: $0) }) else { return }
            if names.contains(text) {
                within("r", "sv") {
                    add("s", text)
                    if status >= 0 { status = unsafe library.copy(message.handle, source.handle, 0) }
                }
            } else {
                status = unsafe library.skip(source.handle, "v")
            }
            if status >= 0 { status = unsafe library.exit(source.handle) }
        }
    }

    private func code(_ type: Unicode.Scalar) -> CChar { CChar(UInt8(ascii: type)) }
}
