/// What one measurement says of all sensors of a rig.
public struct RigMeasurement: Sendable, Hashable {
    /// The sensors, in the order of their series.
    public var sensors: [SensorMeasurement]
    /// Whether the rig was told to move.
    public var isMoved: Bool

    /// Creates a measurement from what is known of its sensors, such as a document.
    public init(sensors: [SensorMeasurement], isMoved: Bool) {
        self.sensors = sensors
        self.isMoved = isMoved
    }

    /// Measures what was captured, and judges it by limits.
    ///
    /// With `isMoved` the rig was told to move, and nothing is judged that holds only at rest.
    public init(_ series: [SensorSeries], limits: QualityLimits = QualityLimits(), isMoved: Bool = false) {
        self.isMoved = isMoved
        sensors = []
    }

    /// 0: nothing is bad or undetermined; 1: something is bad; 2: nothing is bad, but something is undetermined.
    public var exitStatus: Int32 {
        let verdicts = sensors.map(\.verdict)
        return verdicts.contains(.bad) ? 1 : verdicts.contains(.undetermined) ? 2 : 0
    }
}
