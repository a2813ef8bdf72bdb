/// Whether a service can run here, now.
///
/// The order is the precedence: the first that holds is the verdict.
public enum Verdict: UInt8, CaseIterable, Sendable, Hashable {
    /// The licence does not have it.
    case unauthorized
    /// Its parent fails or is unauthorized, or, under the whole-session rule, another service fails.
    case blocked
    /// Something it requires is unmet.
    case fails
    /// Something it requires cannot be told, or its parent is undetermined.
    case undetermined
    /// It runs, and something optional is unmet.
    case degraded
    /// Nothing is in its way.
    case runs

    /// The name in reports, such as `undetermined`.
    public var id: String { String(describing: self) }
}
