/// The result of a request: an accepted one is not yet a granted one.
public enum RequestResult: Sendable, Equatable {
    /// It may be used now.
    case granted
    /// The person accepted, or nothing forbids it, but it cannot be used.
    case accepted(ServiceState)
    /// The person, the policy or the operating system denied it.
    case refused(ServiceState)
    /// Nobody answered; nothing was recorded.
    case deferred
    /// Another question is open, here or in another process; this request had no effect.
    case busy
    /// Linux has no equivalent.
    case unsupported(ServiceState)
}
