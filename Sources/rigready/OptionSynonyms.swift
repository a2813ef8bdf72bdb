import LocalRig
import Readiness

/// What options of other programs are called here, for a person who guesses.
enum OptionSynonyms {
    private static let table: [(guesses: [String], meant: String)] = [
        (["--json", "-j"], "--format json"), (["--junit", "--junit-xml", "--xml"], "--format junit"),
        (["--tap"], "--format tap"), (["--html", "--page"], "--format html"),
        (["--text", "--plain"], "--format text"), (["-f", "--type", "--output-format"], "--format"),
        (["-o", "--out", "--output-file", "--report", "--save"], "--output FORMAT=FILE"),
        (["--services", "-s", "--feature"], "--service"), (["--sensors", "--device", "--pin"], "--sensor KIND=KEY"),
        (["--recording", "--replay", "--input", "--from"], "--rig"), (["--configuration", "-c"], "--config"),
        (["--license", "--licenses", "--licences", "--licensed"], "--licence"),
        (["--no-color", "--no-colour", "--nocolor", "--monochrome"], "--color never"),
        (["--colour", "--colors"], "--color"),
        (["--silent", "-q"], "--quiet"), (["--wait", "--fix-timeout"], "--wait-fix"),
        (["--duration", "--seconds", "--time"], "--for"), (["--deadline"], "--timeout"),
        (["--user", "-u"], "--as"), (["--host", "--gps"], "--gpsd"), (["--context", "--uri"], "--iio"),
        (["--sys", "--path.sysfs", "--root"], "--sysfs"),
        (["--version-of-rules", "--sdk"], "--rules"), (["--simulated"], "--no-simulated"),
        (["--interval", "--poll"], "--resample"), (["--anonymise", "--anonymous", "--redact"], "--anonymize"),
        (["--dryrun", "-n"], "--dry-run"), (["-y", "--assume-yes"], "--yes"),
    ]

    /// The parser's complaint about an unknown option, with what means the same among those that a command's help lists, or
    /// is written nearly so; nil for any other complaint.
    ///
    /// The parser itself suggests any option that is not much longer.
    static func meant(by complaint: String, in help: String) -> String? {
        let prefix = "unknown option '"
        guard complaint.hasPrefix(prefix) else { return nil }
        let option = String(complaint.dropFirst(prefix.count).prefix { $0 != "'" && $0 != "=" })
        if ["--verbose", "-v", "--details", "--why"].contains(option) {
            return "\(prefix)\(option)'. 'rigready explain SERVICE' shows the evidence."
        }
        let listed = help.split(whereSeparator: { " /\n".contains($0) }).filter { $0.hasPrefix("--") }.map(String.init)
        var meant = table.filter { $0.guesses.contains(option) }.map(\.meant)
            .filter { listed.contains(String($0.prefix { $0 != " " })) }
        if meant.isEmpty {
            // `--fix` is a word of `--wait-fix` and of `--min-fix`.
            let word = option.drop { $0 == "-" }
            meant = Set(listed).sorted().filter { $0.split(separator: "-").contains(word) }
            if meant.isEmpty || meant.count > 2 {
                let name = suggestion(for: String(word), among: listed.map { String($0.dropFirst(2)) })
                meant = name.map { ["--\($0)"] } ?? []
            }
        }
        return "\(prefix)\(option)'." + didYouMean(meant.isEmpty ? nil : meant.joined(separator: "' or '"))
    }
}
