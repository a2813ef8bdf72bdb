package import Readiness

/// The motion through which a person guides a rig: four poses, each a quarter turn from the one before, then a walk.
///
/// Every turn is about a level axis, in the positive sense of the right-hand rule, and about another axis of the rig:
/// x, z, then y. So an accelerometer sees each axis up, and measures each turn of a gyroscope too.
package enum GuidedMotion {
    /// One pose, and when it is taken in the measurement.
    package struct Pose: Sendable, Hashable {
        /// The axis of the rig that points up, 0 to 2.
        package var up: Int
        /// The axis of the quarter turn that leads to it, 0 to 2; nil for the first pose.
        package var turnedAbout: Int?
        /// Seconds from the begin of the measurement: when the pose is asked for, and when the next one is.
        package var begin, end: Double

        /// What a person is asked to do.
        package var request: String {
            let up = GuidedMotion.names[up]
            guard let turnedAbout else { return "lay the rig with +\(up) up, and keep it still" }
            return
                "turn the rig a quarter about \(GuidedMotion.names[turnedAbout]), so that +\(up) points up, and keep it still"
        }
    }

    static let names = ["x", "y", "z"]

    /// The poses in order.
    package static let poses = [
        Pose(up: 2, turnedAbout: nil, begin: 0, end: 5), Pose(up: 1, turnedAbout: 0, begin: 5, end: 13),
        Pose(up: 0, turnedAbout: 2, begin: 13, end: 21), Pose(up: 2, turnedAbout: 1, begin: 21, end: 29),
    ]

    /// How long the poses take, in seconds.
    package static let seconds = 29.0

    /// The steps that a person is asked to walk, and the seconds for them.
    ///
    /// Source: Android CTS Verifier, `StepCounterTestActivity.java`: 20 s, and more than ten steps, since many counters
    /// count only from the tenth in a row on.
    package static let stepsOfWalk = 20, secondsOfWalk = 20.0

    /// What a person is asked to do, and when.
    package struct MotionRequest: Sendable, Hashable {
        /// Seconds from the begin of the measurement.
        package var begin, end: Double
        /// The request, in words.
        package var words: String
    }

    /// The seconds from the begin of a measurement in which the rig is carried on a walk; nil if no steps are counted.
    package static func walk(for kinds: Set<SensorKind>) -> ClosedRange<Double>? {
        guard kinds.contains(.stepCounter) else { return nil }
        let begin = kinds == [.stepCounter] ? 0 : seconds
        return begin...begin + secondsOfWalk
    }

    /// The requests of a measurement of some kinds of sensor, in order: the poses, unless only steps are counted, and a
    /// walk if they are.
    package static func requests(for kinds: Set<SensorKind>) -> [MotionRequest] {
        let turns = poses.map { MotionRequest(begin: $0.begin, end: $0.end, words: $0.request) }
        guard let walk = walk(for: kinds) else { return turns }
        let carry = MotionRequest(
            begin: walk.lowerBound, end: walk.upperBound,
            words: "carry the rig and walk \(stepsOfWalk) steps, then keep it still")
        return (kinds == [.stepCounter] ? [] : turns) + [carry]
    }

    /// The seconds at the end of a pose in which the rig is taken to be at rest.
    static let rest = 2.0
}
