public import Readiness

/// A change of a controller's power.
public struct PowerChange: Sendable, Hashable {
    /// Seconds since the measurement began.
    public var seconds: Double
    /// Whether it is on from then on.
    public var isPowered: Bool

    /// Creates a change.
    public init(seconds: Double, isPowered: Bool) {
        self.seconds = seconds
        self.isPowered = isPowered
    }
}

/// What was seen of one Bluetooth controller.
public struct ControllerSeries: Sendable, Equatable {
    /// The sensor's key.
    public var key: String
    /// The controller's name.
    public var name: String
    /// How it was asked.
    public var way: MeasurementWay
    /// How long it was watched, in seconds.
    public var seconds: Double
    /// The changes of its power.
    public private(set) var powerChanges: [PowerChange]
    /// How long each answer of the management socket took, in seconds.
    public private(set) var answers: [Double]
    /// The number of answers that came after the series was full.
    public private(set) var dropped = 0
    /// The number of questions without an answer in time.
    public var unanswered: Int
    /// What ended the capture before its time; nil if nothing did.
    public var fault: String?
    /// The most answers that it holds.
    public let capacity: Int

    /// Creates a series.
    public init(
        key: String, name: String, way: MeasurementWay = .buffer, seconds: Double, powerChanges: [PowerChange] = [],
        answers: [Double] = [], unanswered: Int = 0, capacity: Int = 200_000
    ) {
        self.key = key
        self.name = name
        self.way = way
        self.seconds = seconds
        self.powerChanges = powerChanges
        self.answers = answers
        self.unanswered = unanswered
        self.capacity = capacity
    }

    /// Appends the time of an answer; false, and nothing is appended, if the series is full.
    @discardableResult
    public mutating func append(answer seconds: Double) -> Bool {
        answers.append(seconds, upTo: capacity, dropped: &dropped)
    }

    /// Appends a change of power, of which there can be one an answer.
    public mutating func append(_ change: PowerChange) {
        if powerChanges.count < capacity { powerChanges.append(change) }
    }
}

/// What was seen of one step counter.
public struct StepSeries: Sendable, Equatable {
    /// The sensor's key.
    public var key: String
    /// The chip's name.
    public var name: String
    /// How it was read.
    public var way: MeasurementWay
    /// One reading of the count.
    public struct StepCount: Sendable, Hashable {
        /// Seconds since the walk began.
        public var seconds: Double
        /// The steps since the counter was started.
        public var count: UInt64

        /// Creates a reading.
        public init(seconds: Double, count: UInt64) {
            self.seconds = seconds
            self.count = count
        }
    }
    /// The count in the course of the walk.
    public private(set) var readings: [StepCount] = []
    /// What ended the capture before its time; nil if nothing did.
    public var fault: String?

    /// Creates a series without readings.
    public init(key: String, name: String, way: MeasurementWay) {
        self.key = key
        self.name = name
        self.way = way
    }

    /// Appends a reading, of which there is about one a second.
    public mutating func append(_ reading: StepCount) {
        if readings.count < 1000 { readings.append(reading) }
    }
}

/// What was captured of one sensor.
public enum SensorSeries: Sendable, Equatable {
    case motion(MotionSeries)
    case position(PositionSeries)
    case controller(ControllerSeries)
    case steps(StepSeries)

    /// The series of a sensor from which nothing was captured, and why.
    package static func uncaptured(_ sensor: Sensor, _ way: MeasurementWay) -> SensorSeries {
        uncaptured(sensor.kind, key: sensor.key, name: sensor.name, way)
    }

    /// The same of a sensor that was not found, and so may have no name.
    package static func uncaptured(
        _ kind: SensorKind, key: String, name: String = "", _ way: MeasurementWay
    ) -> SensorSeries {
        switch kind {
        case .bluetoothAdapter: .controller(ControllerSeries(key: key, name: name, way: way, seconds: 0))
        case .locationReceiver: .position(PositionSeries(key: key, name: name, way: way, began: 0))
        case .stepCounter: .steps(StepSeries(key: key, name: name, way: way))
        case .accelerometer, .gyroscope: .motion(MotionSeries(key: key, kind: kind, name: name, way: way, axes: []))
        }
    }

    /// What every series has.
    var common: (kind: SensorKind, key: String, name: String, way: MeasurementWay, fault: String?) {
        switch self {
        case .motion(let series): (series.kind, series.key, series.name, series.way, series.fault)
        case .position(let series): (.locationReceiver, series.key, series.name, series.way, series.fault)
        case .controller(let series): (.bluetoothAdapter, series.key, series.name, series.way, series.fault)
        case .steps(let series): (.stepCounter, series.key, series.name, series.way, series.fault)
        }
    }

    /// The sensor's key.
    public var key: String { common.key }
    /// What ended the capture before its time; nil if nothing did.
    public var fault: String? { common.fault }
    /// The sensor's kind.
    public var kind: SensorKind { common.kind }
}
