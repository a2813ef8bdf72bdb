/// What a user may answer.
public enum PermissionAnswer: String, CaseIterable, Sendable, Hashable {
    case allow, once, deny
}

/// A question to the user, with the app's own reason for asking.
public struct PermissionQuestion: Sendable, Hashable {
    /// What is asked.
    public enum Kind: Sendable, Equatable {
        /// The first question about location, whichever level was asked for.
        case locationWhenInUse
        /// Whether when-in-use may become Always; asked once.
        case locationAlways
        /// Whether a provisional Always may stay.
        case locationConfirmation
        /// Whether a reduced location may be full for a time.
        case fullAccuracy
        case motion, bluetooth, health
    }

    /// What is asked.
    public let kind: Kind
    /// The purpose, in the app's words.
    public let purpose: String

    init(_ kind: Kind, _ purpose: String) {
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
