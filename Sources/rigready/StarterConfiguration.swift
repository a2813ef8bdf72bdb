import DriverKit
import FoundationEssentials
import LocalRig
import Rendering
import SystemPackage

/// A commented configuration of a rig, for `rigready init`: what was found, what was asked for, and an example of every
/// other key.
///
/// A line that is not in use has `#` directly before its key, so that it is in use without this sign; a comment has `# `.
struct StarterConfiguration {
    /// A line below a key.
    private struct Entry {
        var yaml: String
        var isUsed = false
        /// What follows the value, for people.
        var remark: String?
    }

    /// The rig, evaluated without a configuration.
    let assessment: Assessment
    /// The options of that evaluation.
    let options: LocalRig.Options
    /// The command that checks the rig with the file.
    let command: String
    /// Whether the command has options without a key.
    let hasOtherOptions: Bool

    /// The schema of a configuration as it is installed: with this program, else by a package or `Scripts/install`.
    static var schema: String {
        let name = "share/rigready/schemas/configuration.schema.json"
        let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let prefix = program.map { FilePath($0).removingLastComponent().removingLastComponent().string }
        let files = ([prefix].compactMap(\.self) + ["/usr", "/usr/local"]).map { "\($0)/\(name)" }
        return files.first { ShellWord.isPlain($0) && InputFile.exists($0) } ?? "/usr/\(name)"
    }

    private var rules: Rules { assessment.request.evaluator.rules }

    /// The whole file.
    var text: String {
        let rig = assessment.rig
        var lines = [
            "# yaml-language-server: $schema=\(Self.schema)",
            "# The configuration of \(rig.host), \(rig.takenAt), by rigready \(Release.version).".printable,
            "# Every key may be left out. Remove the # directly before a key to use it.",
            "# To check the rig with this file: \(command)",
        ]
        if hasOtherOptions { lines.append("# The other options of this command have no key in a configuration.") }
        lines += Self.section(
            "The services that the app uses; a sub-service needs its parent. "
                + (options.services == nil
                    ? "Services that run on this rig now are in use." : "The services that were named are in use."),
            "services", services)
        lines += Self.section(
            "The sensors under test: no other sensor of the kind counts. Use at most one line for each kind.",
            "require", pins)
        lines += Self.section("Requirements of the table that are optional without these options.", "options", flags)
        lines += licence
        lines += Self.section("The quality that a precise location needs.", "location", location)
        lines += version
        lines += Self.section("Known findings, which do not count until their last day is over.", "accept", accepted)
        lines += Self.section(
            "The limits of rigready measure; the profile sets all limits that are not listed.", "quality", Self.quality)
        lines += Self.section(
            "Why the app needs each permission, in the text that a request shows.", "purposes", Self.purposes)
        lines += Self.section(
            "The MQTT broker of the fleet, for rigready fleet and rigready watch --publish.", "broker", Self.broker)
        lines += Self.line(
            "Whether live updates of location need a service session of the app.", "explicitServiceSession: true")
        lines += Self.line(
            "Whether location is coarse until the user allows full accuracy.", "defaultAccuracyReduced: true")
        return lines.map { $0 + "\n" }.joined()
    }

    // MARK: Layout

