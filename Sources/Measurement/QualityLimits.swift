package import Readiness

/// A limit, what it means to break it, and where it comes from.
package struct QualityLimit: Sendable, Hashable {
    /// The limit, in the unit of what it limits.
    package var value: Double
    /// What it means to break it: `bad` or `warning`.
    package var severity: FindingSeverity
    /// The file or document that it comes from.
    package var source: String
    /// Whether it is kept by what the chip can be set to, whatever it is set to now.
    package var isOfCapability: Bool

    /// Creates a limit.
    package init(_ value: Double, _ severity: FindingSeverity, source: String, isOfCapability: Bool = false) {
        self.value = value
        self.severity = severity
        self.source = source
        self.isOfCapability = isOfCapability
    }
}

/// What a configuration wants of the sensors of a kind: its `quality:`.
package struct QualityDemand: Sendable, Hashable {
    /// The least rate, in Hz; nil for that of the profile.
    package var minimumRate: Double?
    /// The greatest standard deviation of an axis at rest, in m/s² or rad/s; nil for that of the profile.
    package var maximumNoise: Double?
    /// The greatest noise density of an axis, in m/s²/√Hz or rad/s/√Hz, as `MotionFigures` has it: a data sheet's divided
    /// by √2; nil for that of the profile.
    package var maximumNoiseDensity: Double?
    /// How far gravity's magnitude may be from 9.80665 m/s²; nil for that of the profile.
    package var gravityWithin: Double?
    /// The greatest number of gaps; nil for that of the profile.
    package var maximumGaps: Int?

    /// Creates a demand.
    package init(
        minimumRate: Double? = nil, maximumNoise: Double? = nil, maximumNoiseDensity: Double? = nil,
        gravityWithin: Double? = nil, maximumGaps: Int? = nil
    ) {
        self.minimumRate = minimumRate
        self.maximumNoise = maximumNoise
        self.maximumNoiseDensity = maximumNoiseDensity
        self.gravityWithin = gravityWithin
        self.maximumGaps = maximumGaps
    }
}

/// The limits of the times of samples.
package struct TimingLimits: Sendable, Hashable {
    /// An interval of more periods than this is a gap.
    ///
    /// Source: Android CTS, `EventGapVerification.java`: 1.8.
    package var gapPeriods: QualityLimit
    /// The share of the samples that may be gaps, at most `gapsAllowed` of them; more than that is bad.
    ///
    /// Source: Android CTS, `EventGapVerification.java`: ceil(min(20, 2 %)).
    package var gapShare: Double
    /// The most gaps that are allowed however many samples there are.
    package var gapsAllowed: Double
    /// Times must increase; the value is without meaning.
    ///
    /// Source: Android CTS, `EventOrderingVerification.java`.
    package var order: QualityLimit
    /// The least rate as a share of the nominal one.
    ///
    /// Source: Android CTS, `FrequencyVerification.java`: 90 %.
    package var leastRateShare: QualityLimit
    /// The greatest rate as a share of the nominal one.
    ///
    /// Source: Android CTS, `FrequencyVerification.java`: 220 %.
    package var greatestRateShare: QualityLimit
    /// The greatest standard deviation of the intervals as a share of the period.
    ///
    /// Source: Android CDD 7.3, C-1-4: 3 %.
    package var jitter: QualityLimit
    /// The greatest time to the first sample, in seconds beside two periods.
    ///
    /// Source: Android CDD 7.3, C-1-3: 400 ms + 2 sample times.
    package var firstSample: QualityLimit
}

