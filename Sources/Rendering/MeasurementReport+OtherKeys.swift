internal import Measurement

extension MeasurementReport {
    /// What only a receiver has.
    package struct ReceiverKeys: Codable, Sendable {
        /// Metres that half of the positions are within.
        @Nullable package var cep50: Double?
        /// Its uncertainty.
        @Nullable package var cep50Uncertainty: Double?
        /// Metres that 95 of 100 positions are within.
        @Nullable package var radius95: Double?
        /// Its uncertainty.
        @Nullable package var radius95Uncertainty: Double?
        /// Twice the distance root mean square, in metres.
        @Nullable package var twoDRMS: Double?
        /// Its uncertainty.
        @Nullable package var twoDRMSUncertainty: Double?
        /// The receiver's own estimate in metres, median.
        @Nullable package var horizontalError: Double?
        /// Its uncertainty.
        @Nullable package var horizontalErrorUncertainty: Double?
        /// The satellites used, median.
        @Nullable package var satellitesUsed: Double?
        /// Its uncertainty.
        @Nullable package var satellitesUsedUncertainty: Double?
        /// The satellites seen, median.
        @Nullable package var satellitesSeen: Double?
        /// Its uncertainty.
        @Nullable package var satellitesSeenUncertainty: Double?
        /// The horizontal dilution of precision, median.
        @Nullable package var horizontalDilution: Double?
        /// Its uncertainty.
        @Nullable package var horizontalDilutionUncertainty: Double?
        /// dB-Hz of the satellites used, median.
        @Nullable package var carrierToNoise: Double?
        /// Its uncertainty.
        @Nullable package var carrierToNoiseUncertainty: Double?
        /// Seconds from the begin to the first fix.
        @Nullable package var timeToFirstFix: Double?
        /// Whether the first report had a fix, so that the receiver may have had it before.
        @Nullable package var hadFix: Bool?
        /// Seconds by which the rig's clock is ahead of the receiver's time, median.
        @Nullable package var clockDifference: Double?
        /// Its uncertainty.
        @Nullable package var clockDifferenceUncertainty: Double?
        /// Metres per second over ground, median.
        @Nullable package var speed: Double?
        /// Its uncertainty.
        @Nullable package var speedUncertainty: Double?
        /// Whether it moves, so that there is no scatter; null if it tells fewer than three speeds.
        @Nullable package var moving: Bool?
        /// The first hundred jumps of its position.
        @Nullable package var jumps: [Jump]?

        init(_ figures: ReceiverFigures) {
            (cep50, cep50Uncertainty) = figures.cep50.keys
            (radius95, radius95Uncertainty) = figures.radius95.keys
            (twoDRMS, twoDRMSUncertainty) = figures.twoDRMS.keys
            (horizontalError, horizontalErrorUncertainty) = figures.horizontalError.keys
            (satellitesUsed, satellitesUsedUncertainty) = figures.satellitesUsed.keys
            (satellitesSeen, satellitesSeenUncertainty) = figures.satellitesSeen.keys
            (horizontalDilution, horizontalDilutionUncertainty) = figures.horizontalDilution.keys
            (carrierToNoise, carrierToNoiseUncertainty) = figures.signal.keys
            timeToFirstFix = figures.timeToFirstFix
            hadFix = figures.hadFix
            (clockDifference, clockDifferenceUncertainty) = figures.clockDifference.keys
            (speed, speedUncertainty) = figures.speed.keys
            moving = figures.isMoving
            jumps = figures.jumps.prefix(SampleGap.listLimit).map(Jump.init)
        }
    }

    /// A jump of a receiver's position.
    package struct Jump: Codable, Sendable {
        /// The index of the report after it.
        package var index: Int
        /// Its length in metres.
        package var distance: Double
        /// The satellites used before it; null if unknown.
        @Nullable package var usedBefore: Int?
        /// Those used after it.
        @Nullable package var usedAfter: Int?

        init(_ jump: PositionJump) {
            index = jump.index
            distance = jump.distance
            usedBefore = jump.usedBefore
            usedAfter = jump.usedAfter
        }
    }

    /// What only a controller has.
    package struct ControllerKeys: Codable, Sendable {
        /// The number of changes of its power.
        package var powerChanges: Int
        /// Half of the answers took at most this many seconds.
        @Nullable package var answer50: Double?
        /// Its uncertainty.
        @Nullable package var answer50Uncertainty: Double?
        /// 99 of 100 answers took at most this many seconds.
        @Nullable package var answer99: Double?
        /// Its uncertainty.
        @Nullable package var answer99Uncertainty: Double?

        init(_ figures: ControllerFigures) {
            powerChanges = figures.powerChanges.count
            (answer50, answer50Uncertainty) = figures.answer50.keys
            (answer99, answer99Uncertainty) = figures.answer99.keys
        }
    }

    /// What only a step counter has.
    package struct StepKeys: Codable, Sendable {
        /// The steps that were counted on the walk; null if nobody walked, or they could not be read.
        @Nullable package var steps: UInt64?

        init(_ steps: UInt64?) { self.steps = steps }
    }
}
