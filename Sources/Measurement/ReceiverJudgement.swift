internal import Readiness

extension SensorMeasurement {
    /// Measures a receiver, and judges it.
    mutating func measure(_ series: PositionSeries, limits: QualityLimits, isMoved: Bool) {
        let positions = series.positions
        samples = positions.count
        let timing = SampleTiming(TimeColumn(positions.lazy.map(\.time)), gapPeriods: limits.timing.gapPeriods.value)
        let isMoving = series.isMoving(above: limits.receiver.still.value)
        let scatter = isMoving == true ? nil : PositionScatter(positions)
        var figures = ReceiverFigures(series, scatter)
        figures.isMoving = isMoving
        figures.jumps = series.jumps(beyond: limits.receiver.jump.value)
        self.figures = .receiver(figures)
        seconds = timing.seconds
        rate = timing.rate
        gaps = timing.gaps
        outOfOrder = timing.outOfOrder
        judgeReports(limits)
        judgeFix(series, figures, limits.receiver)
        judgeSky(figures, limits.receiver)
        judgeJumps(figures, limits.receiver.jump)
        let hold = series.hold(beyond: limits.receiver.hold.value)
        if let hold {
            judge(hold, limits.receiver.hold)
        } else if isMoving == true, !isMoved {
            findings.append(
                .moving, .undetermined,
                "the receiver moves, at a median of \((figures.speed?.value ?? 0).stated("m/s")), so that the scatter of "
                    + "its positions cannot be determined",
                source: limits.receiver.still.source, remedies: [.advice("measure again where it stands still")])
        } else if let scatter, !isMoved {
            judgeScatter(figures, scatter, limits.receiver)
        }
        if let difference = figures.clockDifference, abs(difference.value) > limits.receiver.clock.value {
            findings.append(
                .clock, breaking: limits.receiver.clock, "the rig's clock is \(difference.clockWords)",
                remedies: [.advice("set the rig's clock, by NTP or from gpsd through chrony")])
        }
        reportTruncation(kept: "reports", dropped: series.dropped)
    }

    private mutating func judgeReports(_ limits: QualityLimits) {
        guard samples > 0 else {
            findings.append(.silent, .bad, "no report came", source: "Android CDD 7.3.3, C-1-1")
            return
        }
        judgeGaps(limits.timing, of: samples, allowed: limits.receiver.gaps)
        judgeOrder(limits.timing.order, of: "report")
        guard let rate else {
            findings.append(
                .short, .undetermined, "\(counted(samples, "report", "reports")): too few for a rate",
                remedies: [.advice("measure longer")])
            return
        }
        // As for motion sensors, 90 % of what is wanted do.
        let share = limits.timing.leastRateShare.value
        if let limit = limits.receiver.minimumRate.broken(by: { rate.isAbove(share * $0) == false }) {
            findings.append(.rate, breaking: limit, "rate \(rate.words("Hz")); \(limit.value.stated("Hz")) is required")
        } else if limits.receiver.minimumRate.contains(where: { rate.isAbove(share * $0.value) == nil }) {
            findings.append(
                .rate, .undetermined, "rate \(rate.words("Hz")): too uncertain to compare with the limit",
                source: limits.timing.leastRateShare.source, remedies: [.advice("measure longer")])
        }
    }

    private mutating func judgeFix(_ series: PositionSeries, _ figures: ReceiverFigures, _ limits: ReceiverLimits) {
        guard samples > 0 else { return }
        let limit = limits.firstFix
        guard let first = series.positions.firstIndex(where: { $0.fix != .none }) else {
            let end = series.ended ?? series.positions.map(\.time).max() ?? series.began
            let watched = Double(end &- series.began) * 1e-9
            if watched < limit.value {
                findings.append(
                    .fix, .undetermined,
                    "no fix in \(watched.stated("s")); a cold start takes up to \(limit.value.stated("s"))",
                    source: limit.source, remedies: [.advice("measure for more than \(limit.value.stated("s"))")])
            } else {
                findings.append(
                    .fix, .bad, "no fix in \(watched.stated("s"))", source: limit.source,
                    remedies: [.advice("move the antenna to a place with a clear view of the sky")])
            }
            return
        }
        if let delay = figures.timeToFirstFix, delay > limit.value {
            findings.append(
                .firstFix, breaking: limit,
                "the first fix took \(delay.stated("s")), longer than \(limit.value.stated("s"))")
        }
        let lost = series.positions.indices.filter { $0 > first && series.positions[$0].fix == .none }
        if let index = lost.first {
            findings.append(
                .fix, .bad,
                "the fix was lost: \(counted(lost.count, "report", "reports")) without a position, the first is "
                    + "report \(index)",
                source: "Android CDD 7.3.3, C-1-1")
        }
    }