/// The limits of the values of an accelerometer or a gyroscope; of several limits, the worst that is broken counts.
package struct MotionLimits: Sendable, Hashable {
    /// The magnitude of the mean at rest: 9.80665 m/s² for an accelerometer, 0 for a gyroscope.
    package var restMagnitude: Double
    /// How far the magnitude of the mean at rest may be from that.
    ///
    /// Source: Android CTS, `MagnitudeVerification.java`: 1.5 m/s², 1.5 rad/s; Android CDD 7.3.4: 0.01 rad/s.
    package var magnitudeWithin: [QualityLimit]
    /// The greatest standard deviation of an axis at rest.
    ///
    /// Source: Android CTS, `StandardDeviationVerification.java`: 1.0 m/s², 0.5 rad/s; Android CDD 7.3.1, C-1-6: 0.05 m/s².
    package var noise: [QualityLimit]
    /// The greatest noise density of an axis, over positive and negative frequencies, as `MotionFigures` has it.
    ///
    /// Source: Android CDD 7.3.4, C-1-7: a variance of 1e-7 rad²/s² per Hz.
    package var noiseDensity: [QualityLimit]
    /// The least rate, in Hz, that the chip must be able to report with; a configuration's is that with which it does.
    ///
    /// Source: Android CDD 7.3.1, C-1-1; 7.3.4, C-1-1: 50 Hz; 2.5.1, A-1-1, A-2-1, for cars: 100 Hz.
    package var minimumRate: [QualityLimit]
    /// The least range in both directions that the chip must be able to measure.
    ///
    /// Source: Android CDD 7.3.1, C-1-4: 4 g; 7.3.4, C-1-3: 1000 °/s; 2.5.1, A-2-3, for cars: 250 °/s.
    package var range: [QualityLimit]
    /// The least number of bits over the range.
    ///
    /// Source: Android CDD 7.3.1, C-1-5; 7.3.4, C-1-4: 12.
    package var bits: [QualityLimit]
    /// How far the means of two sensors of the kind may be apart, as vectors.
    ///
    /// Source: PX4, `imuConsistencyCheck.cpp`, `COM_ARM_IMU_ACC`: 0.7 m/s², `COM_ARM_IMU_GYR`: 0.25 rad/s.
    package var agreement: [QualityLimit]
    /// The noise density of a quiet chip of the kind, used where a chip's own samples do not vary.
    ///
    /// A chip whose step is finer than 2 σ of this noise must vary. As in data sheets it counts positive frequencies alone:
    /// σ = density × √(half of the sampling frequency).
    ///
    /// Source: TDK InvenSense, DS-000347 ICM-42688-P: 70 µg/√Hz, 2.8 m°/s/√Hz.
    package var quietDensity: QualityLimit
    /// How far the mean of a quarter of a second may be from the median of them while the rig is at rest.
    ///
    /// Source: PX4, `calibration_routines.cpp`, `normal_still_thr`: 0.25 m/s²; `gyro_calibration.cpp`, `maxoff`: 0.6 °/s.
    package var still: QualityLimit
    /// The greatest number of gaps; nil for what `TimingLimits` allows.
    package var gaps: QualityLimit?
}

/// The limits of a receiver.
package struct ReceiverLimits: Sendable, Hashable {
    /// The least rate, in Hz, at 90 % of it.
    ///
    /// Source: Android CDD 7.3.3, C-1-1: 1 Hz.
    package var minimumRate: [QualityLimit]
    /// The radius around their mean that holds 95 % of the positions, in metres.
    ///
    /// Source: Android CDD 7.3.3, C-1-3: accurate to 20 m for 95 % of the time, which a wider scatter excludes; a narrower
    /// one does not prove it.
    package var radius95: QualityLimit
    /// The least number of satellites seen.
    ///
    /// Source: Android CDD 7.3.3, C-1-4: 8.
    package var satellites: QualityLimit
    /// The horizontal dilution from which on the sky is not open, so that accuracy cannot be expected.
    ///
    /// Source: Android CDD 7.3.3, C-1-2: its demands are made under an open sky, with less than 2.
    package var dilution: QualityLimit
    /// The greatest time to the first fix after a cold start, in seconds.
    ///
    /// Source: Android CDD 2.5.1, A-3-1: 60 s.
    package var firstFix: QualityLimit
    /// The least carrier to noise density of the used satellites, in dB-Hz.
    ///
    /// Source: inertial-sense-sdk issue 727: 20.
    package var signal: QualityLimit
    /// How far the rig's clock may be from the receiver's time, in seconds.
    ///
    /// 2 s, since the report itself may take a second to arrive over a serial line. Source: gpsd, GPSD Time Service HOWTO.
    package var clock: QualityLimit
    /// The median speed, in m/s, above which a receiver moves; also if a fifth of its speeds is above four times that.
    ///
    /// Source: Android CDD 7.3.3, C-1-3: a speed is accurate to 0.5 m/s for 95 % of the time.
    package var still: QualityLimit
    /// The farthest that a position may be from where the one before and the speed have it, in metres.
    ///
    /// Source: ArduPilot, `AP_NavEKF3.cpp`, `EK3_GLITCH_RAD`: 25 m.
    package var jump: QualityLimit
    /// How far a receiver may go by its speed, in metres, while its position stays the same to the last digit.
    ///
    /// Five metres, more than the last digit of a position in thousandths of a minute (1.9 m). Source: Motus-TO-DO issue
    /// 482, a receiver that reported one position at 13 m/s.
    package var hold: QualityLimit
    /// The greatest number of gaps; nil for what `TimingLimits` allows.
    package var gaps: QualityLimit?
}

