internal import DriverKit

/// Why a rig cannot be assembled or assessed.
public struct LocalRigError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of error; new kinds may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind.
        public let rawValue: String
        /// Creates a code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The request contradicts itself, the rules or the configuration.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// A file cannot be read or is not valid.
        public static let unusableFile = Code(rawValue: "unusableFile")
        /// A resource of this process is missing, such as a descriptor.
        public static let internalFault = Code(rawValue: "internalFault")
    }

    /// The kind of error.
    public var code: Code
    /// The error: the file, the place and what was expected.
    public var description: String

    /// Creates an error.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

extension LocalRigError {
    /// Calls a function, and throws its error as one of a kind.
    static func wrapping<Value>(_ code: Code, _ body: () throws -> Value) throws(LocalRigError) -> Value {
        try rethrowing(as: { (error: any Error) in LocalRigError(code, "\(error)") }, try body())
    }
}
