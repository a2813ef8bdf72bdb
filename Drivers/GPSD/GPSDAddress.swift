internal import DriverKit
internal import SystemPackage

/// The address of a gpsd, and whether it is this machine.
struct GPSDAddress: Sendable, Equatable {
    let host: String
    let port: UInt16
    /// Whether gpsd's device paths are this machine's.
    let isLocal: Bool

    init(host: String, port: UInt16, world: any World) {
        self.host = host
        self.port = port
        let loopback = host == "localhost" || host == "::1" || host.hasPrefix("127.")
        let ownName = try? world.contents(of: "/proc/sys/kernel/hostname", limit: 256)
        isLocal = loopback || ownName.map { $0.prefix { $0 > 0x20 }.elementsEqual(host.utf8) } == true
    }

    var endpoint: Endpoint { .gpsd(host: host, port: port) }

    /// The host and port as a user types them.
    var text: String { HostPort(host: host, port: port).description }
}
