package import Readiness

/// A change of a controller's power.
package struct PowerChange: Sendable, Hashable {
    /// Seconds since the measurement began.
    package var seconds: Double
    /// Whether it is on from then on.
    package var isPowered: Bool

    /// Creates a change.
    package init(seconds: Double, isPowered: Bool) {
        self.seconds = seconds
        self.isPowered = isPowered
    }
}

/// What was seen of one Bluetooth controller.
package struct ControllerSeries: Sendable, Equatable {
    /// The sensor's key.
    package var key: String
    /// The controller's name.
    package var name: String
    /// How it was asked.
    package var method: MeasurementMethod
    /// How long it was watched, in seconds.
    package var seconds: Double
    /// The changes of its power.
    package private(set) var powerChanges: [PowerChange]
    /// How long each answer of the management socket took, in seconds.
    package private(set) var answers: [Double]
    /// The number of answers that came after the series was full.
    package private(set) var dropped = 0
    /// The number of questions without an answer in time.
    package var unanswered: Int
    /// What ended the capture before its time; nil if nothing did.
    package var fault: String?
    /// The most answers that it holds.
    package let capacity: Int

    /// Creates a series.
    package init(
        key: String, name: String, method: MeasurementMethod = .buffer, seconds: Double,
        powerChanges: [PowerChange] = [],
        answers: [Double] = [], unanswered: Int = 0, capacity: Int = 200_000
    ) {
        self.key = key
        self.name = name
        self.method = method
        self.seconds = seconds
        self.powerChanges = powerChanges
        self.answers = answers
        self.unanswered = unanswered
        self.capacity = capacity
    }

    /// Appends the time of an answer; false, and nothing is appended, if the series is full.
    @discardableResult
    package mutating func append(answer seconds: Double) -> Bool {
        answers.append(seconds, upTo: capacity, dropped: &dropped)
    }

    /// Appends a change of power, of which there can be one an answer.
    package mutating func append(_ change: PowerChange) {
        if powerChanges.count < capacity { powerChanges.append(change) }
    }
}

/// What was seen of one step counter.
package struct StepSeries: Sendable, Equatable {
    /// The sensor's key.
    package var key: String
    /// The chip's name.
    package var name: String
    /// How it was read.
    package var method: MeasurementMethod
    /// One reading of the count.
    package struct StepCount: Sendable, Hashable {
        /// Seconds since the walk began.
        package var seconds: Double
        /// The steps since the counter was started.
        package var count: UInt64

        /// Creates a reading.
        package init(seconds: Double, count: UInt64) {
            self.seconds = seconds
            self.count = count
        }
    }
    /// The count in the course of the walk.
    package private(set) var readings: [StepCount] = []
    /// What ended the capture before its time; nil if nothing did.
    package var fault: String?

    /// Creates a series without readings.
    package init(key: String, name: String, method: MeasurementMethod) {
        self.key = key
        self.name = name
        self.method = method
    }

    /// Appends a reading, of which there is about one a second.
    package mutating func append(_ reading: StepCount) {
        if readings.count < 1000 { readings.append(reading) }
    }
}

/// What was captured of one sensor.
package enum SensorSeries: Sendable, Equatable {
    case motion(MotionSeries)
    case position(PositionSeries)
    case controller(ControllerSeries)
    case steps(StepSeries)

    /// The series of a sensor from which nothing was captured, and why.
    package static func uncaptured(_ sensor: Sensor, _ method: MeasurementMethod) -> SensorSeries {
        uncaptured(sensor.kind, key: sensor.key, name: sensor.name, method)
    }

    /// The same of a sensor that was not found, and so may have no name.
    package static func uncaptured(
        _ kind: SensorKind, key: String, name: String = "", _ method: MeasurementMethod
    ) -> SensorSeries {
        switch kind {
        case .bluetoothAdapter: .controller(ControllerSeries(key: key, name: name, method: method, seconds: 0))
        case .locationReceiver: .position(PositionSeries(key: key, name: name, method: method, began: 0))
        case .stepCounter: .steps(StepSeries(key: key, name: name, method: method))
        case .accelerometer, .gyroscope:
            .motion(MotionSeries(key: key, kind: kind, name: name, method: method, axes: []))
        }
    }

    /// What every series has.
    var common: (kind: SensorKind, key: String, name: String, method: MeasurementMethod, fault: String?) {
        switch self {
        case .motion(let series): (series.kind, series.key, series.name, series.method, series.fault)
        case .position(let series): (.locationReceiver, series.key, series.name, series.method, series.fault)
        case .controller(let series): (.bluetoothAdapter, series.key, series.name, series.method, series.fault)
        case .steps(let series): (.stepCounter, series.key, series.name, series.method, series.fault)
        }
    }

    /// The sensor's key.
    package var key: String { common.key }
    /// What ended the capture before its time; nil if nothing did.
    package var fault: String? { common.fault }
    /// The sensor's kind.
    package var kind: SensorKind { common.kind }
}
