public import Readiness

/// A decision about motion, Bluetooth or health.
public enum PermissionDecision: String, CaseIterable, Sendable, Hashable {
    case allowed
    case denied
    /// Nobody has decided yet.
    case notDetermined = "not-determined"
}

/// What the user has decided, permission by permission; without a record the operating system's access alone decides.
public struct Grants: Sendable, Equatable {
    /// The file that says so, as evidence and for remedies; nil where there is none.
    public var file: String?
    /// The file as one word of a shell command, where it is not the one in the default place.
    public var namedFile: String?
    /// Location.
    public var location: LocationGrant?
    /// Capturing motion.
    public var motion: PermissionDecision?
    /// Using Bluetooth.
    public var bluetooth: PermissionDecision?
    /// Reading health data.
    public var health: PermissionDecision?

    /// Makes grants; without arguments none.
    public init(
        file: String? = nil, namedFile: String? = nil, location: LocationGrant? = nil,
        motion: PermissionDecision? = nil,
        bluetooth: PermissionDecision? = nil, health: PermissionDecision? = nil
    ) {
        self.file = file
        self.namedFile = namedFile
        self.location = location
        self.motion = motion
        self.bluetooth = bluetooth
        self.health = health
    }

    /// Whether nothing is on record.
    public var isEmpty: Bool { location == nil && motion == nil && bluetooth == nil && health == nil }

    /// Records one of the decisions that every permission knows.
    public mutating func record(_ decision: PermissionDecision, about permission: Permission) {
        switch permission {
        case .location:
            let decisions: [PermissionDecision: LocationDecision] = [.allowed: .always, .denied: .denied]
            location = LocationGrant(decisions[decision] ?? .notDetermined)
        case .motion: motion = decision
        case .bluetooth: bluetooth = decision
        case .health: health = decision
        }
    }

    /// Removes the record of a permission, so that access alone decides again.
    public mutating func forget(_ permission: Permission) {
        switch permission {
        case .location: location = nil
        case .motion: motion = nil
        case .bluetooth: bluetooth = nil
        case .health: health = nil
        }
    }

    /// Location was used; from outside an active session this makes the second question of a provisional Always due.
    public mutating func locationWasUsed(inActiveSession isActive: Bool) {
        if !isActive, location?.provisional != nil { location?.wasUsedOutside = true }
    }
}

/// What was decided.
public enum LocationDecision: String, CaseIterable, Sendable, Hashable {
    case notDetermined = "not-determined"
    case denied
    case whenInUse = "when-in-use"
    case always
}

/// A decision about location, with all that its dialogs can leave behind (mission model 7.3).
public struct LocationGrant: Sendable, Equatable {
    /// A time of full accuracy within a reduced one.
    public struct FullAccuracy: Sendable, Equatable {
        /// The key of the purpose it was asked with.
        public var purpose: String
        /// How long it counts.
        public var lifetime: Validity

        /// Makes one.
        public init(purpose: String, lifetime: Validity) {
            self.purpose = purpose
            self.lifetime = lifetime
        }
    }

    /// What was decided.
    public var decision: LocationDecision
    /// Whether only a coarse location is allowed.
    public var isReduced = false
    /// Set where the decision holds once: after that nobody has decided.
    public var once: Validity?
    /// Set where Always still has to be confirmed: when it was granted.
    public var provisional: Validity?
    /// Whether location was used from outside an active session since: the confirmation is then due.
    public var wasUsedOutside = false
    /// Whether the one question that makes Always of when-in-use has been asked.
    public var wasAskedForAlways = false
    /// A time of full accuracy.
    public var fullAccuracy: FullAccuracy?

    /// Makes a decision.
    public init(_ decision: LocationDecision, isReduced: Bool = false, once: Validity? = nil) {
        self.decision = decision
        self.isReduced = isReduced
        self.once = once
    }

    /// What counts now: a decision for once that has lapsed is none.
    public func decision(_ now: GrantContext) -> LocationDecision {
        once.map { $0.lasts(now) } ?? true ? decision : .notDetermined
    }

    /// Whether only a coarse location is allowed now.
    public func isReduced(_ now: GrantContext) -> Bool {
        isReduced && !(fullAccuracy.map { $0.lifetime.lasts(now) } ?? false)
    }

    /// Whether the second question of a provisional Always is to be asked: location was used from outside an active
    /// session, or the session that granted it is over.
    public func isConfirmationDue(_ now: GrantContext) -> Bool {
        guard decision(now) == .always, let provisional else { return false }
        return wasUsedOutside || !provisional.lasts(now)
    }
}
