package import Readiness

extension Assessment {
    /// The rig and the probe on one line.
    package var heading: String { "\(rig.host) · \(probeWords)" }

    /// The probe on one line, without the rig's name.
    package var probeWords: String {
        let elapsed = inventory.drivers.map(\.elapsedMilliseconds).max() ?? 0
        var words = ["Linux \(rig.kernel)", "rules \(request.evaluator.rules.profile)"]
        if let subject = rig.subject { words.append("as \(subject)") }
        words.append(rig.source == .recording ? "recorded \(rig.takenAt)" : "\(Int(elapsed.rounded())) ms")
        if inventory.depth != .sample { words.append("depth \(inventory.depth.rawValue)") }
        return words.joined(separator: " · ")
    }

    /// The notices to show; a failed sensor next to a good one of its kind is shown with each service instead.
    package var noticesOfRig: [Notice] { notices.filter { $0.id != .unreadSameKind } }
}

extension Acceptance {
    /// Why it is accepted, and until when.
    package var words: String { "\(finding.reason) (until \(finding.until))" }
}

extension Acceptance.State {
    /// The state as people say it.
    package var title: String { self == .applies ? "accepted" : rawValue }
}

extension Assessment {
    /// The number of requested services that do not run, with its tone.
    package var tallyWords: (text: String, tone: Tone) {
        let tally = tally
        let of = "\(tally.asked) services"
        let only = tally.asked == 1 ? services.first(where: \.asked)?.service.title : nil
        let apart = tally.accepted > 0 ? ", \(tally.accepted) accepted" : ""
        if tally.failing > 0 {
            let text =
                only.map { "\($0) fails" } ?? "\(tally.failing) of \(of) \(tally.failing == 1 ? "fails" : "fail")"
            return (text + apart, .bad)
        }
        if tally.undetermined > 0 {
            let text = only.map { "cannot tell: \($0)" } ?? "\(tally.undetermined) of \(of) undetermined"
            return (text + apart, .doubtful)
        }
        if let only, tally.accepted == 1 { return ("\(only) is accepted as it is", .doubtful) }
        var words =
            tally.accepted > 0
            ? "\(tally.asked - tally.accepted) of \(of) run" : only.map { "\($0) runs" } ?? "all \(of) run"
        if tally.degraded > 0 { words += only == nil ? ", \(tally.degraded) degraded" : ", degraded" }
        return (words + apart, tally.degraded + tally.accepted > 0 ? .doubtful : .good)
    }

    /// The reasons of a service's verdict, in a few words.
    package func reason(for result: ServiceResult) -> String {
        func words(_ requirements: RequirementSet) -> String {
            requirements.members.map { $0.brief(self.result(of: $0)?.cause) }.joined(separator: ", ")
        }
        switch result.verdict {
        case .runs, .degraded:
            // A service that runs has all that it requires, so what is unknown is optional.
            let doubt = result.unknown.isEmpty ? "" : "optional and unknown: \(words(result.unknown))"
            let reasons = result.verdict == .degraded ? words(result.warnings) : doubt
            let deciding = result.verdict == .runs ? sensors(deciding: result).names : ""
            return [reasons, deciding.isEmpty ? "" : "by \(deciding)", sensors(failingBeside: result).troubles]
                .filter { !$0.isEmpty }.joined(separator: "; ")
        case .fails: return words(result.failures)
        case .undetermined:
            return result.unknown.isEmpty
                ? "\(result.service.parent?.title ?? "the session") undetermined"
                : "cannot tell: \(words(result.unknown))"
        case .unauthorized: return "not in the licence"
        case .blocked:
            let own = words(result.failures.union(result.warnings))
            let by =
                result.blockedBy == .session
                ? "another service stops the session" : "needs \(result.service.parent?.title ?? "its parent")"
            return own.isEmpty ? by : "\(by); \(own)"
        }
    }
}

extension [Sensor] {
    /// The names of at most three, each once.
    fileprivate var names: String {
        let names = map { ($0.label ?? $0.name).singleLine }.unique
        return names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
    }

    /// How many do not work, by cause; one that stands alone by its name.
    fileprivate var troubles: String {
        var causes: [(cause: Cause, keys: Set<String>, sensor: Sensor)] = []
        for sensor in self {
            guard case .unavailable(let cause) = sensor.availability else { continue }
            if let place = causes.firstIndex(where: { $0.cause == cause }) {
                causes[place].keys.insert(sensor.key)
            } else {
                causes.append((cause, [sensor.key], sensor))
            }
        }
        return causes.map { cause, keys, sensor in
            "\(keys.count == 1 ? [sensor].names : keys.count.counted("sensor")) \(cause.title)"
        }.joined(separator: ", ")
    }
}
