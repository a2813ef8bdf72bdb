package import LocalRig

extension BrokerConfiguration {
    /// The brokers that an option names, or else those of a configuration, whose credentials apply in any case; nil
    /// without a broker.
    package init?(
        named texts: [String], by option: String, or configured: BrokerConfiguration?
    ) throws(LocalRigError) {
        self = configured ?? BrokerConfiguration()
        if !texts.isEmpty { urls = try BrokerURL.all(named: texts, by: option) }
        if urls.isEmpty { return nil }
    }
}

extension BrokerConfiguration {
    /// The first broker that is reached over a network without encryption.
    var readableURL: BrokerURL? { urls.first { !$0.isSecure && !$0.isLocal } }

    /// Why others can read the password on its way; nil if they cannot, or there is none.
    package var passwordWarning: String? {
        guard passwordFile != nil, let url = readableURL else { return nil }
        return "\(url) is not encrypted: others can read the password on the way; mqtts:// encrypts"
    }
}

extension BrokerURL {
    /// Parses the values of an option; a password in one is not repeated.
    package static func all(named texts: [String], by option: String) throws(LocalRigError) -> [BrokerURL] {
        guard texts.count <= BrokerConfiguration.maximumURLs else {
            throw LocalRigError(
                .invalidRequest, "\(option) names at most \(BrokerConfiguration.maximumURLs) brokers.")
        }
        return try texts.map { text throws(LocalRigError) in
            guard let url = BrokerURL(text) else {
                throw LocalRigError(.invalidRequest, "\(option) takes \(BrokerURL.expectation(insteadOf: text)).")
            }
            return url
        }
    }
}
