internal import Readiness

/// What a shell completes for the options of a rig, computed when it asks.
package enum CompletionWords {
    /// The services, by their names and short ones, behind the others of a list; in the form that the parser asks for.
    @Sendable package static func services(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        let others = prefix.lastIndex(of: ",").map { String(prefix[...$0]) } ?? ""
        return Service.allCases.flatMap { [$0.id, $0.shortName].compactMap(\.self) }.map { others + $0 }
    }

    /// The kinds, and with each the keys of the rig that the command names with `--rig`, else of this machine.
    ///
    /// They are those of the running service's report, else of a probe that reads no sensor and ends within a second;
    /// where neither works the kinds alone. zsh takes what follows a colon for a description, unless a backslash precedes
    /// the colon.
    package static func sensors(ofRigIn words: [String], isForZsh: Bool) -> [String] {
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
                let word = isForZsh ? key.replacing("\\", with: "\\\\").replacing(":", with: "\\:") : key
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
