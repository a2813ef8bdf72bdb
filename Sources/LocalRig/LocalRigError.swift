/// Why a rig cannot be assembled or assessed.
public struct LocalRigError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of error; new kinds may come.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name.
        public let rawValue: String
        /// Makes a code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// What is asked contradicts itself, the rules or the configuration.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// A file cannot be read or is not valid.
        public static let unusableFile = Code(rawValue: "unusableFile")
        /// This process lacks something that it needs, such as a descriptor.
        public static let internalFault = Code(rawValue: "internalFault")
    }

    /// The kind of error.
    public var code: Code
    /// What is wrong: the file, the place and what was expected.
    public var description: String

    /// Makes an error.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
