import Rendering
import LocalRig
import ArgumentParser
import Permissions
import Readiness

struct PermissionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "permissions", abstract: "Show what this user may do, and record a user's decisions.",
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

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show each permission's status, what decided it, and what changes it.",
        discussion: "No sensor is sampled unless --depth says so: access needs no sample.")

    @OptionGroup var options: ProbeOptions

    func run() throws {
        try options.format.refuseCases(of: "permissions")
        let rig = try options.shallow.rig()
        let assessment = try rig.assess()
        let report = PermissionsReport(assessment.authorizations)
        guard options.format == .text else {
            Output.finish(try Output.document(report), status: rig.statusWhenShown)
        }
        var page = Page(.current)
        for line in report.permissions {
            let isAllowed = line.status.hasPrefix("authorized") || line.status == "allowedAlways"
            var status = line.status
            if line.accuracy == LocationAccuracy.reducedAccuracy.id { status += ", reduced" }
            if line.id == Permission.location.rawValue, assessment.authorizations.provisional {
                status += ", provisional"
            }
            page.row(
                (line.id.padded(to: 11), .strong), (status.padded(to: 33), isAllowed ? .good : .bad),
                (line.from.padded(to: 8), .faint), rest: line.evidence, style: .faint)
            if let remedy = line.remedy { page.remedy(6, remedy) }
        }
        Output.finish(page.text, status: rig.statusWhenShown)
    }
}

/// The document `rigready.permissions/1`.
struct PermissionsReport: Encodable {
    struct Line: Encodable {
        var id: String
        var status: String
        @Nullable var accuracy: String?
        var from: String
        var evidence: String
        @Nullable var remedy: String?

        init(_ permission: Permission, _ line: AuthorizationLines.Line, _ remedies: [Remedy]) {
            id = permission.rawValue
            status = line.status
            accuracy = line.accuracy
            from = line.from
            evidence = line.evidence
            remedy = remedies.commandLine
        }
    }

    var schema = "rigready.permissions/1"
    /// The four permissions, in the order of the contract.
    var permissions: [Line]

    init(_ authorizations: Authorizations) {
        let lines = AuthorizationLines(authorizations)
        let location = authorizations.location.remedies
        permissions = [
            Line(.location, lines.location, location.isEmpty ? authorizations.accuracy.remedies : location),
            Line(.motion, lines.motion, authorizations.motion.remedies),
            Line(.bluetooth, lines.bluetooth, authorizations.bluetooth.remedies),
            Line(.health, lines.health, authorizations.health.remedies),
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
        let hint = didYouMean(suggestion(for: word, among: allCases.map(\.rawValue)))
        throw ValidationError("expected location, motion, bluetooth or health.\(hint)")
    }
}
