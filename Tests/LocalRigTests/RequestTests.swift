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

    /// Root is advised nowhere where the evaluated program has it already, or is another one than this.
    @Test(
        arguments: [
            (1000, true, nil, nil), (1000, false, nil, "run it again as root"),
            (0, true, nil, "run it as root with all capabilities, outside a container"),
            (1000, true, "unit:lab.service", "run the unit lab.service as root"),
            (0, false, "process:7", "run process 7 as root with all capabilities"),
        ] as [(UInt32, Bool, String?, String?)])
    func `what root would permit is advised to the program that needs it`(
        user: UInt32, hasSudo: Bool, subject: String?, words: String?
    ) throws {
        var recording = try EmbeddedRig.demo.recording()
        recording.header.uid = user
        recording.header.hasSudo = hasSudo
        recording.header.subject = subject
        let file = FileManager.default.temporaryDirectory.appending(path: "rigready-\(UUID()).jsonl")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(recording.serialized(compressed: false)).write(to: file)
        var options = LocalRig.Options()
        options.source = .recording(file.path)
        let obstacle = Obstacle(
            kind: .bluetoothAdapter, cause: .denied, detail: "d",
            remedies: [.option(.asRoot), .command("sudo rfkill unblock bluetooth")])
        let driver = DriverReport(name: "bluetooth", kinds: [], state: .failed, accessRemedies: [.option(.asRoot)])
        let made = try LocalRig(options).workable(
            Inventory(depth: .sample, drivers: [driver], obstacles: [obstacle]))
        let isWithSudo = user != 0 && hasSudo
        let expected = words.map { Remedy.advice($0) } ?? .option(.asRoot)
        #expect(made.obstacles[0].remedies.first == expected)
        #expect(made.obstacles[0].remedies.last?.words == "\(isWithSudo ? "sudo " : "")rfkill unblock bluetooth")
        #expect(made.drivers[0].accessRemedies == [expected])
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
