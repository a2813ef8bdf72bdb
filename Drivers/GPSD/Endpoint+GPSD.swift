package import DriverKit

extension Endpoint {
    /// gpsd's JSON protocol over TCP.
    package static func gpsd(host: String, port: UInt16) -> Endpoint {
        Endpoint(gpsdKind, at: HostPort(host: host, port: port).description)
    }

    static let gpsdKind = "gpsd"
}