/// The sets of limits that are known by a name.
package enum QualityProfile: String, CaseIterable, Sendable, Hashable {
    /// What makes a sensor unusable is bad, what documents only recommend is a warning.
    case standard
    /// What the Android Compatibility Definition says MUST be is bad, what it says SHOULD be is a warning.
    case android
    /// As `android`, with what it says of cars.
    case automotive
    /// The standard ones, with what PX4 refuses to arm for as bad.
    case px4
}

/// The limits that a measurement is judged by.
package struct QualityLimits: Sendable, Hashable {
    /// Those of the times of samples.
    package var timing: TimingLimits
    /// Those of accelerometers, in m/s².
    package var accelerometer: MotionLimits
    /// Those of gyroscopes, in rad/s.
    package var gyroscope: MotionLimits
    /// Those of receivers.
    package var receiver: ReceiverLimits
    /// An axis with more equal counts in a row than this is stuck.
    ///
    /// Source: PX4, `DataValidator.hpp`: 100.
    package var equalCounts: QualityLimit
}

extension QualityLimits {
    /// The limits of a profile.
    package init(_ profile: QualityProfile = .standard) {
        self = Self.standard
        switch profile {
        case .standard: break
        case .android: applyAndroid()
        case .automotive:
            applyAndroid()
            applyAutomotive()
        case .px4: applyPX4()
        }
    }

    /// The limits of motion sensors of a kind; nil for a kind that is not one.
    package func motion(_ kind: SensorKind) -> MotionLimits? {
        switch kind {
        case .accelerometer: accelerometer
        case .gyroscope: gyroscope
        default: nil
        }
    }

    /// Replaces limits by what a configuration wants of a kind; to break one of these is bad.
    ///
    /// `source` names the configuration. Of a receiver rate and gaps are judged; other kinds have none of these.
    package mutating func apply(_ demand: QualityDemand, to kind: SensorKind, source: String) {
        func limit(_ value: Double) -> QualityLimit { QualityLimit(value, .bad, source: source) }
        switch kind {
        case .accelerometer:
            accelerometer.apply(demand, limit)
            if let within = demand.gravityWithin { accelerometer.magnitudeWithin = [limit(within)] }
        case .gyroscope: gyroscope.apply(demand, limit)
        case .locationReceiver:
            if let rate = demand.minimumRate { receiver.minimumRate = [limit(rate)] }
            if let gaps = demand.maximumGaps { receiver.gaps = limit(Double(gaps)) }
        case .bluetoothAdapter, .stepCounter: break
        }
    }
}

extension MotionLimits {
    fileprivate mutating func apply(_ demand: QualityDemand, _ limit: (Double) -> QualityLimit) {
        if let rate = demand.minimumRate { minimumRate = [limit(rate)] }
        if let greatest = demand.maximumNoise { noise = [limit(greatest)] }
        if let greatest = demand.maximumNoiseDensity { noiseDensity = [limit(greatest)] }
        if let greatest = demand.maximumGaps { gaps = limit(Double(greatest)) }
    }
}
