/// An answer of the user.
public enum PermissionAnswer: String, CaseIterable, Sendable, Hashable {
    case allow, once, deny
}

/// The subject of a question.
public enum PermissionQuestionKind: Sendable, Hashable {
    /// The first question about location, for either level.
    case locationWhenInUse
    /// Whether to change when-in-use to Always; asked once.
    case locationAlways
    /// Whether to keep a provisional Always.
    case locationConfirmation
    /// Whether to allow temporary full accuracy of a reduced location.
    case fullAccuracy
    case motion, bluetooth, health
    /// Permissions without grant and policy; the answer is not recorded among the grants.
    case notifications, microphone
}

/// A question to the user, with the app's purpose.
public struct PermissionQuestion: Sendable, Hashable {
    /// The subject.
    public let kind: PermissionQuestionKind
    /// The purpose, in the app's words.
    public let purpose: String

    /// Creates a question.
    public init(_ kind: PermissionQuestionKind, _ purpose: String) {
        self.kind = kind
        self.purpose = purpose
    }

    /// The available answers.
    public var answers: [PermissionAnswer] { kind == .locationWhenInUse ? [.allow, .once, .deny] : [.allow, .deny] }

    /// The text of the question.
    public var text: String {
        switch kind {
        case .locationWhenInUse: "Allow the use of this rig's location?"
        case .locationAlways: "Allow the use of this rig's location always, and not only while in use?"
        case .locationConfirmation: "Location was used while the app was not in use. Keep allowing it always?"
        case .fullAccuracy: "Allow this rig's exact location temporarily?"
        case .motion: "Allow the capture of motion?"
        case .bluetooth: "Allow the use of Bluetooth?"
        case .health: "Allow the reading of health data?"
        case .notifications: "Allow notifications?"
        case .microphone: "Allow the recording of sound?"
        }
    }

    /// Returns the meaning of an answer to this question.
    public func meaning(of answer: PermissionAnswer) -> String {
        switch (kind, answer) {
        case (.locationWhenInUse, .allow): "while in use"
        case (.locationWhenInUse, .once): "once, until this login session ends (without a session: until reboot)"
        case (.locationAlways, .allow): "change to always"
        case (.locationAlways, .deny), (.locationConfirmation, .deny): "only while in use"
        case (.locationConfirmation, .allow): "keep always"
        case (.fullAccuracy, .allow): "exact, temporarily"
        case (.fullAccuracy, .deny): "keep it coarse"
        case (_, .deny): "do not allow"
        default: answer.rawValue
        }
    }
}
