public import Readiness

/// One finding of an audit.
public struct AuditFinding: Sendable, Equatable {
    /// The severity of a finding.
    public enum Severity: String, Sendable {
        /// The store refuses the app, or a service cannot ask for what it needs.
        case error
        /// A service is degraded, or the entry has no effect.
        case warning
    }

    /// The key of Info.plist, or the entitlement.
    public var key: String
    /// The severity.
    public var severity: Severity
    /// The wanted services concerned; empty if it concerns the whole app.
    public var services: ServiceSet
    /// What is wrong and its effect, in one clause.
    public var reason: String
    /// The section of the vendor's or Apple's page that it is based on.
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
