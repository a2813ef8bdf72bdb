package import ArgumentParser
internal import LocalRig

/// What options of other programs are called here, for a person who guesses.
private enum OptionSynonyms {
    static let table: [(guesses: [String], meant: String)] = [
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
}

/// What an option with this placeholder takes, for a person who gave something else.
private enum ValueWords {
    static let table = [
        "seconds": "a number of seconds without a unit, such as 2 or 0.5",
        "hertz": "a number of hertz without a unit, such as 100",
        "metres": "a number of metres without a unit, such as 25",
        "number": "a whole number, such as 4711",
        "host:port": "a name or an address, and if needed a port from 1 to 65535: localhost, [::1]:2947",
    ]
}

extension ParsableCommand {
    /// The error message for invalid arguments; it begins with a lower-case letter.
    ///
    /// For an unknown option it names the commands that have it, or a similar option. The parser's own suggestion is any
    /// option of similar length.
    package static func complaint(about error: any Error, in words: [String]) -> String {
        var text = message(for: error)
        text = text.prefix(1).lowercased() + text.dropFirst()
        if text.last != ".", text.last != "?" { text += "." }
        if let value = text.wholeMatch(of: /(the value '.*' is invalid for '.*<(.+)>')\./.dotMatchesNewlines()),
            let expected = ValueWords.table[String(value.2)]
        {
            return "\(value.1): expected \(expected)."
        }
        let prefix = "unknown option '"
        guard text.hasPrefix(prefix) else { return text }
        let option = String(text.dropFirst(prefix.count).prefix { $0 != "'" && $0 != "=" })
        let commands = [CommandOutline](of: self)
        guard let command = commands.named(in: words) else { return text }
        let takers = commands.titles(with: option)
        let answer =
            takers.isEmpty
            ? "\(prefix)\(option)'."
            : "\(command.title) has no option \(option): it is an option of \(takers.list("and"))."
        return answer + command.hint(for: option, isKnown: !takers.isEmpty)
    }
}

extension CommandOutline {
    /// A question that suggests an option with the same meaning or a similar name.
    fileprivate func hint(for option: String, isKnown: Bool) -> String {
        if ["--verbose", "-v", "--details", "--why"].contains(option) {
            return " 'rigready explain SERVICE' shows the evidence."
        }
        let listed = optionNames.filter { $0.hasPrefix("--") }
        var meant = OptionSynonyms.table.filter { $0.guesses.contains(option) }.map(\.meant)
            .filter { listed.contains(String($0.prefix { $0 != " " })) }
        if meant.isEmpty, !isKnown {
            // `--fix` is a word of `--wait-fix` and of `--min-fix`.
            let word = option.drop { $0 == "-" }
            meant = listed.sorted().filter { $0.split(separator: "-").contains(word) }
            if meant.isEmpty || meant.count > 2 {
                let name = suggestion(for: String(word), among: listed.map { String($0.dropFirst(2)) })
                meant = name.map { ["--\($0)"] } ?? []
            }
        }
        return didYouMean(meant.isEmpty ? nil : meant.joined(separator: "' or '"))
    }
}
