import ArgumentParser
import CommandOptions
import LocalRig
import Rendering
import SystemPackage

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

struct ShowCommand: ProbingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show each permission's status, what decided it, and what changes it.",
        discussion: """
            Does not sample sensors by default (--depth state).

            --all-units shows which running systemd units and containers have which permissions. Each is evaluated in its \
            place, as by --as-unit and --as-container, which show the evidence and the fix.
            """)

    @Flag(help: "Show each running systemd unit and container, in place of this user; only as root.")
    var allUnits = false

    @OptionGroup var services: ServiceOptions
    @OptionGroup var options: RigOptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var user: UserOptions
    @OptionGroup var cache: CacheOptions
    @OptionGroup var printing: PrintOptions<PageFormats>

    var rigOptions: LocalRig.Options {
        get throws { try LocalRig.Options(services, options, reading, user, cache).withoutSamples }
    }
    var isQuiet: Bool { printing.quiet }

    func validate() throws {
        if printing.format == .html, !allUnits { throw ValidationError("--format html is for --all-units.") }
        guard allUnits else { return }
        if options.rig != nil || cache.cached || user.isGiven {
            throw ValidationError("--all-units evaluates this machine, without --rig, --cached and --as….")
        }
    }

    func run() throws {
        if allUnits { try showAllUnits() }
        let rig = try assembled()
        let report = PermissionsReport(try rig.assess().authorizations)
        try printing.finish(
            CommandResult(
                document: { report }, text: { Self.text(report, on: $0) }, status: rig.statusWhenShown))
    }

    private static func text(_ report: PermissionsReport, on terminal: Terminal) -> String {
        var page = Page(terminal)
        let titles = (id: "permission", status: "status", from: "decided by")
        // As wide as the usual statuses, so that two listings look alike.
        let width = report.permissions.map(\.words.count).reduce(20, max)
        page.headings(
            titles.id.column(titles.id.count), titles.status.column(width), titles.from.column(titles.from.count),
            rest: "evidence")
        for line in report.permissions {
            page.row(
                (line.id.column(titles.id.count), .strong), (line.words.column(width), line.isAllowed ? .good : .bad),
                (line.from.column(titles.from.count), .faint), rest: line.evidence, style: .faint)
            if let remedy = line.remedy { page.remedy(6, remedy) }
        }
        return page.text
    }
}

extension ShowCommand {
    private func showAllUnits() throws -> Never {
        let options = try rigOptions
        let report = try options.rightsOfRunning { number, subject in
            if !isQuiet { ProgressLine.show("\(number.part) of \(number.whole): \(subject.name)") }
        }
        if !isQuiet { ProgressLine.show("") }
        try printing.finish(
            CommandResult(
                document: { report }, text: { Self.text(report, on: $0) }, page: { report.html }, status: 0))
    }

    private static func text(_ report: RightsReport, on terminal: Terminal) -> String {
        var page = Page(terminal)
        guard !report.subjects.isEmpty else {
            page.row(rest: "No running unit of systemd and no container was found.", style: .faint)
            return page.text
        }
        let titles = ["unit or container", "user"] + RightsReport.columns.map(\.rawValue)
        let cells = report.subjects.map { line in
            [line.name, line.user ?? ""] + line.permissions.map(\.words)
        }
        let widths = titles.indices.map { column in
            cells.compactMap { $0.indices.contains(column) ? $0[column].columns : nil }.reduce(
                titles[column].count, max)
        }
        func padded(_ texts: [String]) -> [String] { zip(texts, widths).map { $0.column($1) } }
        page.row(padded(titles).map { ($0, .faint) })
        for (line, texts) in zip(report.subjects, cells) {
            let tones: [Terminal.Style?] = [.strong, .faint] + line.permissions.map { $0.tone.style }
            page.row(Array(zip(padded(texts), tones)), rest: line.failure ?? "", style: .doubtful)
        }
        page.blank()
        page.hanging(0, "The evidence and the fix: rigready permissions --as-unit NAME, or --as-container NAME", .faint)
        return page.text
    }
}

