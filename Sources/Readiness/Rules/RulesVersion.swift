/// A version of the SDK whose rules are asked for: any `1.x` or `2.MINOR`.
public struct RulesVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The major version, 1 or 2.
    public let major: UInt16
    /// The minor version; nil in `1.x`, which stands for every 1.
    public let minor: UInt16?

    init(major: UInt16, minor: UInt16?) {
        self.major = major
        self.minor = minor
    }

    /// Every 1.
    public static let version1 = Self(major: 1, minor: nil)

    /// A minor version of 2.
    static func version2(_ minor: UInt16) -> Self { Self(major: 2, minor: minor) }

    /// Reads `1.x`, `1.5`, `2.0` or `2.14`; nil for anything else, a patch version or a leading zero included.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        switch parts[0] {
        case "1" where parts[1] == "x" || parts[1] == "X": self = .version1
        case "1", "2":
            let digits = parts[1].utf8
            guard
                (1...4).contains(digits.count),
                digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                digits.count == 1 || digits.first != UInt8(ascii: "0"), let minor = UInt16(parts[1])
            else { return nil }
            self.init(major: parts[0] == "1" ? 1 : 2, minor: minor)
        default: return nil
        }
    }

    /// The version that somebody may have meant who wrote `2`, `2.4.1`, `v2.6` or a version that is yet to come.
    public static func suggestion(for text: String) -> Self? {
        let digits = text.prefix(32).drop { $0 == "v" || $0 == "V" }
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count >= 2, let version = Self("\(parts[0]).\(parts[1])") { return version }
        switch parts.first {
        case "1": return .version1
        case "2", "3": return Rules.newest.profile
        default: return nil
        }
    }

    /// The version as it is written, such as `1.x` or `2.14`.
    public var description: String { "\(major).\(minor.map(String.init) ?? "x")" }

    /// Older before newer; `1.x` counts as the oldest 1.
    public static func < (lhs: Self, rhs: Self) -> Bool {
        (lhs.major, lhs.minor ?? 0) < (rhs.major, rhs.minor ?? 0)
    }
}
