import DriverKit
import Readiness

/// What options of other programs are called here, for a person who guesses.
enum OptionSynonyms {
    /// An option that is guessed, and what means the same here.
    private static let table: [(guesses: [String], meant: String)] = [
        (["--json", "-j"], "--format json"), (["--junit", "--junit-xml", "--xml"], "--format junit"),
        (["--tap"], "--format tap"), (["--html", "--page"], "--format html"),
        (["--text", "--plain"], "--format text"), (["-f", "--type", "--output-format"], "--format"),
        (["-o", "--out", "--output-file", "--report"], "--output FORMAT=FILE"),
        (["--services", "-s", "--feature"], "--service"), (["--sensors", "--device", "--pin"], "--sensor KIND=KEY"),
        (["--recording", "--replay", "--input", "--from"], "--rig"), (["--configuration", "-c"], "--config"),
        (["--license", "--licenses", "--licences", "--licensed"], "--licence"),
        (["--no-color", "--no-colour", "--nocolor", "--monochrome"], "--color never"),
        (["--colour", "--colors"], "--color"),
        (["--silent", "-q"], "--quiet"), (["--wait", "--fix-timeout"], "--wait-fix"),
        (["--duration", "--seconds", "--time"], "--for"), (["--deadline"], "--timeout"),
        (["--user", "-u"], "--as"), (["--host", "--gps"], "--gpsd"), (["--context", "--uri"], "--iio"),
        (["--sys", "--path.sysfs"], "--sysfs"),
        (["--version-of-rules", "--sdk"], "--rules"), (["--simulated"], "--no-simulated"),
        (["--interval", "--poll"], "--resample"), (["--anonymise", "--anonymous", "--redact"], "--anonymize"),
        (["--dryrun", "-n"], "--dry-run"), (["-y", "--assume-yes"], "--yes"),
    ]

    /// The parser's complaint about an unknown option, with what means the same among those that a command's help lists;
    /// nil for any other complaint, or where nothing does.
    static func meant(by complaint: String, in help: String) -> String? {
        let prefix = "unknown option '"
        guard complaint.hasPrefix(prefix) else { return nil }
        let option = String(complaint.dropFirst(prefix.count).prefix { $0 != "'" && $0 != "=" })
        if ["--verbose", "-v", "--details", "--why"].contains(option) {
            return "\(prefix)\(option)'. 'rigready explain SERVICE' shows the evidence."
        }
        guard let entry = table.first(where: { $0.guesses.contains(option) }) else { return nil }
        let name = "  " + entry.meant.prefix { $0 != " " }
        guard help.includes(name + " ") || help.includes(name + "\n") else { return nil }
        return "\(prefix)\(option)'. Did you mean '\(entry.meant)'?"
    }
}