extension Permission {
    static let help: ArgumentHelp = "location, motion, bluetooth or health."
    static let completion = CompletionKind.list(words)
    private static var words: [String] { allCases.map(\.rawValue) }

    /// Parses one of the words; the error suggests the nearest one.
    static func named(_ word: String) throws -> Permission {
        if let permission = Self(rawValue: word) { return permission }
        throw ValidationError("expected \(words.list("or")).\(didYouMean(suggestion(for: word, among: words)))")
    }
}

extension DecisionOptions {
    /// Changes the grants on file, prints the current ones, and exits.
    fileprivate func change(_ permissions: [Permission], _ change: (inout Grants) -> Void) throws -> Never {
        let file = try grantFile()
        let policy = try LocalRig.Options(self).decisionFiles.readPolicy()
        let grants = try file.update { grants -> Grants in
            change(&grants)
            return grants
        }
        for permission in permissions {
            Output.complain("\(file.path.string): \(permission.rawValue): \(grants.words(about: permission))")
            if policy.restricted.contains(permission) {
                Output.complain("it has no effect: \(policy.file ?? "the policy") restricts \(permission.rawValue)")
            }
        }
        Output.finish("", status: 0)
    }
}

struct GrantCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant", abstract: "Record that the user allows a permission.",
        discussion: "A grant never widens what the operating system allows.")

    enum AccuracyChoice: String, CaseIterable, ExpressibleByArgument { case full, reduced }

    @Argument(help: Permission.help, completion: Permission.completion, transform: Permission.named)
    var name: Permission

    @Flag(help: "Location, while in use.")
    var whenInUse = false

    @Flag(help: "Location, always.")
    var always = false

    @Flag(help: "Location, until the login session ends (without a session: until reboot).")
    var once = false

    @Option(help: "How accurate a location may be: full or reduced (default: full).")
    var accuracy: AccuracyChoice?

    @OptionGroup var files: DecisionOptions

    func validate() throws {
        let levels = [whenInUse, always, once].count { $0 }
        if name == .location, levels != 1 {
            throw ValidationError("grant location takes one of --when-in-use, --always and --once.")
        }
        if name != .location, levels > 0 || accuracy != nil {
            throw ValidationError("--when-in-use, --always, --once and --accuracy are only for location.")
        }
    }

    func run() throws {
        try files.change([name]) { grants in
            guard name == .location else { return grants.record(.allowed, about: name) }
            grants.location = LocationGrant(
                always ? .always : .whenInUse, isReduced: accuracy == .reduced, once: once ? .once(.live) : nil)
        }
    }
}

struct RevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Record that the user denies a permission.")

    @Argument(help: Permission.help, completion: Permission.completion, transform: Permission.named)
    var name: Permission
    @OptionGroup var files: DecisionOptions

    func run() throws { try files.change([name]) { $0.record(.denied, about: name) } }
}

struct ResetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Record that a permission is not decided, so that a request asks.")

    @Argument(help: Permission.help, completion: Permission.completion, transform: Permission.named)
    var name: Permission
    @OptionGroup var files: DecisionOptions

    func run() throws { try files.change([name]) { $0.record(.notDetermined, about: name) } }
}

struct ForgetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Remove the record of one or all permissions, so that access alone decides again.")

    @Argument(
        help: "location, motion, bluetooth or health; all without it.", completion: Permission.completion,
        transform: Permission.named)
    var name: Permission?
    @OptionGroup var files: DecisionOptions

    func run() throws {
        let names = name.map { [$0] } ?? Permission.allCases
        try files.change(names) { grants in names.forEach { grants.forget($0) } }
    }
}

extension Grants {
    fileprivate func words(about permission: Permission) -> String {
        let words: String? =
            if let record = Self.record(of: permission) {
                self[keyPath: record]?.rawValue
            } else {
                location.map {
                    $0.decision.rawValue + ($0.once == nil ? "" : ", once") + ($0.isReduced ? ", reduced" : "")
                }
            }
        return words ?? "no record; access alone decides"
    }
}
