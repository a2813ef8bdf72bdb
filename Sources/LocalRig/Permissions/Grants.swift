package import Readiness

/// A decision about motion, Bluetooth or health.
package enum PermissionDecision: String, CaseIterable, Sendable, Hashable {
    case allowed
    case denied
    /// Not decided yet.
    case notDetermined = "not-determined"
}

/// The user's decisions by permission; without a record the operating system's access alone decides.
package struct Grants: Sendable, Equatable {
    /// The file, for evidence and remedies; nil without one.
    package var file: String?
    /// The file as one word of a shell command, if it is not in the default place.
    package var namedFile: String?
    /// The record for location.
    package var location: LocationGrant?
    /// The record for capturing motion.
    package var motion: PermissionDecision?
    /// The record for using Bluetooth.
    package var bluetooth: PermissionDecision?
    /// The record for reading health data.
    package var health: PermissionDecision?

    /// Creates grants; without arguments there are none.
    package init(
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

    /// Whether there are no records.
    package var isEmpty: Bool { location == nil && motion == nil && bluetooth == nil && health == nil }

    /// Records a decision that every permission supports.
    package mutating func record(_ decision: PermissionDecision, about permission: Permission) {
        if let record = Self.record(of: permission) {
            self[keyPath: record] = decision
        } else {
            location = LocationGrant(decision == .allowed ? .always : decision == .denied ? .denied : .notDetermined)
        }
    }

    /// Removes the record of a permission, so that access alone decides again.
    package mutating func forget(_ permission: Permission) {
        if let record = Self.record(of: permission) { self[keyPath: record] = nil } else { location = nil }
    }

    /// The record of a permission; nil for location, whose record says more.
    package static func record(of permission: Permission) -> WritableKeyPath<Grants, PermissionDecision?>? {
        switch permission {
        case .location: nil
        case .motion: \.motion
        case .bluetooth: \.bluetooth
        case .health: \.health
        }
    }
}

/// A decision about location.
package enum LocationDecision: String, CaseIterable, Sendable, Hashable {
    case notDetermined = "not-determined"
    case denied
    case whenInUse = "when-in-use"
    case always
}

/// A decision about location, with everything that its dialogs record.
package struct LocationGrant: Sendable, Equatable {
    /// Temporary full accuracy while location is reduced.
    package struct FullAccuracy: Sendable, Equatable {
        /// The key of the purpose given in the request.
        package var purpose: String
        /// Its validity.
        package var lifetime: Validity

        /// Creates temporary full accuracy.
        package init(purpose: String, lifetime: Validity) {
            self.purpose = purpose
            self.lifetime = lifetime
        }
    }

    /// The decision.
    package var decision: LocationDecision
    /// Whether only a coarse location is allowed.
    package var isReduced = false
    /// The validity of a decision made once: after that location is not determined.
    package var once: Validity?
    /// The validity of an Always that still has to be confirmed.
    package var provisional: Validity?
    /// Whether location has been used from outside an active session: the confirmation is then due.
    package var wasUsedOutside = false
    /// Whether the question that turns when-in-use into Always was asked; it is asked once.
    package var wasAskedForAlways = false
    /// Temporary full accuracy.
    package var fullAccuracy: FullAccuracy?

    /// Creates a decision.
    package init(_ decision: LocationDecision, isReduced: Bool = false, once: Validity? = nil) {
        self.decision = decision
        self.isReduced = isReduced
        self.once = once
    }

    /// Returns the current decision: not determined if a decision made once has expired.
    package func decision(_ now: GrantContext) -> LocationDecision {
        once.map { $0.lasts(now) } ?? true ? decision : .notDetermined
    }

    /// Whether only a coarse location is allowed now.
    package func isReduced(_ now: GrantContext) -> Bool {
        isReduced && !(fullAccuracy.map { $0.lifetime.lasts(now) } ?? false)
    }

    /// Whether the second question of a provisional Always is due: location was used from outside an active session, or
    /// the session that granted it has ended.
    package func isConfirmationDue(_ now: GrantContext) -> Bool {
        guard decision(now) == .always, let provisional else { return false }
        return wasUsedOutside || !provisional.lasts(now)
    }
}
