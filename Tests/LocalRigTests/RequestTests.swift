import Foundation
import Readiness
import Testing
@testable import LocalRig

/// Remedies that ask the user, by the purposes in a rig's configuration.
@Suite("Requests of a rig")
struct RequestTests {
    private func rig(_ configuration: String, _ body: (LocalRig, String) throws -> Void) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "rigready-\(UUID()).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(configuration.utf8).write(to: file)
        var options = LocalRig.Options()
        options.source = .recording("demo")
        options.configurationFile = file.path
        try body(LocalRig(options), file.path)
    }

    private func request(_ permission: Permission, always: Bool? = nil) -> Remedy {
        .permission(PermissionChange(.request, permission, always: always), file: nil)
    }

    @Test func `a request names the configuration of its purpose, and without one becomes a grant`() throws {
        try rig("purposes: {location: To recognise trips.}\n") { rig, file in
            for (permission, always, isAsked) in [
                (Permission.location, false, true), (.location, true, false), (.motion, nil, false),
            ] as [(Permission, Bool?, Bool)] {
                let change = PermissionChange(
                    isAsked ? .request : .grant, permission, always: always, configuration: isAsked ? file : nil)
                #expect(rig.workable([request(permission, always: always)]) == [.permission(change, file: nil)])
            }
            #expect(rig.workable([.advice("plug it in")]) == [.advice("plug it in")])
        }
    }

    @Test func `the remedies of every permission are made workable`() throws {
        try rig("{}\n") { rig, _ in
            func refused<Status: Sendable & Equatable>(_ status: Status, _ permission: Permission) -> Authorization<
                Status
            > {
                var authorization = Authorization(status, evidence: "e")
                authorization.remedies = [request(permission, always: permission == .location ? false : nil)]
                return authorization
            }
            let made = rig.workable(
                Authorizations(
                    location: refused(.notDetermined, .location), motion: refused(.notDetermined, .motion),
                    bluetooth: refused(.notDetermined, .bluetooth), health: refused(.notDetermined, .health)))
            for remedies in [
                made.location.remedies, made.motion.remedies, made.bluetooth.remedies, made.health.remedies,
            ] {
                guard case .permission(let change, _)? = remedies.first else {
                    Issue.record("\(remedies)")
                    continue
                }
                #expect(change.action == .grant)
            }
        }
    }
}
