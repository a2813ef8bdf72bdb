/// A host and a port, as users type them.
public struct HostPort: Sendable, Hashable, CustomStringConvertible {
    /// The name or address.
    public var host: String
    /// The port.
    public var port: UInt16

    /// Makes an address.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Parses `HOST`, `HOST:PORT`, `ADDRESS6`, `[ADDRESS6]` or `[ADDRESS6]:PORT`; nil for anything else.
    ///
    /// A port that is left out is `defaultPort`; port 0 is invalid.
    public init?(_ text: some StringProtocol, defaultPort: UInt16) {
        var rest = text[...]
        if rest.first == "[" {
            guard let close = rest.firstIndex(of: "]") else { return nil }
            host = String(rest[..<close].dropFirst())
            rest = rest[close...].dropFirst()
        } else if rest.utf8.count(where: { $0 == UInt8(ascii: ":") }) > 1 {
            host = String(rest)
            rest = rest[rest.endIndex...]
        } else {
            host = String(rest.prefix { $0 != ":" })
            rest = rest.drop { $0 != ":" }
        }
        guard !host.isEmpty else { return nil }
        port = defaultPort
        guard !rest.isEmpty else { return }
        guard rest.first == ":", let number = UInt16(rest.dropFirst()), number > 0 else { return nil }
        port = number
    }

    /// `HOST:PORT`, an IPv6 address in brackets.
    public var description: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}
