internal import ArgumentParser
internal import LocalRig

/// What a shell completes for the options of a rig, computed when it asks, in the form that the parser asks for.
package enum CompletionWords {
    /// The services, by their names and short ones, behind the others of a list.
    @Sendable package static func services(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        let others = prefix.lastIndex(of: ",").map { String(prefix[...$0]) } ?? ""
        return Service.allCases.flatMap { [$0.id, $0.shortName].compactMap(\.self) }.map { others + $0 }
    }

    /// The words for `explain`: services, kinds, causes and notices; after a dot, also the causes of a kind.
    @Sendable package static func explained(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        let isDotted = prefix.utf8.contains(UInt8(ascii: "."))
        return services(arguments, index, "") + FindingQuery.words + (isDotted ? FindingQuery.findings : [])
    }

    /// The kinds, and with each the keys of the rig that the command names with `--rig`, else of this machine.
    ///
    /// They are those of the running service's report, else of a probe that reads no sensor and ends within a second;
    /// where neither works the kinds alone. zsh takes what follows a colon for a description, unless a backslash precedes
    /// the colon.
    @Sendable package static func sensors(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        let isForZsh = CompletionShell.requesting == .zsh
        let kinds = SensorKind.allCases.map { $0.id + "=" }
        var options = LocalRig.Options.environment
        options.depth = .presence
        options.timeout = .seconds(0.8)
        let machine = options
        if let place = words.firstIndex(of: "--rig"), words.indices.contains(place + 1) {
            options.read(.recording(words[place + 1]))
        } else {
            options.source = .cached(file: CachedReport.defaultFile, maximumAge: .seconds(10))
        }
        guard let sensors = sensors(options) ?? sensors(machine) else { return kinds }
        return kinds
            + sensors.map { sensor in
                let key = sensor.key.singleLine
                let word = isForZsh ? key.escapedForZsh : key
                return "\(sensor.kind.id)=\(word)"
            }
    }

    /// The sensors of a rig; nil if there are none, or it cannot be read.
    private static func sensors(_ options: LocalRig.Options) -> [Sensor]? {
        guard let rig = try? LocalRig(options), let assessment = try? rig.assess(), !assessment.sensors.isEmpty else {
            return nil
        }
        return assessment.sensors
    }
}

extension String {
    /// The text with a backslash before each backslash and colon; by scalars, as a combining mark may follow one.
    fileprivate var escapedForZsh: String {
        String(
            String.UnicodeScalarView(unicodeScalars.flatMap { "\\:".unicodeScalars.contains($0) ? ["\\", $0] : [$0] }))
    }
}
