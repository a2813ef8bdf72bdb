internal import Configuration
internal import Permissions
internal import Readiness
internal import PhoneKit

/// What a state of the rig means for location.
struct LocationState: Sendable, Hashable {
    var status: CLAuthorizationStatus
    var accuracy: CLAccuracyAuthorization
    /// Whether it is the operating system that denies, for whichever app.
    var isDeniedForAll: Bool
    var isInForeground: Bool
    /// Whether a question about location is open.
    var isAsking: Bool
    /// Whether the app opted into service sessions of its own.
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

    /// Whether more could be had in the foreground: while in use is not now, and nobody is asked from the background.
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
