/// What a user may answer.
public enum PermissionAnswer: String, CaseIterable, Sendable, Hashable {
    case allow, once, deny
}

/// What a question is about.
public enum PermissionQuestionKind: Sendable, Hashable {
    /// The first question about location, whichever level was asked for.
    case locationWhenInUse
    /// Whether when-in-use may become Always; asked once.
    case locationAlways
    /// Whether a provisional Always may stay.
    case locationConfirmation
    /// Whether a reduced location may be full for a time.
    case fullAccuracy
    case motion, bluetooth, health
    /// What no grant and no policy knows; the answer is not recorded among the grants.
    case notifications, microphone
}

/// A question to the user, with the app's own reason for asking.
public struct PermissionQuestion: Sendable, Hashable {
    /// What is asked.
    public let kind: PermissionQuestionKind
    /// The purpose, in the app's words.
    public let purpose: String

    /// Makes a question.
    public init(_ kind: PermissionQuestionKind, _ purpose: String) {
        self.kind = kind
        self.purpose = purpose
    }

    /// The answers that it offers.
    public var answers: [PermissionAnswer] { kind == .locationWhenInUse ? [.allow, .once, .deny] : [.allow, .deny] }

    /// The question in words.
    public var text: String {
        switch kind {
        case .locationWhenInUse: "Allow the use of this rig's location?"
        case .locationAlways: "Allow the use of this rig's location always, and not only while in use?"
        case .locationConfirmation: "Location was used while nobody was using the app. Keep allowing it always?"
        case .fullAccuracy: "Allow this rig's exact location for a time?"
        case .motion: "Allow the capture of motion?"
        case .bluetooth: "Allow the use of Bluetooth?"
        case .health: "Allow the reading of health data?"
        case .notifications: "Allow notifications?"
        case .microphone: "Allow the recording of sound?"
        }
    }

    /// What an answer means here.
    public func meaning(of answer: PermissionAnswer) -> String {
        switch (kind, answer) {
        case (.locationWhenInUse, .allow): "while in use"
        case (.locationWhenInUse, .once): "once, until this login session ends, or without one the boot"
        case (.locationAlways, .allow): "change to always"
        case (.locationAlways, .deny), (.locationConfirmation, .deny): "only while in use"
        case (.locationConfirmation, .allow): "keep always"
        case (.fullAccuracy, .allow): "exact, for a time"
        case (.fullAccuracy, .deny): "keep it coarse"
        case (_, .allow): "allow"
        case (_, .once): "once"
        case (_, .deny): "do not allow"
        }
    }
}
