import Foundation
import LocalRig
import Readiness
import SystemPackage
@testable import PhoneKit

/// A simulated host: everything is allowed and present, unless set otherwise.
struct Bench {
    var location = LocationStatus.authorizedAlways
    var motion = AuthorizationStatus.allowed
    var policy = Policy()
    var notifications = ServiceState(.granted, evidence: "seen")
    var microphone = ServiceState(.granted, evidence: "seen")
    /// The permissions without hardware.
    var absent: Set<Permission> = []
    /// The folder of the decisions; without one they cannot be recorded.
    var folder: URL?

    var grants: GrantFile? { folder.map { GrantFile(FilePath($0.path + "/permissions.yaml")) } }
    var consent: ConsentFile? { folder.map { ConsentFile(FilePath($0.path + "/state/consent.yaml")) } }

    var host: SystemServiceEnvironment {
        let access = Authorizations(
            location: Authorization(location, evidence: "seen"), motion: Authorization(motion, evidence: "seen"),
            bluetooth: Authorization(.allowed, evidence: "seen"), health: Authorization(.allowed, evidence: "seen"))
        let missing = Dictionary(
            uniqueKeysWithValues: absent.map { ($0, ServiceState(.absent, evidence: "nothing is there")) })
        let (grants, policy, notifications, microphone) = (grants, policy, notifications, microphone)
        @Sendable func decisions() throws(DecisionFileError) -> Decisions {
            let own = if let grants { try grants.read() } else { Grants() }
            return Decisions(own, policy, at: .live)
        }
        return SystemServiceEnvironment(
            access: { SystemServiceAccess(access, absent: missing) }, decisions: decisions, grants: grants,
            consent: consent,
            notifications: { notifications }, microphone: { microphone })
    }

    var permissioner: SystemServicePermissioner { SystemServicePermissioner(host) }

    /// Calls a body with a bench in a temporary folder.
    static func withFolder(_ body: (Bench) throws -> Void) throws {
        let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "rigready-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(Bench(folder: folder))
    }
}