    /// A key and what is below it; the key is in use if an entry is.
    private static func section(_ comment: String, _ key: String, _ entries: [Entry]) -> [String] {
        guard !entries.isEmpty else { return [] }
        let isUsed = entries.contains(where: \.isUsed)
        let lines = entries.map { entry in
            let start = isUsed ? (entry.isUsed ? "  " : "  #") : "#  "
            return start + entry.yaml + (entry.remark.map { "    # \($0.printable)" } ?? "")
        }
        return ["", "# \(comment)", "\(isUsed ? "" : "#")\(key):"] + lines
    }

    /// A key with its value on one line.
    private static func line(_ comment: String, _ yaml: String, isUsed: Bool = false) -> [String] {
        ["", "# \(comment)", "\(isUsed ? "" : "#")\(yaml)"]
    }

    // MARK: What was found, and what was asked for

    /// Each service that was asked for; in use are those that were named, otherwise those that run, with their parents.
    private var services: [Entry] {
        assessment.services.map { service in
            let isUsed = options.services != nil || [.runs, .degraded].contains(service.verdict)
            let reason = "\(service.verdict.id): \(assessment.reason(for: service))"
            return Entry(yaml: "- \(service.id)", isUsed: isUsed, remark: service.verdict == .runs ? nil : reason)
        }
    }

    /// The pins that were asked for, then each sensor; a sensor that is not in use changes no verdict.
    private var pins: [Entry] {
        let asked = SensorKind.allCases.compactMap { kind in
            options.pins[kind].map { Entry(yaml: "\(kind.id): \($0.quotedForYAML)", isUsed: true) }
        }
        let found = assessment.sensors.map { sensor in
            var remark = sensor.label ?? sensor.name
            if case .unavailable(let cause) = sensor.availability { remark += ": \(cause.title)" }
            return Entry(yaml: "\(sensor.kind.id): \(sensor.key.quotedForYAML)", remark: remark)
        }
        return asked + found
    }

    private var flags: [Entry] {
        let known: [(flag: OptionFlags, key: String, remark: String)] = [
            (.motionPermissionMandatory, "motionPermissionMandatory", "requires access to motion"),
            (
                .backgroundLocationPermissionMandatory, "backgroundLocationPermissionMandatory",
                "requires location in the background"
            ),
        ]
        return known.filter { rules.flags.contains($0.flag) }.map { flag, key, remark in
            Entry(yaml: "\(key): true", isUsed: options.flags.contains(flag), remark: remark)
        }
    }

    private var licence: [String] {
        let services = (options.licence ?? rules.services).members.map(\.id).joined(separator: ", ")
        return Self.line(
            "The licensed services; a parent and its sub-services are listed separately. Without the key, all.",
            "licence: [\(services)]", isUsed: options.licence != nil)
    }

    private var location: [Entry] {
        [
            Entry(
                yaml: "maxError: \(options.maximumError.map { "\($0)" } ?? "100")", isUsed: options.maximumError != nil,
                remark: "the greatest horizontal error in metres, 95 %"),
            Entry(
                yaml: "allowEstimated: true", isUsed: options.allowsEstimated == true,
                remark: "dead reckoning and time-only fixes count"),
        ]
    }

    private var version: [String] {
        Self.line(
            "The version of the requirement table. Without the key, the newest.",
            "rules: \"\(options.rules ?? rules.profile)\"", isUsed: options.rules != nil)
    }

    /// An example, of a finding of this rig if it has one.
    private var accepted: [Entry] {
        let unmet = assessment.requirements.first { $0.status == .unmet && $0.cause != nil }
        let id = [unmet?.id ?? Requirement.gyroscope.id, (unmet?.cause ?? .absent).id].joined(separator: ".")
        return [
            Entry(yaml: "- id: \(id)", remark: "a requirement, or a requirement with its cause"),
            Entry(yaml: "  reason: \"the part is in repair\"", remark: "any text"),
            Entry(yaml: "  until: 2099-12-31", remark: "the last day, in UTC"),
        ]
    }

    // MARK: Examples

    private static let quality = [
        Entry(yaml: "profile: standard", remark: "standard, android, automotive or px4"),
        Entry(yaml: "accelerometer: {minimumRate: 100, maximumGaps: 0}", remark: "the rate in Hz"),
        Entry(yaml: "gyroscope: {minimumRate: 100, maximumGaps: 0}"),
        Entry(yaml: "locationReceiver: {minimumRate: 1, maximumGaps: 2}"),
    ]

    private static let purposes = [
        Entry(yaml: "location: \"To recognise trips.\"", remark: "location while the app is in use"),
        Entry(yaml: "backgroundLocation: \"To recognise trips in the background.\"", remark: "location at any time"),
        Entry(yaml: "motion: \"To distinguish walking from driving.\"", remark: "motion and fitness"),
        Entry(yaml: "bluetooth: \"To find the beacon of the car.\"", remark: "Bluetooth"),
        Entry(yaml: "health: \"To count the steps of a walk.\"", remark: "steps; at least 12 characters"),
    ]

    private static let broker = [
        Entry(yaml: "urls: [mqtts://lab.example]", remark: "tried in turn"),
        Entry(yaml: "passwordFile: broker-password", remark: "two lines, user and password; mode 0640"),
        Entry(yaml: "caFile: lab-ca.pem", remark: "without the key, the certificates that the system trusts"),
        Entry(yaml: "certificateFile: rig.pem", remark: "the certificate of this client"),
        Entry(yaml: "keyFile: rig.key", remark: "its key, without a passphrase"),
    ]
}
