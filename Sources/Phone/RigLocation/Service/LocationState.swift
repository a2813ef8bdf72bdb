internal import Configuration
internal import Permissions
internal import Readiness
internal import PhoneKit

/// A rig's state, as far as it concerns location.
struct LocationState: Sendable, Hashable {
    var status: CLAuthorizationStatus
    var accuracy: CLAccuracyAuthorization
    /// Whether the operating system denies, for every app.
    var isDeniedForAll: Bool
    var isInForeground: Bool
    /// Whether a question about location is open.
    var isAsking: Bool
    /// Whether the app opted into explicit service sessions.
    var needsSession: Bool

    init(_ state: PhoneState) {
        let authorizations = state.authorizations
        status = CLAuthorizationStatus(authorizations.location.status)
        accuracy = CLAccuracyAuthorization(authorizations.accuracy.status)
        isDeniedForAll = authorizations.location.status == .denied && authorizations.location.from == .access
        isInForeground = state.isInForeground
        isAsking = state.question?.kind.isAboutLocation == true
        needsSession = state.configuration.requiresExplicitServiceSession
    }

    /// Whether the app may use location at all.
    var isAuthorized: Bool { status == .authorizedAlways || status == .authorizedWhenInUse }

    /// Whether it may use it now.
    var isUsable: Bool { status == .authorizedAlways || status == .authorizedWhenInUse && isInForeground }

    /// Whether the foreground would allow more: while in use does not apply now, and nothing is asked from the
    /// background.
    var isInsufficientlyInUse: Bool {
        !isInForeground && (status == .authorizedWhenInUse || status == .notDetermined)
    }
}

extension PermissionQuestionKind {
    fileprivate var isAboutLocation: Bool {
        switch self {
        case .locationWhenInUse, .locationAlways, .locationConfirmation, .fullAccuracy: true
        case .motion, .bluetooth, .health, .notifications, .microphone: false
        }
    }
}
