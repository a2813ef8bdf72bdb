import Readiness

/// An assessment in a few words.
extension Assessment {
    /// The number of services asked for that do not run, with its style.
    var tallyWords: (text: String, style: Terminal.Style) {
        let tally = tally
        let of = tally.asked == 1 ? "the service" : "\(tally.asked) services"
        if tally.failing > 0 {
            let text =
                tally.asked == 1
                ? "the service fails" : "\(tally.failing) of \(of) \(tally.failing == 1 ? "fails" : "fail")"
            return (text, .bad)
        }
        if tally.undetermined > 0 {
            return (tally.asked == 1 ? "cannot tell" : "\(tally.undetermined) of \(of) undetermined", .doubtful)
        }
        let all = tally.asked == 1 ? "the service runs" : "all \(of) run"
        return tally.degraded > 0 ? ("\(all), \(tally.degraded) degraded", .doubtful) : (all, .good)
    }

    /// The reasons of a service's verdict, in a few words.
    func reason(for result: ServiceResult) -> String {
        func words(_ requirements: RequirementSet) -> String {
            requirements.members.compactMap { self.result(of: $0)?.brief }.joined(separator: ", ")
        }
        switch result.verdict {
        case .runs: return result.unknown.isEmpty ? "" : "cannot tell: \(words(result.unknown))"
        case .degraded: return words(result.warnings)
        case .fails: return words(result.failures)
        case .undetermined:
            return result.unknown.isEmpty
                ? "\(result.service.parent?.title ?? "the session") undetermined"
                : "cannot tell: \(words(result.unknown))"
        case .unauthorized: return "not in the licence"
        case .blocked:
            let own = words(result.failures)
            let by = result.blockedBy == .session ? "another service stops the session" : "its parent does not run"
            return own.isEmpty ? by : "\(by); \(own)"
        }
    }
}
