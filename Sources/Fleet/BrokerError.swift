public import ConfigurationFiles
internal import Readiness

/// Why a broker could not be used, or no longer.
public struct BrokerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of error; new kinds may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind.
        public let rawValue: String
        /// Creates a code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// libmosquitto is missing, or a resource of this process.
        public static let unsupported = Code(rawValue: "unsupported")
        /// A file of the configuration cannot be read or used.
        public static let unusableFile = Code(rawValue: "unusableFile")
        /// No connection: nobody listens, or there is no such host or way to it.
        public static let unreachable = Code(rawValue: "unreachable")
        /// Nothing came before the deadline.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The encryption failed: a certificate is wrong, or the other side does not speak TLS.
        public static let notTrusted = Code(rawValue: "notTrusted")
        /// The broker refused the client, or closed the connection instead of accepting it.
        public static let refused = Code(rawValue: "refused")
        /// The rig that should be forgotten is online.
        public static let inUse = Code(rawValue: "inUse")
        /// An established connection ended.
        public static let lost = Code(rawValue: "lost")
    }

    /// The kind of error.
    public var code: Code
    /// The broker; nil if it concerns none.
    public var url: BrokerURL?
    /// What happened, and what may help.
    public var reason: String

    /// Creates an error.
    init(_ code: Code, _ url: BrokerURL?, _ reason: String) {
        self.code = code
        self.url = url
        self.reason = reason.singleLine
    }

    /// The broker and the reason.
    public var description: String { url.map { "\($0): \(reason)" } ?? reason }
}
