/// The effect that the repair of a root cause has on one service.
package struct RepairEffect: Sendable, Equatable {
    /// The change of the service's verdict.
    package enum Improvement: Sendable, Equatable {
        /// It does not run now, and then runs, possibly degraded.
        case unlocks
        /// It is degraded, either now or once it is unlocked, and then runs in full.
        case completes(isDegradedNow: Bool)
    }

    /// The service.
    package let service: Service
    /// The change of its verdict.
    package let improvement: Improvement
    /// The identifiers of the other root causes that must be repaired as well before the verdict changes.
    package let partners: [String]
}
