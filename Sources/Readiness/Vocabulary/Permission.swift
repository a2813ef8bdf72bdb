/// What a user grants and a policy restricts; one permission may apply to several requirements.
public enum Permission: String, CaseIterable, Sendable, Hashable {
    case location, motion, bluetooth, health

    /// The name in sentences.
    public var title: String { self == .bluetooth ? "Bluetooth" : rawValue }
}
