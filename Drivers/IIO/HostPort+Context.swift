package import DriverKit

extension HostPort {
    /// Where an `ip:` context is served, on iiod's own port unless the URI names another.
    ///
    /// Nil for every other kind of context, and for one that is to be searched for. Source: libiio 0.24, `network.c`.
    package init?(context uri: String) {
        guard uri.hasPrefix("ip:") else { return nil }
        self.init(uri.dropFirst(3), defaultPort: 30431)
    }
}
