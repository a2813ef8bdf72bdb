/// Where an `ip:` context is served.
///
/// Shapes: `ip:HOST`, `ip:HOST:PORT`, `ip:ADDRESS6`, `ip:[ADDRESS6]:PORT`. Source: libiio 0.24, `network.c`.
package struct RemoteAddress: Sendable, Equatable {
    /// The name or address.
    package let host: String
    /// The port; iiod's own where none is given.
    package let port: UInt16

    static let usualPort: UInt16 = 30431

    /// Reads a URI; nil for every other kind of context, and for one that is to be searched for.
    package init?(_ uri: String) {
        guard uri.hasPrefix("ip:") else { return nil }
        let rest = uri.dropFirst(3)
        if rest.first == "[", let end = rest.firstIndex(of: "]") {
            host = String(rest[rest.index(after: rest.startIndex)..<end])
            let tail = rest[rest.index(after: end)...]
            guard let port = tail.isEmpty ? Self.usualPort : tail.first == ":" ? UInt16(tail.dropFirst()) : nil else {
                return nil
            }
            self.port = port
        } else {
            let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
            guard let port = parts.count == 2 ? UInt16(parts[1]) : Self.usualPort else { return nil }
            host = parts.count == 2 ? String(parts[0]) : String(rest)
            self.port = port
        }
        guard !host.isEmpty else { return nil }
    }
}
