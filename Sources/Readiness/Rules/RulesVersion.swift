/// A version of the SDK that selects the rules: any `1.x` or `2.MINOR`.
public struct RulesVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The major version, 1 or 2.
    public let major: UInt16
    /// The minor version; nil for `1.x`, which stands for every 1.
    public let minor: UInt16?

    init(major: UInt16, minor: UInt16?) {
        self.major = major
        self.minor = minor
    }

    /// Every version 1.
    public static let version1 = Self(major: 1, minor: nil)

    /// Returns a minor version of 2.
    static func version2(_ minor: UInt16) -> Self { Self(major: 2, minor: minor) }

    /// Parses `1.x`, `1.5`, `2.0` or `2.14`; nil for anything else, such as a patch version or a leading zero.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "1" || parts[0] == "2" else { return nil }
        if parts[0] == "1", parts[1].lowercased() == "x" {
            self = .version1
        } else {
            // Written back, a sign or a leading zero is missing.
            guard let minor = UInt16(parts[1]), minor < 10_000, String(minor) == parts[1] else { return nil }
            self.init(major: parts[0] == "1" ? 1 : 2, minor: minor)
        }
    }

    /// Suggests a version for an invalid one such as `2`, `2.4.1`, `v2.6` or a future version.
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

    /// The version in text, such as `1.x` or `2.14`.
    public var description: String { "\(major).\(minor.map(String.init) ?? "x")" }

    /// Orders older before newer; `1.x` is the oldest 1.
    public static func < (lhs: Self, rhs: Self) -> Bool {
        (lhs.major, lhs.minor ?? 0) < (rhs.major, rhs.minor ?? 0)
    }
}
