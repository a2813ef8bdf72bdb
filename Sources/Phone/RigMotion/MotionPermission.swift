internal import Foundation
internal import Permissions
internal import Readiness
internal import PhoneKit

/// Requests and observes the permission for motion.
struct MotionPermission: Sendable {
    let rig: PhoneRig

    var authorization: Authorization<AuthorizationStatus> { rig.state.authorizations.motion }

    /// Calls with nil if motion may be used, else with the reason; asks the user first if nothing was decided.
    ///
    /// The answer may come much later, and on any thread.
    func obtain(_ code: CMError, _ then: @escaping @Sendable (NSError?) -> Void) {
        guard authorization.status == .notDetermined else { return then(refusal(code)) }
        rig.request(.motion) { _ in then(refusal(code)) }
    }

    /// Why motion may not be used now; nil if it may.
    func refusal(_ code: CMError) -> NSError? {
        let authorization = authorization
        guard authorization.status != .allowed else { return nil }
        return code.error("motion is not authorized: \(authorization.evidence)", remedy: authorization.remedies.words)
    }
}
