/// A version of the SDK that selects the rules: any `1.x` or `2.MINOR`.
public struct RulesVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The major version, 1 or 2.
    public let major: UInt16
    /// The minor version; nil for `1.x`, which stands for every 1.
    public let minor: UInt16?

    /// Every version 1.
    public static let version1 = Self(major: 1, minor: nil)

    package static func version2(_ minor: UInt16) -> Self { Self(major: 2, minor: minor) }

    /// The newest version that is known: it made the health service an add-on, which is taken to be linked.
    ///
    /// What an app declares for the store changed with it; its requirement table is that of 2.14, which reports name
    /// (MOVE SDK for iOS, "Permissions Handling", Health Permissions).
    public static let newest = version2(15)
}

extension RulesVersion {
    /// Parses `1.x`, `1.5`, `2.0`, `2.14` or `2.4.0`, whose third number changes no rule; nil for anything else, such
    /// as a leading zero.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard 2...3 ~= parts.count, parts[0] == "1" || parts[0] == "2" else { return nil }
        if parts.count == 2, parts[0] == "1", parts[1].lowercased() == "x" {
            self = .version1
        } else {
            // Written back, a sign or a leading zero is missing.
            let numbers = parts.dropFirst().map { part in
                UInt16(part).flatMap { $0 < 10_000 && String($0) == part ? $0 : nil }
            }
            guard let minor = numbers[0], numbers.last != .some(nil) else { return nil }
            self.init(major: parts[0] == "1" ? 1 : 2, minor: minor)
        }
    }

    /// Suggests a version for an invalid one such as `2` or `v2.6`.
    public static func suggestion(for text: String) -> Self? {
        let digits = text.prefix(32).drop { $0 == "v" || $0 == "V" }
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count >= 2, let version = Self("\(parts[0]).\(parts[1])") { return version }
        switch parts.first {
        case "1": return .version1
        case "2": return Rules.newest.profile
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
