package import DriverKit
package import Readiness

/// Captures from some sensors over a time, on one thread.
///
/// Sensors that share a device share a meter, since they share its buffer.
package protocol SensorMeter: Sendable {
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
package struct MeasuringPeriod: Sendable {
    /// The latest values of a sensor, for a reader who waits.
    package struct Progress: Sendable {
        /// The sensor's kind.
        package var kind: SensorKind
        /// The sensor's key.
        package var key: String
        /// The samples so far.
        package var samples: Int
        /// Seconds since its first sample.
        package var seconds: Double
        /// The last values in the sensor's units; empty for a sensor without.
        package var values: [Double]

        /// Makes a report of progress.
        package init(kind: SensorKind, key: String, samples: Int, seconds: Double, values: [Double]) {
            self.kind = kind
            self.key = key
            self.samples = samples
            self.seconds = seconds
            self.values = values
        }
    }

    /// Seconds from the begin of each capture.
    package let seconds: Double
    /// The sampling rate in Hz to set; nil leaves each device's own.
    package let rate: Double?
    /// The most samples of one sensor.
    package let capacity: Int
    /// Waits until an instant of the world's clock; true if the measurement ends before.
    ///
    /// A replay never waits.
    package let wait: @Sendable (Instant) -> Bool
    /// Receives progress, on the meters' threads.
    package let report: @Sendable (Progress) -> Void

    /// Makes a period.
    package init(
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
    package func isEnded(in world: any World) -> Bool { wait(world.now()) }
}
