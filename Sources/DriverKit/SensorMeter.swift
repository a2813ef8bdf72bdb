public import Measurement
public import Readiness

/// Captures from some sensors over a time, on one thread.
///
/// Sensors that share a device share a meter, since they share its buffer.
public protocol SensorMeter: Sendable {
    /// The sensors that it captures from.
    var sensors: [Sensor] { get }
    /// What distinguishes it from the other meters of its driver, such as `iio:device0`; stays as it is in recordings.
    var name: String { get }
    /// Captures until the time is over; blocks.
    ///
    /// Returns one series a sensor, in their order. What prevents a capture is part of its series.
    func series(in world: any World, during period: MeasuringPeriod) -> [SensorSeries]
}

/// The time that a measurement takes, as its meters see it.
public struct MeasuringPeriod: Sendable {
    /// The latest values of a sensor, for a reader who waits.
    public struct Progress: Sendable {
        /// The sensor's kind.
        public var kind: SensorKind
        /// The sensor's key.
        public var key: String
        /// The samples so far.
        public var samples: Int
        /// Seconds since its first sample.
        public var seconds: Double
        /// The last values in the sensor's units; empty for a sensor without.
        public var values: [Double]

        /// Makes a report of progress.
        public init(kind: SensorKind, key: String, samples: Int, seconds: Double, values: [Double]) {
            self.kind = kind
            self.key = key
            self.samples = samples
            self.seconds = seconds
            self.values = values
        }
    }

    /// Seconds from the begin of each capture.
    public let seconds: Double
    /// The sampling rate in Hz to set; nil leaves each device's own.
    public let rate: Double?
    /// The most samples of one sensor.
    public let capacity: Int
    /// Waits until an instant of the world's clock; true if the measurement ends before.
    ///
    /// A replay never waits.
    public let wait: @Sendable (Instant) -> Bool
    /// Receives progress, on the meters' threads.
    public let report: @Sendable (Progress) -> Void

    /// Makes a period.
    public init(
        seconds: Double, rate: Double?, capacity: Int, wait: @escaping @Sendable (Instant) -> Bool,
        report: @escaping @Sendable (Progress) -> Void
    ) {
        self.seconds = seconds
        self.rate = rate
        self.capacity = capacity
        self.wait = wait
        self.report = report
    }

    /// Whether it ends before its time, because it was told to.
    public func isEnded(in world: any World) -> Bool { wait(world.now()) }
}
