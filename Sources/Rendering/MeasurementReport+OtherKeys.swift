internal import Measurement

extension MeasurementReport {
    /// What only a receiver has.
    public struct ReceiverKeys: Codable, Sendable {
        /// Metres that half of the positions are within.
        @Nullable public var cep50: Double?
        /// Its uncertainty.
        @Nullable public var cep50Uncertainty: Double?
        /// Metres that 95 of 100 positions are within.
        @Nullable public var radius95: Double?
        /// Its uncertainty.
        @Nullable public var radius95Uncertainty: Double?
        /// Twice the distance root mean square, in metres.
        @Nullable public var twoDRMS: Double?
        /// Its uncertainty.
        @Nullable public var twoDRMSUncertainty: Double?
        /// The receiver's own estimate in metres, median.
        @Nullable public var horizontalError: Double?
        /// Its uncertainty.
        @Nullable public var horizontalErrorUncertainty: Double?
        /// The satellites used, median.
        @Nullable public var satellitesUsed: Double?
        /// Its uncertainty.
        @Nullable public var satellitesUsedUncertainty: Double?
        /// The satellites seen, median.
        @Nullable public var satellitesSeen: Double?
        /// Its uncertainty.
        @Nullable public var satellitesSeenUncertainty: Double?
        /// The horizontal dilution of precision, median.
        @Nullable public var horizontalDilution: Double?
        /// Its uncertainty.
        @Nullable public var horizontalDilutionUncertainty: Double?
        /// dB-Hz of the satellites used, median.
        @Nullable public var carrierToNoise: Double?
        /// Its uncertainty.
        @Nullable public var carrierToNoiseUncertainty: Double?
        /// Seconds from the begin to the first fix.
        @Nullable public var timeToFirstFix: Double?
        /// Whether the first report had a fix, so that the receiver may have had it before.
        @Nullable public var hadFix: Bool?
        /// Seconds by which the rig's clock is ahead of the receiver's time, median.
        @Nullable public var clockDifference: Double?
        /// Its uncertainty.
        @Nullable public var clockDifferenceUncertainty: Double?
        /// Metres per second over ground, median.
        @Nullable public var speed: Double?
        /// Its uncertainty.
        @Nullable public var speedUncertainty: Double?
        /// Whether it moves, so that there is no scatter; null if it tells fewer than three speeds.
        @Nullable public var moving: Bool?
        /// The first hundred jumps of its position.
        @Nullable public var jumps: [Jump]?

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
    public struct Jump: Codable, Sendable {
        /// The index of the report after it.
        public var index: Int
        /// Its length in metres.
        public var distance: Double
        /// The satellites used before it; null if unknown.
        @Nullable public var usedBefore: Int?
        /// Those used after it.
        @Nullable public var usedAfter: Int?

        init(_ jump: PositionJump) {
            index = jump.index
            distance = jump.distance
            usedBefore = jump.usedBefore
            usedAfter = jump.usedAfter
        }
    }

    /// What only a controller has.
    public struct ControllerKeys: Codable, Sendable {
        /// The number of changes of its power.
        public var powerChanges: Int
        /// Half of the answers took at most this many seconds.
        @Nullable public var answer50: Double?
        /// Its uncertainty.
        @Nullable public var answer50Uncertainty: Double?
        /// 99 of 100 answers took at most this many seconds.
        @Nullable public var answer99: Double?
        /// Its uncertainty.
        @Nullable public var answer99Uncertainty: Double?

        init(_ figures: ControllerFigures) {
            powerChanges = figures.powerChanges.count
            (answer50, answer50Uncertainty) = figures.answer50.keys
            (answer99, answer99Uncertainty) = figures.answer99.keys
        }
    }

    /// What only a step counter has.
    public struct StepKeys: Codable, Sendable {
        /// The steps that were counted on the walk; null if nobody walked, or they could not be read.
        @Nullable public var steps: UInt64?

        init(_ steps: UInt64?) { self.steps = steps }
    }
}
