package import Configuration
package import Permissions
package import Readiness

/// The state of a rig at one moment, as an app on it sees it.
package struct PhoneState: Sendable, Equatable {
    /// The rig, probed at depth `state`: no sensor is sampled and no receiver opened.
    package var assessment: Assessment
    /// Whether this process is in use: it runs in the active session of a seat.
    package var isInForeground: Bool
    /// The open question to the user, if this process has asked one.
    package var question: PermissionQuestion?
    /// The decisions and their times.
    package var decisions: Decisions
    /// Why the app asks, which sensors are pinned, and whether it opted into explicit service sessions.
    package var configuration: RigConfiguration

    /// What this process may do: the operating system's access, narrowed by grants and policy.
    package var authorizations: Authorizations { assessment.authorizations }
    /// What the drivers found.
    package var inventory: Inventory { assessment.inventory }

    /// Whether an app that knows the state before is to be called.
    func isChanged(since before: PhoneState) -> Bool {
        isInForeground != before.isInForeground || question != before.question
            || decisions.grants != before.decisions.grants || decisions.policy != before.decisions.policy
            || configuration != before.configuration
            || !Comparison(before: before.assessment, after: assessment).isEmpty
    }
}
