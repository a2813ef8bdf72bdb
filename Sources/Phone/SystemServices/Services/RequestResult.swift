/// What a request came to: an accepted one is not yet a granted one.
public enum RequestResult: Sendable, Equatable {
    /// It may be used now.
    case granted
    /// The person said yes, or nothing stood against it, and still it cannot be used.
    case accepted(ServiceState)
    /// The person, the policy or the operating system said no.
    case refused(ServiceState)
    /// Nobody answered; nothing was recorded.
    case deferred
    /// Another question is open, here or in another process; this request had no effect.
    case busy
    /// Linux has nothing that backs it.
    case unsupported(ServiceState)
}
