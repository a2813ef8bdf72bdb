import Rendering
import LocalRig
import ArgumentParser
import Permissions
import Readiness

/// Shows and changes what this user may do.
struct PermissionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "permissions",
        abstract: "Show what this user may do, and record a user's decisions.",
        discussion: """
            Without a subcommand, it shows the effective authorizations: what the operating system allows, narrowed \
            by the user's grants, narrowed by the system's policy. Without a grant the operating system alone decides.

            Simulate a phone:
              rigready permissions reset location      not decided yet
              rigready permissions request location --always --config app.yaml
              rigready permissions grant location --when-in-use --accuracy reduced
              rigready permissions revoke motion       the user revokes it
              rigready permissions forget              access alone decides again
            """,
        subcommands: [
            ShowCommand.self, GrantCommand.self, RevokeCommand.self, ResetCommand.self, ForgetCommand.self,
            RequestCommand.self,
        ],
        defaultSubcommand: ShowCommand.self
    )
}

/// Prints the effective authorizations, one per line.
struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show each permission's status, what decided it, and what changes it.",
        discussion: "No sensor is sampled unless --depth says so: access needs no sample.")

    @OptionGroup var options: ProbeOptions

    func run() throws {
        try options.format.refuseCases(of: "permissions")
        let rig = try options.shallow.rig()
        let assessment = try rig.assess()
        let lines = PermissionLine.all(assessment.authorizations)
        guard options.format == .text else {
            Output.finish(
                try Output.document(PermissionsReport(permissions: lines)), status: rig.statusWhenShown)
        }
        var page = Page(.current)
        for line in lines {
            let isAllowed = line.status.hasPrefix("authorized") || line.status == "allowedAlways"
            var status = line.status
            if line.accuracy == LocationAccuracy.reducedAccuracy.id { status += ", reduced" }
            if line.id == Permission.location.rawValue, assessment.authorizations.provisional {
                status += ", provisional"
            }
            page.row(
                [
                    (line.id.padded(to: 11), .strong), (status.padded(to: 33), isAllowed ? .good : .bad),
                    (line.from.padded(to: 8), .faint),
                ], rest: line.evidence, style: .faint)
            if let remedy = line.remedy { page.remedy(6, remedy) }
        }
        Output.finish(page.text, status: rig.statusWhenShown)
    }
}

struct PermissionLine: Encodable {
    var id: String
    var status: String
    @Nullable var accuracy: String?
    var from: String
    var evidence: String
    @Nullable var remedy: String?
}

/// The document `rigready.permissions/1`.
struct PermissionsReport: Encodable {
    var schema = "rigready.permissions/1"
    var permissions: [PermissionLine]
}

extension PermissionLine {
    /// Returns the four permissions, in the order of the contract.
    static func all(_ authorizations: Authorizations) -> [Self] {
        func plain(_ permission: Permission, _ one: Authorization<AuthorizationStatus>, _ allowed: String) -> Self {
            Self(
                id: permission.rawValue, status: one.status.id(allowed: allowed), accuracy: nil,
                from: one.from.rawValue, evidence: one.evidence, remedy: one.remedies.commandLine)
        }
        let location = authorizations.location
        return [
            Self(
                id: Permission.location.rawValue, status: location.status.id,
                accuracy: authorizations.accuracy.status.id, from: authorizations.locationSource.rawValue,
                evidence: authorizations.locationEvidence,
                remedy: location.remedies.commandLine ?? authorizations.accuracy.remedies.commandLine),
            plain(.motion, authorizations.motion, "authorized"),
            plain(.bluetooth, authorizations.bluetooth, "allowedAlways"),
            plain(.health, authorizations.health, "authorized"),
        ]
    }
}

extension ProbeOptions {
    /// The same options at a depth without samples, unless a depth is given.
    var shallow: ProbeOptions {
        var options = self
        options.depth = depth ?? .state
        return options
    }
}

extension Permission {
    static let help: ArgumentHelp = "location, motion, bluetooth or health."
    static let completion = CompletionKind.list(allCases.map(\.rawValue))

    /// Parses a permission; the error suggests the nearest one.
    static func named(_ word: String) throws -> Permission {
        if let permission = Permission(rawValue: word) { return permission }
        let hint = suggestion(for: word, among: allCases.map(\.rawValue)).map { " Did you mean '\($0)'?" } ?? ""
        throw ValidationError("expected location, motion, bluetooth or health.\(hint)")
    }
}