    private mutating func judgeSky(_ figures: ReceiverFigures, _ limits: ReceiverLimits) {
        if let seen = figures.satellitesSeen?.value, seen < limits.satellites.value {
            findings.append(
                .satellites, breaking: limits.satellites,
                "\(seen.significant(3, trimmed: true)) satellites seen; \(limits.satellites.value.fixed(0)) required")
        }
        if let dilution = figures.horizontalDilution?.value, dilution >= limits.dilution.value {
            findings.append(
                .dilution, breaking: limits.dilution,
                "the horizontal dilution is \(dilution.significant(2)); an open sky has less than "
                    + limits.dilution.value.significant(3, trimmed: true))
        }
        if let signal = figures.signal?.value, signal < limits.signal.value {
            findings.append(
                .signal, breaking: limits.signal,
                "the used satellites are received with \(signal.stated("dB-Hz")); \(limits.signal.value.stated("dB-Hz")) "
                    + "is recommended",
                remedies: [.advice("check the antenna, its cable and its view of the sky")])
        }
    }

    private mutating func judgeJumps(_ figures: ReceiverFigures, _ limit: QualityLimit) {
        guard let farthest = figures.jumps.max(by: { $0.distance < $1.distance }) else { return }
        let satellites =
            switch (farthest.usedBefore, farthest.usedAfter) {
            case (let before?, let after?) where before != after:
                ", while the satellites used went from \(before) to \(after)"
            case (_, let after?): ", with \(after) satellites used"
            default: ""
            }
        findings.append(
            .jump, breaking: limit,
            "the position jumped \(figures.jumps.count == 1 ? "once" : "\(figures.jumps.count) times"), farthest by "
                + "\(farthest.distance.stated("m")) at report \(farthest.index)\(satellites); \(limit.value.stated("m")) "
                + "beyond its speed is allowed",
            remedies: [
                .advice("move the antenna to a place with a wider view of the sky, away from walls that reflect")
            ])
    }

    private mutating func judge(_ hold: PositionHold, _ limit: QualityLimit) {
        findings.append(
            .constantPosition, breaking: limit,
            "the position is stuck: \(hold.count) reports from report \(hold.index) on have the same one, while the "
                + "receiver reports \(hold.speed.stated("m/s")), which is a way of \(hold.distance.stated("m"))",
            remedies: [.advice("restart the receiver, and check its firmware and what feeds gpsd")])
    }

    private mutating func judgeScatter(
        _ figures: ReceiverFigures, _ scatter: PositionScatter, _ limits: ReceiverLimits
    ) {
        let limit = limits.radius95
        let radius = scatter.radius95
        let isAbove = figures.fixes < PositionScatter.leastPositions ? nil : radius.isAbove(limit.value)
        let words = "the 95 % radius is \(radius.words("m"))"
        if isAbove == true {
            let origin = limit.severity == .bad ? "required" : "recommended"
            findings.append(.scatter, breaking: limit, "\(words); \(limit.value.stated("m")) is \(origin)")
        } else if isAbove == nil {
            let needed = scatter.positions(toTell: limit.value) / Double(figures.fixes) * seconds
            let time = needed < 86_400 ? "about \(needed.stated("s", digits: 2))" : "more than a day"
            // As for other figures, what cannot be determined about a recommended limit is no fault.
            findings.append(
                .scatter, limit.severity == .bad ? .undetermined : .information,
                "\(words), too uncertain to compare with \(limit.value.stated("m")): "
                    + "\(counted(figures.fixes, "position", "positions")) in \(seconds.stated("s"))",
                source: limit.source, remedies: [.advice("measure for \(time)")])
        }
        if figures.fixes >= 10, scatter.twoDRMS.value == 0 {
            findings.append(
                .constantPosition, .information,
                "all \(figures.fixes) positions are equal: the receiver holds its position, or is simulated")
        } else if isAbove != nil, figures.fixes < 100 {
            findings.append(
                .short, .information, "\(figures.fixes) positions are few for a scatter estimate; gpsprof uses 100",
                source: "gpsd, clients/gpsprof.py.in")
        }
    }
}

extension ReceiverFigures {
    fileprivate init(_ series: PositionSeries, _ scatter: PositionScatter?) {
        let fixed = series.positions.filter { $0.fix != .none }
        fixes = series.positions.count(where: \.hasPlace)
        cep50 = scatter?.cep50
        radius95 = scatter?.radius95
        twoDRMS = scatter?.twoDRMS
        func middle(_ values: [Double]) -> Estimate? { percentileEstimate(0.5, of: values.sorted()) }
        satellitesUsed = middle(series.skies.compactMap { $0.used.map(Double.init) })
        satellitesSeen = middle(series.skies.map { Double($0.seen) })
        horizontalDilution = middle(series.skies.compactMap(\.horizontalDilution))
        signal = middle(series.skies.compactMap { median($0.signals) })
        horizontalError = middle(fixed.compactMap(\.horizontalError))
        speed = middle(series.speeds)
        timeToFirstFix = fixed.first.map { max(Double($0.time &- series.began) * 1e-9, 0) }
        hadFix = series.positions.first.map { $0.fix != .none } ?? false
        let differences = series.positions.compactMap { report in
            report.receiverTime.flatMap { time in report.receivedAt.map { $0 - time } }
        }
        clockDifference = middle(series.clockDifferences.isEmpty ? differences : series.clockDifferences)
    }
}

extension Estimate {
    /// A difference of clocks, such as "0.30 ± 0.02 s ahead of the receiver".
    package var clockWords: String {
        "\(Estimate(abs(value), uncertainty: uncertainty).words("s")) \(value < 0 ? "behind" : "ahead of") the receiver"
    }
}
