import ArgumentParser
import CommandOptions
import LocalRig
import SystemPackage

struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Audit a host app's Info.plist and entitlements against the services it wants.",
        discussion: """
            PATH is an Info.plist (XML or binary), an .app folder or an entitlements file. The audit checks that \
            all texts required by the store or by a service are present, and that health texts have at least 12 \
            characters. It reports unknown keys, such as misspelt keys and names of types. The entitlements of an .app \
            folder are in its signature, which is not read: pass their file with --entitlements.

            Exit status: 0 no error (warnings do not count), 1 at least one, 66 a file is not a property list.

            Try:
              rigready audit App/Info.plist                       for every service
              rigready audit App/Info.plist --config app.yaml     for the app's own services
              rigready audit App.app --entitlements App.entitlements --service health
              rigready audit App/Info.plist --minimum-ios 12 --format junit >audit.xml
            """)

    @Argument(
        help: .value("path", "An Info.plist, an .app folder or an entitlements file."),
        completion: .file())
    var path: String

    @Option(help: .value("file", "Read the entitlements from this file."), completion: .file())
    var entitlements: String?

    @Option(
        help: .value(
            "version", "The oldest iOS that the app is built for (default: its MinimumOSVersion, else a recent one)."),
        transform: IOSVersion.named)
    var minimumIOS: IOSVersion?

    @OptionGroup var services: ServiceOptions
    @OptionGroup var configuration: ConfigurationOptions
    @OptionGroup var table: TableOptions
    @OptionGroup var rules: RuleOptions
    @OptionGroup var printing: PrintOptions<CaseFormats>

    func run() throws {
        let options = try LocalRig.Options(services, configuration, table, rules)
        let asked = try LocalRig.asked(by: options)
        (options.remarks + asked.configuration.remarks).forEach { Output.complain($0) }
        let evaluator = asked.request.evaluator
        let app = try AppDeclarations(at: path, entitlements: entitlements)
        let audit = Audit(
            of: app, for: evaluator.rows, version: evaluator.rules.version, minimumIOS: minimumIOS,
            purposes: Array(asked.configuration.purposes.fullAccuracy.keys))
        let report = AuditReport(audit, of: path, asked: evaluator.asked)
        try printing.finish(
            CommandResult(
                document: { report }, text: report.text, cases: { report.caseList }, status: report.exitStatus))
    }
}

extension IOSVersion {
    fileprivate static func named(_ word: String) throws -> IOSVersion {
        if let version = IOSVersion(word) { return version }
        throw ValidationError("expected a version such as 13.0.")
    }
}

extension AppDeclarations {
    /// Reads the file or folder at a path, and a file of entitlements; throws a `CommandFailure` with the place of the
    /// error.
    fileprivate init(at path: String, entitlements file: String?) throws {
        self.init()
        if Self.isFolder(path) {
            let contents = path + (path.hasSuffix("/") ? "" : "/")
            // An app for iOS has it at its root, one for macOS in Contents.
            guard
                let root = ["", "Contents/"].map({ contents + $0 }).first(where: { InputFile.exists($0 + "Info.plist") }
                )
            else {
                throw CommandFailure(
                    .badFile, "\(path): expected an .app folder with an Info.plist in it, found a folder without")
            }
            information = try Self.dictionary(of: root + "Info.plist", expecting: "an Info.plist")
            let frameworks = ["MoveSDKHealth", "DolphinMoveSDKHealth", "MoveSDK", "DolphinMoveSDK"].map {
                InputFile.exists(root + "Frameworks/\($0).framework")
            }
            // Without a framework of the SDK it may be linked statically.
            if frameworks.contains(true) { linksHealth = frameworks[0] || frameworks[1] }
            // Only old builds leave them next to it.
            let archived = root + "archived-expanded-entitlements.xcent"
            if file == nil, InputFile.exists(archived) {
                entitlements = try Self.dictionary(of: archived, expecting: "entitlements")
            }
        } else {
            let keys = try Self.dictionary(of: path, expecting: "an Info.plist, an .app folder or entitlements")
            let isNamedSo = [".entitlements", ".xcent"].contains { path.hasSuffix($0) }
            if isNamedSo || AppDeclarations.areEntitlements(keys.keys) {
                guard file == nil else {
                    throw CommandFailure(
                        .usage, "\(path) is an entitlements file itself; --entitlements is only for an Info.plist.")
                }
                entitlements = keys
            } else {
                information = keys
            }
        }
        if let file { entitlements = try Self.dictionary(of: file, expecting: "entitlements") }
    }

    private static func dictionary(of file: String, expecting: String) throws -> [String: PropertyList] {
        let expected = "\(expecting) as an XML or binary property list"
        let bytes = try InputFile.read(file, limit: PropertyList.limit, expecting: expected)
        let value = try PropertyList(parsing: bytes, file: file)
        guard let entries = value.entries else {
            throw CommandFailure(.badFile, "\(file): expected a dictionary, found \(value.words)")
        }
        return entries
    }

    private static func isFolder(_ path: String) -> Bool { (try? Stat(FilePath(path)))?.type == .directory }
}
