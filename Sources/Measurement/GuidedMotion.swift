/// The motion through which a person guides a rig: four poses, each a quarter turn from the one before.
///
/// Every turn is about a level axis, in the positive sense of the right-hand rule, and about another axis of the rig:
/// x, z, then y. So an accelerometer sees each axis up, and measures each turn of a gyroscope too.
public enum GuidedMotion {
    /// One pose, and when it is taken in the measurement.
    public struct Pose: Sendable, Hashable {
        /// The axis of the rig that points up, 0 to 2.
        public var up: Int
        /// The axis of the quarter turn that leads to it, 0 to 2; nil for the first pose.
        public var turnedAbout: Int?
        /// Seconds from the begin of the measurement: when the pose is asked for, and when the next one is.
        public var begin, end: Double

        /// What a person is asked to do.
        public var request: String {
            let up = GuidedMotion.names[up]
            guard let turnedAbout else { return "lay the rig with +\(up) up, and keep it still" }
            return
                "turn the rig a quarter about \(GuidedMotion.names[turnedAbout]), so that +\(up) points up, and keep it still"
        }
    }

    static let names = ["x", "y", "z"]

    /// The poses in order.
    public static let poses = [
        Pose(up: 2, turnedAbout: nil, begin: 0, end: 5), Pose(up: 1, turnedAbout: 0, begin: 5, end: 13),
        Pose(up: 0, turnedAbout: 2, begin: 13, end: 21), Pose(up: 2, turnedAbout: 1, begin: 21, end: 29),
    ]

    /// How long it takes, in seconds.
    public static let seconds = 29.0

    /// The seconds at the end of a pose in which the rig is taken to be at rest.
    static let rest = 2.0
}
