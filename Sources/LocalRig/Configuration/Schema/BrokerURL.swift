package import DriverKit

/// The address of an MQTT broker: `mqtt://HOST[:PORT]` or `mqtts://HOST[:PORT]`.
package struct BrokerURL: Sendable, Hashable, CustomStringConvertible {
    /// The host and the port.
    package var address: HostPort
    /// Whether the connection is encrypted and the broker's certificate checked.
    package var isSecure: Bool

    /// Parses a URL; nil for anything else, such as one with a user, a password or a path.
    package init?(_ text: String) {
        let isSecure = text.hasPrefix("mqtts://")
        guard isSecure || text.hasPrefix("mqtt://") else { return nil }
        let rest = text.dropFirst(isSecure ? 8 : 7)
        let isPlain = rest.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || ".-_:[]%".contains($0) }
        // The ports that IANA assigns to MQTT, with and without TLS.
        guard isPlain, rest.utf8.count <= 300, let address = HostPort(rest, defaultPort: isSecure ? 8883 : 1883)
        else { return nil }
        self.address = address
        self.isSecure = isSecure
    }

    /// Whether the host is this machine, so that nothing leaves it.
    package var isLocal: Bool {
        address.host == "localhost" || address.host == "::1" || address.host.hasPrefix("127.")
    }

    /// The URL with its port.
    package var description: String { "\(isSecure ? "mqtts" : "mqtt")://\(address)" }

    /// What a text that is no URL should have been, for a message.
    package static func expectation(insteadOf text: String) -> String {
        let expected = "mqtt://HOST[:PORT] or mqtts://HOST[:PORT]"
        let hasUser = text.utf8.contains(UInt8(ascii: "@"))
        return hasUser ? expected + "; user and password are in the configuration's passwordFile" : expected
    }
}
