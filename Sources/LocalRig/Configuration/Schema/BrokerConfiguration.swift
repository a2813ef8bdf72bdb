internal import Readiness
internal import SystemPackage

/// The MQTT broker that rigs publish to and that the fleet is read from.
package struct BrokerConfiguration: Sendable, Equatable {
    /// Where the broker, or the nodes of its cluster, listen: tried in turn.
    package var urls: [BrokerURL] = []
    /// A file of two lines, the user's name and the password; nil without a user.
    package var passwordFile: String?
    /// The certificates, in PEM, of those who sign the broker's; nil for those that the system trusts.
    package var caFile: String?
    /// The client's certificate in PEM; nil without one.
    package var certificateFile: String?
    /// The key of the client's certificate in PEM, without a passphrase.
    package var keyFile: String?

    /// Creates the configuration of no broker.
    package init() {}

    /// The most brokers that a configuration or command line can name.
    package static let maximumURLs = 32
}

extension BrokerConfiguration {
    /// Parses a URL, a list of URLs, or a mapping with `urls`; a relative file is beside the configuration.
    init(_ node: ConfigurationNode) throws(ConfigurationError) {
        guard case .mapping = node.value else {
            urls = try Self.urls(node)
            return
        }
        let keys = ["urls", "passwordFile", "caFile", "certificateFile", "keyFile"]
        let found = try node.mapping(of: "keys of a broker", keys: keys.map { [$0] })
        func file(_ key: String) throws(ConfigurationError) -> String? {
            guard let node = found[key]?.value else { return nil }
            let name = try node.text(expected: "the name of a file")
            return FilePath(node.file).removingLastComponent().pushing(FilePath(name)).string
        }
        if let node = found["urls"]?.value { urls = try Self.urls(node) }
        passwordFile = try file("passwordFile")
        caFile = try file("caFile")
        certificateFile = try file("certificateFile")
        keyFile = try file("keyFile")
        for (key, other) in [("certificateFile", "keyFile"), ("keyFile", "certificateFile")] {
            if let entry = found[key], found[other] == nil {
                throw entry.error("expected \(other) in addition to \(key), found none")
            }
        }
    }

    private static func urls(_ node: ConfigurationNode) throws(ConfigurationError) -> [BrokerURL] {
        let nodes: [ConfigurationNode] = if case .list(let items) = node.value { items } else { [node] }
        guard !nodes.isEmpty, nodes.count <= maximumURLs else {
            throw node.error("expected 1 to \(maximumURLs) brokers, found \(nodes.count)")
        }
        var urls: [BrokerURL] = []
        for node in nodes {
            let text = try node.text(expected: "the URL of a broker, such as mqtts://lab.example:8883")
            // A password in it is not repeated.
            guard let url = BrokerURL(text) else {
                throw node.error("expected \(BrokerURL.expectation(insteadOf: text))")
            }
            urls.append(url)
        }
        return urls
    }
}
