/// The overall status of an evaluation; the raw value is the exit status (contract, "Exit status").
public enum ReadinessStatus: Int32, Sendable, Hashable {
    /// Every service asked for runs.
    case ready = 0
    /// At least one does not run.
    case notReady = 1
    /// None fails, but at least one is undetermined.
    case undetermined = 2
}

extension Sequence<ServiceResult> {
    /// Computes the overall status.
    ///
    /// Without `strict` only the services asked for count, and a degraded one runs. With it their parents count too, a
    /// degraded one does not run, and an unknown optional requirement makes the status undetermined.
    public func status(strict: Bool = false) -> ReadinessStatus {
        var status = ReadinessStatus.ready
        for result in self where result.asked || strict {
            switch result.verdict {
            case .unauthorized, .blocked, .fails: return .notReady
            case .degraded where strict: return .notReady
            case .undetermined: status = .undetermined
            case .degraded, .runs: if strict, !result.unknown.isEmpty { status = .undetermined }
            }
        }
        return status
    }
}
