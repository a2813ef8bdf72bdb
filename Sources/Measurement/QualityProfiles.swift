internal import Readiness

/// One degree in radians.
let degree = Double.pi / 180

extension QualityLimits {
    /// The limits without a profile.
    static let standard = QualityLimits(
        timing: TimingLimits(
            gapPeriods: QualityLimit(1.8, .bad, source: "Android CTS, EventGapVerification.java"),
            gapShare: 0.02, gapsAllowed: 20,
            order: QualityLimit(0, .bad, source: "Android CTS, EventOrderingVerification.java"),
            leastRateShare: QualityLimit(0.9, .bad, source: "Android CTS, FrequencyVerification.java"),
            greatestRateShare: QualityLimit(2.2, .bad, source: "Android CTS, FrequencyVerification.java"),
            jitter: QualityLimit(0.03, .warning, source: "Android CDD 7.3, C-1-4"),
            firstSample: QualityLimit(0.4, .warning, source: "Android CDD 7.3, C-1-3")),
        accelerometer: MotionLimits(
            restMagnitude: standardGravity,
            magnitudeWithin: [QualityLimit(1.5, .bad, source: "Android CTS, MagnitudeVerification.java")],
            noise: [
                QualityLimit(1.0, .bad, source: "Android CTS, StandardDeviationVerification.java"),
                QualityLimit(0.05, .warning, source: "Android CDD 7.3.1, C-1-6"),
            ],
            noiseDensity: [],
            minimumRate: [
                QualityLimit(100, .warning, source: "Android CDD 2.5.1, A-1-1", isOfCapability: true)
            ],
            range: [], bits: [],
            agreement: [QualityLimit(0.7, .warning, source: "PX4, imuConsistencyCheck.cpp, COM_ARM_IMU_ACC")],
            // The ICM-42688-P, one of the quietest chips of consumer devices: 65 to 70 µg/√Hz.
            quietDensity: QualityLimit(
                70e-6 * standardGravity, .bad, source: "TDK InvenSense, DS-000347 ICM-42688-P, accelerometer noise"),
            still: QualityLimit(0.25, .bad, source: "PX4, calibration_routines.cpp, normal_still_thr")),
        gyroscope: MotionLimits(
            restMagnitude: 0,
            magnitudeWithin: [
                QualityLimit(1.5, .bad, source: "Android CTS, MagnitudeVerification.java"),
                QualityLimit(0.01, .warning, source: "Android CDD 7.3.4, calibration error at rest"),
            ],
            noise: [QualityLimit(0.5, .bad, source: "Android CTS, StandardDeviationVerification.java")],
            noiseDensity: [QualityLimit(1e-7.squareRoot(), .warning, source: "Android CDD 7.3.4, C-1-7")],
            minimumRate: [
                QualityLimit(100, .warning, source: "Android CDD 2.5.1, A-2-1", isOfCapability: true)
            ],
            range: [], bits: [],
            agreement: [QualityLimit(0.25, .warning, source: "PX4, imuConsistencyCheck.cpp, COM_ARM_IMU_GYR")],
            quietDensity: QualityLimit(
                0.0028 * degree, .bad, source: "TDK InvenSense, DS-000347 ICM-42688-P, gyroscope noise"),
            still: QualityLimit(0.6 * degree, .bad, source: "PX4, gyro_calibration.cpp, maxoff")),
        receiver: ReceiverLimits(
            minimumRate: [QualityLimit(1, .bad, source: "Android CDD 7.3.3, C-1-1")],
            radius95: QualityLimit(20, .warning, source: "Android CDD 7.3.3, C-1-3, accuracy"),
            satellites: QualityLimit(8, .warning, source: "Android CDD 7.3.3, C-1-4"),
            dilution: QualityLimit(2, .warning, source: "Android CDD 7.3.3, C-1-2, condition of an open sky"),
            firstFix: QualityLimit(60, .warning, source: "Android CDD 2.5.1, A-3-1"),
            signal: QualityLimit(20, .warning, source: "inertial-sense-sdk issue 727"),
            clock: QualityLimit(2, .warning, source: "gpsd, GPSD Time Service HOWTO"),
            still: QualityLimit(0.5, .bad, source: "Android CDD 7.3.3, C-1-3, speed"),
            jump: QualityLimit(25, .warning, source: "ArduPilot, AP_NavEKF3.cpp, EK3_GLITCH_RAD"),
            hold: QualityLimit(5, .bad, source: "Motus-TO-DO issue 482")),
        equalCounts: QualityLimit(100, .bad, source: "PX4, DataValidator.hpp"))

    /// What the Android Compatibility Definition says MUST be.
    mutating func applyAndroid() {
        accelerometer.noise = [QualityLimit(0.05, .bad, source: "Android CDD 7.3.1, C-1-6")]
        accelerometer.minimumRate = [
            QualityLimit(50, .bad, source: "Android CDD 7.3.1, C-1-1", isOfCapability: true),
            QualityLimit(200, .warning, source: "Android CDD 7.3.1, SHOULD", isOfCapability: true),
        ]
        accelerometer.range = [QualityLimit(4 * standardGravity, .bad, source: "Android CDD 7.3.1, C-1-4")]
        accelerometer.bits = [
            QualityLimit(12, .bad, source: "Android CDD 7.3.1, C-1-5"),
            QualityLimit(16, .warning, source: "Android CDD 7.3.1, SHOULD"),
        ]
        gyroscope.noiseDensity = [QualityLimit(1e-7.squareRoot(), .bad, source: "Android CDD 7.3.4, C-1-7")]
        gyroscope.minimumRate = [
            QualityLimit(50, .bad, source: "Android CDD 7.3.4, C-1-1", isOfCapability: true),
            QualityLimit(200, .warning, source: "Android CDD 7.3.4, SHOULD", isOfCapability: true),
        ]
        gyroscope.range = [QualityLimit(1000 * degree, .bad, source: "Android CDD 7.3.4, C-1-3")]
        gyroscope.bits = [
            QualityLimit(12, .bad, source: "Android CDD 7.3.4, C-1-4"),
            QualityLimit(16, .warning, source: "Android CDD 7.3.4, C-1-4, SHOULD"),
        ]
        timing.firstSample.severity = .bad
        receiver.radius95.severity = .bad
        receiver.satellites.severity = .bad
    }

    /// What the Android Compatibility Definition says of cars.
    mutating func applyAutomotive() {
        accelerometer.minimumRate = [QualityLimit(100, .bad, source: "Android CDD 2.5.1, A-1-1", isOfCapability: true)]
        gyroscope.minimumRate = [QualityLimit(100, .bad, source: "Android CDD 2.5.1, A-2-1", isOfCapability: true)]
        gyroscope.range = [QualityLimit(250 * degree, .bad, source: "Android CDD 2.5.1, A-2-3")]
        receiver.firstFix.severity = .bad
    }

    /// What PX4 refuses to arm for.
    mutating func applyPX4() {
        accelerometer.agreement = accelerometer.agreement.map { QualityLimit($0.value, .bad, source: $0.source) }
        gyroscope.agreement = gyroscope.agreement.map { QualityLimit($0.value, .bad, source: $0.source) }
    }
}
