import ArgumentParser
import LocalRig
import Readiness

/// What a shell completes, computed when it asks.
enum CompletionWords {
    /// The services, by their names and short ones.
    @Sendable static func services(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        // A list may have others before the last comma.
        let others = prefix.lastIndex(of: ",").map { String(prefix[...$0]) } ?? ""
        return Service.allCases.flatMap { [$0.id, $0.shortName].compactMap(\.self) }.map { others + $0 }
    }

    /// The formats of `--output`, each before the name of its file.
    @Sendable static func outputs(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        (Format.allValueStrings + ["record"]).map { $0 + "=" }
    }

    /// The kinds, and with each the keys of the rig that the command names, else of this machine.
    ///
    /// They are those of the running service's report, else of a probe that reads no sensor and ends within a second;
    /// where neither works the kinds alone.
    @Sendable static func sensors(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        let kinds = SensorKind.allCases.map { $0.id + "=" }
        var options = LocalRig.Options()
        if let place = arguments.firstIndex(of: "--rig"), arguments.indices.contains(place + 1) {
            options.source = .recording(arguments[place + 1])
        } else {
            options.source = .cached(file: CachedReport.defaultFile, maximumAge: .seconds(10))
        }
        options.depth = .presence
        options.timeout = .seconds(0.8)
        guard let sensors = sensors(options) ?? sensors(LocalRig.Options(presenceWithin: .seconds(0.8))) else {
            return kinds
        }
        return kinds + sensors.map { "\($0.kind.id)=\($0.key)" }
    }

    /// The sensors of a rig; nil if there are none, or it cannot be read.
    private static func sensors(_ options: LocalRig.Options) -> [Sensor]? {
        guard let rig = try? LocalRig(options), let assessment = try? rig.assess(), !assessment.sensors.isEmpty else {
            return nil
        }
        return assessment.sensors
    }
}

extension LocalRig.Options {
    /// This machine, of which only what is there is asked, within a time.
    fileprivate init(presenceWithin time: Duration) {
        self.init()
        depth = .presence
        timeout = time
    }
}
