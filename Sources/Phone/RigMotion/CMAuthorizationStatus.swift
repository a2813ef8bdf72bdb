internal import Readiness

/// Whether this process may use motion data.
@nonexhaustive(warn)
public enum CMAuthorizationStatus: Int, Sendable {
    /// Nothing is decided yet; the first query asks.
    case notDetermined = 0
    /// The policy forbids it, and the user cannot change that.
    case restricted = 1
    /// The user's grants or the operating system's access forbid it.
    case denied = 2
    /// Motion data may be used.
    case authorized = 3

    init(_ status: AuthorizationStatus) {
        self =
            switch status {
            case .notDetermined: .notDetermined
            case .restricted: .restricted
            case .denied: .denied
            case .allowed: .authorized
            }
    }
}
