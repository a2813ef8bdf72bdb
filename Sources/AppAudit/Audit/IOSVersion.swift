/// A version of iOS, such as `13` or `10.3`; numbers after the second are ignored.
public struct IOSVersion: Sendable, Comparable, CustomStringConvertible {
    /// The first number.
    public let major: Int
    /// The second number; 0 if missing.
    public let minor: Int

    /// Creates a version.
    public init(_ major: Int, _ minor: Int = 0) {
        self.major = major
        self.minor = minor
    }

    /// Parses one to three numbers; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.map { part in part.allSatisfy(\.isNumber) && part.count <= 4 ? Int(part) : nil }
        guard 1...3 ~= numbers.count, !numbers.contains(nil), let major = numbers[0] else { return nil }
        self.init(major, numbers.count > 1 ? numbers[1] ?? 0 : 0)
    }

    /// The version in text, such as `13.0`.
    public var description: String { "\(major).\(minor)" }

    /// Orders older before newer.
    public static func < (lhs: Self, rhs: Self) -> Bool { (lhs.major, lhs.minor) < (rhs.major, rhs.minor) }
}
