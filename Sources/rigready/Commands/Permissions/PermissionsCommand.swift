import Rendering
import LocalRig
import ArgumentParser
import Permissions
import Readiness

/// What this user may do, and who decides it.
struct PermissionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "permissions",
        abstract: "Show what this user may do, and rehearse what a user would decide.",
        discussion: """
            Without a word after it, it shows the effective authorizations: what the operating system allows, narrowed \
            by the user's grants, narrowed by the system's policy. Without a grant the operating system decides alone.

            Rehearsing a phone:
              rigready permissions reset location      nobody has decided yet
              rigready permissions request location --always --config app.yaml
              rigready permissions grant location --when-in-use --accuracy reduced
              rigready permissions revoke motion       the user takes it back
              rigready permissions forget              access decides alone again
            """,
        subcommands: [
            ShowCommand.self, GrantCommand.self, RevokeCommand.self, ResetCommand.self, ForgetCommand.self,
            RequestCommand.self,
        ],
        defaultSubcommand: ShowCommand.self
    )
}

/// The effective authorizations, one a line.
struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show each permission's status, who decided it and what would change it.",
        discussion: "Unless --depth says otherwise no sensor is sampled: access needs no sample.")

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
    /// The four permissions, in the order of the contract.
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
    /// The same call at a depth that samples nothing, unless one is named.
    var shallow: ProbeOptions {
        var options = self
        options.depth = depth ?? .state
        return options
    }
}

extension Permission {
    static let help: ArgumentHelp = "location, motion, bluetooth or health."
    static let completion = CompletionKind.list(allCases.map(\.rawValue))

    /// The permission of a word; the nearest one is suggested.
    static func named(_ word: String) throws -> Permission {
        if let permission = Permission(rawValue: word) { return permission }
        let hint = suggestion(for: word, among: allCases.map(\.rawValue)).map { " Did you mean '\($0)'?" } ?? ""
        throw ValidationError("expected location, motion, bluetooth or health.\(hint)")
    }
}
