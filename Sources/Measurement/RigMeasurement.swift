internal import Readiness

/// What one measurement says of all sensors of a rig.
package struct RigMeasurement: Sendable, Hashable {
    /// The sensors, in the order of their series.
    package var sensors: [SensorMeasurement]
    /// Whether the rig was told to move.
    package var isMoved: Bool

    /// Creates a measurement from what is known of its sensors, such as a document.
    package init(sensors: [SensorMeasurement], isMoved: Bool) {
        self.sensors = sensors
        self.isMoved = isMoved
    }

    /// Measures what was captured, and judges it by limits.
    ///
    /// With `isMoved` the rig went through `GuidedMotion`: the axes are judged by it, and nothing that holds only at rest. A series is measured by
    /// itself; only the agreement of two sensors of a kind needs both.
    package init(_ series: [SensorSeries], limits: QualityLimits = QualityLimits(), isMoved: Bool = false) {
        self.isMoved = isMoved
        sensors = series.map { SensorMeasurement($0, limits: limits, isMoved: isMoved) }
        if isMoved { judgeGuidedMotion(series) } else { judgeAgreement(limits) }
        for index in sensors.indices { sensors[index].findings = sensors[index].findings.worstFirst }
    }

    /// 0: nothing is bad or undetermined; 1: something is bad; 2: nothing is bad, but something is undetermined, or there
    /// was nothing to measure.
    ///
    /// Omitted sensors do not count.
    package var exitStatus: Int32 {
        let verdicts = sensors.filter { !$0.isOmitted }.map(\.verdict)
        return verdicts.contains(.bad) ? 1 : verdicts.contains(.undetermined) || verdicts.isEmpty ? 2 : 0
    }

    /// Compares the means of the sensors of a kind at rest: each is told of the one that it is farthest from.
    private mutating func judgeAgreement(_ limits: QualityLimits) {
        let judged = sensors
        for index in judged.indices {
            guard let motion = limits.motion(judged[index].kind), let own = judged[index].meanAtRest else { continue }
            var farthest: MeanAgreement?
            for other in judged.indices where other != index && judged[other].kind == judged[index].kind {
                guard let mean = judged[other].meanAtRest else { continue }
                let difference = own.distance(to: mean)
                if difference.value > farthest?.difference.value ?? -1 {
                    farthest = MeanAgreement(key: judged[other].key, difference: difference)
                }
            }
            guard let farthest, case .motion(var figures) = judged[index].figures else { continue }
            figures.agreement = farthest
            sensors[index].figures = .motion(figures)
            guard let limit = motion.agreement.broken(by: { farthest.difference.isAbove($0) == true }) else { continue }
            let unit = judged[index].kind.unit
            sensors[index].findings.append(
                .disagreement, breaking: limit,
                "its mean is \(farthest.difference.words(unit)) from that of \(farthest.key); "
                    + "\(limit.value.stated(unit)) is allowed",
                remedies: [.advice("check the mount matrix of both")])
        }
    }
}

extension SensorMeasurement {
    /// Measures what was captured of a sensor, and judges it.
    fileprivate init(_ series: SensorSeries, limits: QualityLimits, isMoved: Bool) {
        let (kind, key, name, method, fault) = series.common
        let figures: KindFigures =
            switch series {
            case .motion: .motion(MotionFigures())
            case .position: .receiver(ReceiverFigures())
            case .controller: .controller(ControllerFigures())
            case .steps: .steps(nil)
            }
        self.init(key: key, kind: kind, name: name, method: method, figures: figures)
        if let finding = method.finding {
            findings = [finding]
            return
        }
        switch series {
        case .motion(let series): measure(series, limits: limits, isMoved: isMoved)
        case .position(let series): measure(series, limits: limits, isMoved: isMoved)
        case .controller(let series): measure(series)
        case .steps(let series): measure(series)
        }
        if let fault { findings.append(.ended, .bad, "the capture ended before its time: \(fault)") }
    }

    /// The mean on all three axes of a sensor that is at rest.
    fileprivate var meanAtRest: [Estimate]? {
        guard let motion, motion.isMoving != true, samples >= 3 else { return nil }
        return motion.mean.complete
    }
}

extension [Estimate] {
    /// The length of the difference of two vectors.
    fileprivate func distance(to other: [Estimate]) -> Estimate {
        var squares = 0.0
        var uncertainty = 0.0
        for (a, b) in zip(self, other) {
            squares += (a.value - b.value) * (a.value - b.value)
            uncertainty += a.uncertainty * a.uncertainty + b.uncertainty * b.uncertainty
        }
        return Estimate(squares.squareRoot(), uncertainty: uncertainty.squareRoot())
    }
}
