extension Sensor {
    /// Why the position of a receiver is not precise; nil if it is, or if nothing was read.
    ///
    /// An error that the receiver does not report is no reason: `Notice.ofSensors` says so.
    func imprecision(under criteria: PrecisionCriteria) -> UnmetReason? {
        guard case .position(let position) = reading else { return nil }
        func reason(_ cause: Cause, _ detail: String, _ remedies: [Remedy]) -> UnmetReason {
            UnmetReason(self, cause, detail: "\(name): \(detail)", remedies: remedies, evidence: evidence)
        }
        let sky = Remedy.advice("move the antenna to a place with a clear view of the sky")
        if position.fix == .none { return reason(.noFix, "it has no position", [sky, .option(.waitForFix(60))]) }
        if position.fixKind.isEstimated, !criteria.allowsEstimated {
            let kind =
                position.fixKind == .deadReckoning
                ? "extrapolated from speed and heading (dead reckoning)" : "assumed (a time-only fix)"
            return reason(.reducedAccuracy, "its position is \(kind)", [sky, .option(.allowEstimated)])
        }
        guard let error = position.horizontalError else { return nil }
        if error == 0 {
            return reason(
                .faulty, "it reports a horizontal error of exactly 0 m, which no receiver has",
                [.advice("check the receiver's firmware and configuration, and what feeds gpsd")])
        }
        guard error > criteria.maximumError else { return nil }
        let limit = criteria.maximumError.metres
        // Rounded, an error just above the limit would look like the limit.
        let shown = error.metres == limit ? "\(error) m" : error.metres
        return reason(
            .reducedAccuracy, "its horizontal error is \(shown); the limit is \(limit)",
            [sky, .option(.maximumError(Int(min(error, 1e9).rounded(.up))))])
    }
}

extension Double {
    /// The length in metres or kilometres with at most three digits, such as `4.2 m`, `99 km`.
    fileprivate var metres: String {
        let (value, unit) = self < 1000 ? (self, "m") : (self / 1000, "km")
        let digits = value < 10 ? 10.0 : 1
        let text = "\((value * digits).rounded() / digits)"
        return "\(text.hasSuffix(".0") ? String(text.dropLast(2)) : text) \(unit)"
    }
}
