public import Readiness

/// One thing that an audit has against an app.
public struct AuditFinding: Sendable, Equatable {
    /// How bad it is.
    public enum Severity: String, Sendable {
        /// The store refuses the app, or a service cannot ask for what it needs.
        case error
        /// A service runs worse, or what stands there has no effect.
        case warning
    }

    /// The key of Info.plist, or the entitlement.
    public var key: String
    /// How bad it is.
    public var severity: Severity
    /// The wanted services that it concerns; empty where it is the app as a whole.
    public var services: ServiceSet
    /// What is wrong and why that matters, in one clause.
    public var reason: String
    /// The section of the vendor's or Apple's page that says so.
    public var source: String

    init(
        _ key: String, _ severity: Severity, _ services: ServiceSet = [], _ reason: String, source: String
    ) {
        self.key = key
        self.severity = severity
        self.services = services
        self.reason = reason
        self.source = source
    }
}
