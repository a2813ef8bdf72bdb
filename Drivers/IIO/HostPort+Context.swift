package import DriverKit

extension HostPort {
    /// The server of an `ip:` context, on iiod's own port unless the URI names another.
    ///
    /// Nil for every other kind of context, and for one that must be discovered. Source: libiio 0.24, `network.c`.
    package init?(context uri: String) {
        guard uri.hasPrefix("ip:") else { return nil }
        self.init(uri.dropFirst(3), defaultPort: 30431)
    }
}
