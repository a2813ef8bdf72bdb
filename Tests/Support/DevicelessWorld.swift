package import DriverKit
internal import Linux
package import SystemPackage

/// This machine without its devices: the files are real, and so are the endpoints that are opened.
package struct DevicelessWorld: World {
    private let live = LiveWorld(drivers: [])
    private let open: @Sendable (Endpoint, Instant) throws(DriverError) -> (any Channel)?

    /// Creates a world whose endpoints are opened by a driver's `openChannel`.
    package init(channel: @escaping @Sendable (Endpoint, Instant) throws(DriverError) -> (any Channel)?) {
        open = channel
    }

    package func now() -> Instant { .now }
    package func devices(in subsystem: String) -> [FilePath] { [] }
    package func modules(for alias: String) -> [String] { [] }
    package func entries(of folder: FilePath) throws(DriverError) -> [String] { try live.entries(of: folder) }
    package func contents(of file: FilePath, limit: Int) throws(DriverError) -> [UInt8] {
        try live.contents(of: file, limit: limit)
    }
    package func status(of node: FilePath) throws(DriverError) -> NodeStatus { try live.status(of: node) }
    package func account() -> Account { live.account() }
    package func channel(to endpoint: Endpoint, until deadline: Instant) throws(DriverError) -> any Channel {
        guard let channel = try open(endpoint, deadline) else {
            throw DriverError(.unsupported, subject: endpoint.description)
        }
        return channel
    }
}
