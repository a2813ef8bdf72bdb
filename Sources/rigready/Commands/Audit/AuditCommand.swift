import LocalRig
import ArgumentParser
import Configuration
import AppAudit
import Readiness

/// Compares a host app's declarations with the services that it wants.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", _superCommandName: RigReady.name,
        abstract: "Audit a host app's Info.plist and entitlements against the services it wants.",
        discussion: """
            PATH is an Info.plist (XML or binary), an .app folder or an entitlements file. The audit checks every text \
            that the store or a wanted service needs, that health texts have at least 12 characters, and for keys that \
            nothing reads: misspelt ones and names of types. The entitlements of an .app folder are in its signature, \
            which is not read: pass their file with --entitlements.

            Exit status: 0 no error (warnings do not count), 1 at least one, 66 a file is not a property list.

            Try:
              rigready audit App/Info.plist                       for every service
              rigready audit App/Info.plist --config app.yaml     for the app's own services
              rigready audit App.app --entitlements App.entitlements --service health
              rigready audit App/Info.plist --minimum-ios 12 --format junit >audit.xml
            """)

    @Argument(
        help: ArgumentHelp("An Info.plist, an .app folder or an entitlements file.", valueName: "path"),
        completion: .file())
    var path: String

    @Option(
        help: ArgumentHelp("Read the entitlements from this file.", valueName: "file"), completion: .file())
    var entitlements: String?

    @Option(
        help: ArgumentHelp(
            "The oldest iOS that the app is built for (default: its MinimumOSVersion, else a recent one).",
            valueName: "version"),
        transform: IOSVersion.named)
    var minimumIOS: IOSVersion?

    @Option(help: ArgumentHelp("The app wants this service; repeatable. See 'rigready services'.", valueName: "name"))
    var service: [String] = []

    @Option(
        help: ArgumentHelp("Take services, options and purposes from this YAML or JSON file.", valueName: "file"),
        completion: .file())
    var config: String?

    @Option(
        help: ArgumentHelp("The requirement table: 1.x or 2.MINOR; the newest profile not newer.", valueName: "version")
    )
    var rules: String?

    @Flag(help: "Require motion access wherever it is optional.")
    var motionMandatory = false

    @Flag(help: "Require background location wherever it is optional.")
    var backgroundLocationMandatory = false

    @Option(help: ArgumentHelp("text, json, junit or tap.", valueName: "format"))
    var format: Format = .text

    func run() throws {
        var options = LocalRig.Options()
        options.configurationFile = config
        options.rules = try rules.map(RulesVersion.named)
        options.services = service.isEmpty ? nil : try service.map(Service.named)
        if motionMandatory { options.flags.insert(.motionPermissionMandatory) }
        if backgroundLocationMandatory { options.flags.insert(.backgroundLocationPermissionMandatory) }
        let asked = try LocalRig.asked(by: options)
        asked.configuration.remarks.forEach { Output.complain($0) }
        let evaluator = asked.request.evaluator
        let files = try AppFiles(path, entitlements: entitlements)
        let audit = Audit(
            of: files.app, for: evaluator.rows, version: evaluator.rules.version, minimumIOS: minimumIOS,
            purposes: Array(asked.configuration.purposes.fullAccuracy.keys))
        let report = AuditReport(audit, of: path, asked: evaluator.asked)
        let text =
            switch format {
            case .json: try Output.document(report)
            case .text: report.text(on: .current)
            case .junit: JUnitReport(list: report.caseList).text
            case .tap: TAPReport(list: report.caseList).text
            }
        Output.finish(text, status: report.exitStatus)
    }
}

extension IOSVersion {
    /// Parses a version of the command line.
    fileprivate static func named(_ word: String) throws -> IOSVersion {
        if let version = IOSVersion(word) { return version }
        throw ValidationError("expected a version such as 13.0.")
    }
}
