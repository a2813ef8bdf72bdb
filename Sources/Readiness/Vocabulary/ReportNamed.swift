/// A value of a fixed list with a stable name in reports and files.
public protocol ReportNamed: CaseIterable {
    /// The name, such as `softBlocked`: that of the case, unless the type has others.
    var id: String { get }
}

extension ReportNamed {
    /// The name of the case.
    public var id: String { String(describing: self) }

    /// The value of a name; nil if there is none.
    public init?(id: String) {
        guard let value = Self.allCases.first(where: { $0.id == id }) else { return nil }
        self = value
    }
}

extension ReportNamed where Self: Comparable & RawRepresentable<UInt8> {
    /// Compares by the order of the list.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}
