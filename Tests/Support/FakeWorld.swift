public import DriverKit
import Linux
public import SystemPackage

/// A world of fixtures, for the cases that neither hardware nor an emulator can show.
public struct FakeWorld: World {
    /// Whose access is evaluated in place of this process's.
    public var subject: AccessSubject?
    /// File contents by path; a folder exists if a path leads through it.
    public var files: [String: [UInt8]] = [:]
    /// Errors that reading a file, or listing a subsystem, throws instead.
    public var errors: [String: Errno] = [:]
    /// Node status by path.
    public var nodes: [String: NodeStatus] = [:]
    /// Device paths by subsystem.
    public var devices: [String: [FilePath]] = [:]
    /// Module files by MODALIAS.
    public var modules: [String: [String]] = [:]
    /// The result of connecting, by endpoint.
    public var channels: [Endpoint: @Sendable () throws(DriverError) -> any Channel] = [:]
    /// The refusals in the kernel's log.
    public var refusals: [String] = []
    /// The account that access is evaluated for; unknown unless set.
    public var user: Account?
    /// The current time; the live clock unless set.
    public var clock: @Sendable () -> Instant = { .now }

    /// Creates an empty world.
    public init() {}

    /// Adds a text file.
    public mutating func add(_ path: String, _ text: String) { files[path] = Array(text.utf8) }

    /// The given lines.
    public func loggedRefusals() -> [String] { refusals }

    /// The set clock.
    public func now() -> Instant { clock() }

    /// The listed devices; an unknown subsystem has none.
    public func devices(in subsystem: String) throws(DriverError) -> [FilePath] {
        if let errno = errors[subsystem] { throw DriverError(errno: errno, subject: subsystem) }
        return (devices[subsystem] ?? []).inBusOrder(\.string)
    }

    /// The listed modules.
    public func modules(for alias: String) throws(DriverError) -> [String] { modules[alias] ?? [] }

    /// The names below a folder; ENOENT if there are none.
    public func entries(of folder: FilePath) throws(DriverError) -> [String] {
        if let error = errors[folder.string] { throw DriverError(errno: error, subject: folder.string) }
        let prefix = folder.string + "/"
        let paths = Array(files.keys) + Array(errors.keys) + Array(nodes.keys)
        let names = Set(
            paths.filter { $0.hasPrefix(prefix) }
                .compactMap { $0.dropFirst(prefix.count).split(separator: "/").first.map(String.init) })
        guard !names.isEmpty else { throw DriverError(errno: .noSuchFileOrDirectory, subject: folder.string) }
        return names.sorted()
    }

    /// The file's bytes, its error, or ENOENT.
    public func contents(of file: FilePath, limit: Int) throws(DriverError) -> [UInt8] {
        if let error = errors[file.string] { throw DriverError(errno: error, subject: file.string) }
        guard let bytes = files[file.string] else {
            throw DriverError(errno: .noSuchFileOrDirectory, subject: file.string)
        }
        guard bytes.count <= limit else {
            throw DriverError(.malformed, subject: file.string, detail: "longer than \(limit) bytes")
        }
        return bytes
    }

    /// The node's status, a plain 0644 for a listed file, or ENOENT.
    public func status(of node: FilePath) throws(DriverError) -> NodeStatus {
        if let status = nodes[node.string] { return status }
        guard files[node.string] != nil || errors[node.string] != nil else {
            throw DriverError(errno: .noSuchFileOrDirectory, subject: node.string)
        }
        return NodeStatus(owner: 0, group: 0, mode: 0o644, readable: true)
    }

    /// The set account, or that of a recording without one.
    public func account() throws(DriverError) -> Account {
        guard let user else { throw DriverError(.notRecorded, subject: "the account") }
        return user
    }

    /// The endpoint's channel, or ECONNREFUSED.
    public func channel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> any Channel {
        guard let open = channels[endpoint] else {
            throw DriverError(errno: .connectionRefused, subject: endpoint.description)
        }
        return try open()
    }
}
