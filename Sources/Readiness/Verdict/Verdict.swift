/// Whether a service can run now.
///
/// The order is the precedence: the first that applies is the verdict.
public enum Verdict: UInt8, CaseIterable, Sendable, Hashable {
    /// The licence does not include it.
    case unauthorized
    /// Its parent fails or is unauthorized, or, under the whole-session rule, another service fails.
    case blocked
    /// Something it requires is unmet.
    case fails
    /// A requirement is unknown, or its parent is undetermined.
    case undetermined
    /// It runs, and something optional is unmet.
    case degraded
    /// It runs with everything it requires and can use.
    case runs

    /// The name in reports, such as `undetermined`.
    public var id: String { String(describing: self) }
}
