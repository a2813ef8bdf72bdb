package import LocalRig
internal import Readiness

/// Why a broker could not be used, or no longer.
package struct BrokerError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: Sendable {
        /// libmosquitto is missing, or a resource of this process.
        case unsupported
        /// A file of the configuration cannot be read or used.
        case unusableFile
        /// No connection: nobody listens, or there is no such host or way to it.
        case unreachable
        /// Nothing came before the deadline.
        case timedOut
        /// The encryption failed: a certificate is wrong, or the other side does not speak TLS.
        case notTrusted
        /// The broker refused the client, or closed the connection instead of accepting it.
        case refused
        /// The rig that should be forgotten is online.
        case inUse
        /// An established connection ended.
        case lost
    }

    package var code: Code
    /// The broker; nil if it concerns none.
    package var url: BrokerURL?
    package var reason: String
    /// Whether the broker ended MQTT 5, and may accept MQTT 3.1.1.
    var isOfVersion = false

    init(_ code: Code, _ url: BrokerURL?, _ reason: String) {
        self.code = code
        self.url = url
        self.reason = reason.singleLine
    }

    package var description: String { url.map { "\($0): \(reason)" } ?? reason }
}
