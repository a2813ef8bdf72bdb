import Linux
package import LocalRig
package import DriverKit
internal import Glibc
internal import Readiness
package import PhoneKit
internal import Synchronization
package import SystemPackage

/// A live rig with its own files in a temporary folder, and drivers that a test chooses.
package final class TestRig: Sendable {
    /// The rig under test.
    package let rig: PhoneRig
    /// The folder of its files: `permissions.yaml`, `policy.yaml`, `config.yaml`, and `sessions` if it has some.
    package let folder: String
    /// The complaints so far.
    package var complaints: [String] { told.withLock { $0 } }
    /// Its state; its files exist until this is read.
    package var state: PhoneState { withExtendedLifetime(self) { rig.state } }
    private let told: Told

    private final class Told: Sendable {
        let lines = Mutex<[String]>([])
        func withLock<Result>(_ body: (inout sending [String]) -> sending Result) -> Result { lines.withLock(body) }
    }

    /// The purposes of every permission, as a configuration.
    package static let purposes = """
        purposes:
          location: To recognise trips.
          backgroundLocation: To recognise trips while nobody looks.
          motion: To tell walking from driving.
          bluetooth: To find the car.
          health: To count the steps of a walk.
          preciseLocation:
            directions: To show the way.
        """

    /// Drivers of a rig whose operating system allows everything: two services, an accelerometer and a step counter.
    package static var openDrivers: [any Driver] {
        let evidence = Evidence(said: "the test allows it")
        let services = [("gpsd", SensorKind.locationReceiver), ("bluetooth", .bluetoothAdapter)].map { name, kind in
            StagedDriver(name, [kind], Enumeration(access: .readable, accessEvidence: evidence))
        }
        let sensors = [SensorKind.accelerometer, .stepCounter].map { kind in
            SensorCandidate(
                Sensor(
                    key: "open", kind: kind, name: "chip", driver: "iio", access: .readable, accessEvidence: evidence,
                    evidence: [evidence]),
                isOpen: false)
        }
        return services + [StagedDriver("iio", [.accelerometer, .stepCounter], Enumeration(candidates: sensors))]
    }

    /// Creates a rig; the texts are files' contents, nil for a missing one.
    ///
    /// `session` is the process's login session, and `sessions` contains the sessions' texts by name; without any, no
    /// sessions are kept.
    package init(
        grants: String? = nil, policy: String? = nil, configuration: String? = TestRig.purposes,
        session: String? = nil, sessions: [String: String]? = nil, drivers: [any Driver] = TestRig.openDrivers,
        world: any World = NoWorld(), gpsd: HostPort = HostPort(host: "127.0.0.1", port: 1),
        prompter: any Prompter = FixedPrompter(.allow)
    ) throws {
        var template = Array("/tmp/rig-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.folder = folder
        for (name, text) in [("permissions", grants), ("policy", policy), ("config", configuration)] {
            if let text { try Self.write(text, to: "\(folder)/\(name).yaml") }
        }
        if let sessions {
            for name in ["sessions", "system"] { _ = unsafe mkdir("\(folder)/\(name)", 0o700) }
            for (name, text) in sessions { try Self.write(text, to: "\(folder)/sessions/\(name)") }
        }
        let told = Told()
        self.told = told
        var options = LocalRig.Options()
        options.grantFile = "\(folder)/permissions.yaml"
        options.policyFile = "\(folder)/policy.yaml"
        options.configurationFile = "\(folder)/config.yaml"
        options.probe = Probe(drivers.map { DriverBinding($0, in: world) })
        rig = PhoneRig(
            PhoneSettings(
                options, login: LoginSession(session, in: FilePath("\(folder)/sessions")), world: world, gpsd: gpsd,
                prompter: prompter, complain: { line in told.withLock { $0.append(line) } }))
    }

    deinit {
        rig.end()
        for name in ["sessions/3", "sessions/4", "sessions", "system"] { _ = unsafe remove("\(folder)/\(name)") }
        for name in ["permissions.yaml", "policy.yaml", "config.yaml"] {
            for ending in ["", ".lock", ".dialog"] { _ = unsafe remove("\(folder)/\(name)\(ending)") }
        }
        _ = unsafe remove(folder)
    }

    /// Runs something on this rig, like a program that was started on it.
    package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try PhoneRig.$substitute.withValue(rig, operation: body)
    }

    /// Replaces a file of the rig, as an editor or another program does.
    package func write(_ text: String, to file: String) throws {
        try Self.write(text, to: "\(folder)/.new")
        guard unsafe rename("\(folder)/.new", "\(folder)/\(file)") == 0 else { throw Errno(rawValue: errno) }
    }

    /// The contents of a file of the rig; empty if there is none.
    package func text(of file: String) -> String {
        guard let bytes = try? BoundedFile.read(FilePath("\(folder)/\(file)"), limit: 1 << 20) else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func write(_ text: String, to path: String) throws {
        let file = try FileDescriptor.open(
            FilePath(path), .writeOnly, options: [.create, .truncate], permissions: .init(rawValue: 0o600))
        try file.closeAfter { _ = try file.writeAll(Array(text.utf8)) }
    }
}

/// An empty world.
package struct NoWorld: World {
    /// Creates an empty world.
    package init() {}
    /// The account of this process.
    package func account() throws(DriverError) -> Account { .current }
    /// The live clock.
    package func now() -> Instant { .now }
    /// Lists no devices.
    package func devices(in subsystem: String) throws(DriverError) -> [FilePath] { [] }
    /// Lists no modules.
    package func modules(for alias: String) throws(DriverError) -> [String] { [] }
    /// Lists no entries.
    package func entries(of folder: FilePath) throws(DriverError) -> [String] { throw absent(folder.string) }
    /// Reads no files.
    package func contents(of file: FilePath, limit: Int) throws(DriverError) -> [UInt8] { throw absent(file.string) }
    /// Has no nodes.
    package func status(of node: FilePath) throws(DriverError) -> NodeStatus { throw absent(node.string) }
    /// Refuses every connection.
    package func channel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> any Channel {
        throw DriverError(errno: .connectionRefused, subject: endpoint.description)
    }

    private func absent(_ path: String) -> DriverError { DriverError(errno: .noSuchFileOrDirectory, subject: path) }
}

/// The asynchronous counterpart of `TestRig.run`.
package struct LiveRigScope: Sendable {
    private let test: TestRig

    /// Creates the scope of a rig.
    package init(_ test: TestRig) { self.test = test }

    /// Runs something on the rig, like a program that was started on it.
    package func run<Result: Sendable>(_ body: @Sendable () async throws -> Result) async rethrows -> Result {
        try await PhoneRig.$substitute.withValue(test.rig) { try await body() }
    }
}
