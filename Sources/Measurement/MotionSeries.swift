package import Readiness

/// How the samples of a sensor were read.
package enum MeasurementMethod: Sendable, Hashable {
    /// Through the kernel's buffer, with the kernel's timestamps.
    case buffer
    /// By reading attributes one by one, so that the times are those of the reads.
    case attributes(reason: String, remedies: [Remedy])
    /// Not at all, since it failed.
    case unmeasured(reason: String, remedies: [Remedy])
    /// Not at all, since what was asked for does not measure such a sensor; it does not count.
    case omitted(reason: String, remedies: [Remedy])

    /// The name in documents: `buffer`, `attributes`, `unmeasured` or `omitted`.
    package var id: String {
        switch self {
        case .buffer: "buffer"
        case .attributes: "attributes"
        case .unmeasured: "unmeasured"
        case .omitted: "omitted"
        }
    }

    /// Why the samples did not come through a buffer; nil if they did.
    package var reason: String? {
        switch self {
        case .buffer: nil
        case .attributes(let reason, _), .unmeasured(let reason, _), .omitted(let reason, _): reason
        }
    }

    /// What is found of a sensor from which nothing was captured; nil if something was.
    var finding: MeasurementFinding? {
        switch self {
        case .buffer, .attributes: nil
        case .unmeasured(let reason, let remedies):
            MeasurementFinding(.unmeasured, .undetermined, reason, remedies: remedies)
        case .omitted(let reason, let remedies):
            MeasurementFinding(.unmeasured, .information, reason, remedies: remedies)
        }
    }
}

/// One axis of a chip: how its counts become SI values.
package struct ChipAxis: Sendable, Hashable {
    /// `x`, `y` or `z`, of the chip and not of the rig.
    package var name: String
    /// The SI value of one count: m/s² or rad/s.
    package var scale: Double
    /// What is added to a count before it is scaled.
    package var offset: Double
    /// The least count that the chip's format has; nil if unknown.
    package var leastCount: Int32?
    /// The greatest count that the chip's format has; nil if unknown.
    package var greatestCount: Int32?

    /// Creates an axis.
    package init(
        _ name: String, scale: Double, offset: Double = 0, leastCount: Int32? = nil, greatestCount: Int32? = nil
    ) {
        self.name = name
        self.scale = scale
        self.offset = offset
        self.leastCount = leastCount
        self.greatestCount = greatestCount
    }

    /// The SI value of a count, (count + offset) × scale.
    ///
    /// Source: kernel ABI `sysfs-bus-iio`, `in_accel_scale`, `in_accel_offset`.
    package func value(_ count: Double) -> Double { (count + offset) * scale }
}

/// The matrix that turns a chip's axes into those of the rig, with its origin.
package struct Mounting: Sendable, Hashable {
    /// Nine numbers, row by row: `rig = matrix × chip`.
    package var matrix: [Double]
    /// Where it comes from, in words, such as "udev, ACCEL_MOUNT_MATRIX".
    package var origin: String

    /// Creates a mounting; nil unless there are nine finite numbers.
    package init?(matrix: [Double], origin: String) {
        guard matrix.count == 9, matrix.allSatisfy(\.isFinite) else { return nil }
        self.matrix = matrix
        self.origin = origin
    }
}

/// The samples of one accelerometer or gyroscope, in order of arrival.
///
/// A sample takes 4 bytes for its time and 2 for each axis, 60 s of eight chips of three axes at 400 Hz 1.9 MB; 8 and 4
/// where neighbours differ by more than that can tell.
package struct MotionSeries: Sendable, Equatable {
    /// The most samples that one rig's measurement may hold in all, which take 80 MB at most; the caller divides it.
    package static let samplesInAll = 4_000_000

    /// The sensor's key.
    package let key: String
    /// `accelerometer` or `gyroscope`.
    package let kind: SensorKind
    /// The chip's name.
    package let name: String
    /// How the samples were read.
    package var method: MeasurementMethod
    /// What the device reports as its sampling frequency, in Hz; nil if it reports none.
    package var nominalRate: Double?
    /// The kernel's name of the clock of `times`, such as `monotonic`; nil if unknown.
    package var clock: String?
    /// The axes of the chip, in order.
    package let axes: [ChipAxis]
    /// How the chip is mounted; nil if nothing says so, and its axes are taken for those of the rig.
    package var mounting: Mounting?
    /// Whether the extreme counts of `axes` are the chip's own; else they are those of the format in which its values are
    /// passed on, which may hold far more.
    package var isRangeOfChip = false
    /// The greatest scale and sampling frequency, in Hz, that the chip can be set to; nil if its driver lists none.
    package var greatestScale, greatestRate: Double?
    /// The time from the sensor's start to the arrival of its first sample, in seconds; nil if unknown.
    package var firstSampleDelay: Double?
    /// When samples arrived, beside their own times.
    package private(set) var arrivals: [SampleArrival] = []
    /// The moment up to which all samples were fetched, in nanoseconds on `clock`; nil if unknown.
    package var ended: Int64?
    /// What ended the capture before its time; nil if nothing did.
    package var fault: String?
    /// The most samples that it holds.
    package let capacity: Int
    /// The times of the samples, in nanoseconds on `clock`, in order of arrival.
    package private(set) var times = TimeColumn([])
    /// The counts of the samples: one column for each of `axes`.
    package private(set) var counts: [CountColumn]
    /// The number of samples that came after the series was full.
    package private(set) var dropped = 0

    /// Creates a series without samples.
    package init(
        key: String, kind: SensorKind, name: String, method: MeasurementMethod, nominalRate: Double? = nil,
        clock: String? = nil, axes: [ChipAxis], mounting: Mounting? = nil,
        capacity: Int = MotionSeries.samplesInAll
    ) {
        self.key = key
        self.kind = kind
        self.name = name
        self.method = method
        self.nominalRate = nominalRate
        self.clock = clock
        self.axes = axes
        self.mounting = mounting
        self.capacity = capacity
        counts = Array(repeating: [], count: axes.count)
    }

    /// Notes that all samples so far have arrived, in seconds of the rig's monotonic clock since the capture began.
    ///
    /// Some thousands are kept: those of a quarter of an hour.
    package mutating func noteArrival(after received: Double) {
        guard arrivals.count < 4096, let last = times.last else { return }
        arrivals.append(SampleArrival(received: received, time: last))
    }

    /// Makes room for a number of samples, as far as the series may hold them.
    package mutating func reserve(_ samples: Int) {
        let room = min(max(samples, 0), capacity)
        times.reserveCapacity(room)
        for axis in counts.indices { counts[axis].reserveCapacity(room) }
    }

    /// Appends a sample with a count for each axis; false, and nothing is appended, if the series is full.
    @discardableResult
    package mutating func append(time: Int64, counts sample: some RandomAccessCollection<Int32>) -> Bool {
        precondition(sample.count == counts.count, "a sample has a count for each axis")
        guard times.count < capacity else {
            dropped += 1
            return false
        }
        times.append(time)
        for (axis, count) in sample.enumerated() { counts[axis].append(count) }
        return true
    }
}

extension MotionSeries {
    /// The time from the earliest sample to the latest, in seconds; nil without samples.
    package var span: Double? {
        guard let first = times.min(), let last = times.max() else { return nil }
        return Double(UInt64(bitPattern: last &- first)) * 1e-9
    }
}

// MARK: Values on the rig's axes
extension MotionSeries {
    /// The weights of the chip's axes for each axis of the rig; nil for an axis that would need a missing one.
    package var weights: [[Double]?] {
        let matrix = mounting?.matrix ?? [1, 0, 0, 0, 1, 0, 0, 0, 1]
        let places = ["x", "y", "z"].map { name in axes.firstIndex { $0.name == name } }
        return (0..<3).map { row in
            var weights = Array(repeating: 0.0, count: axes.count)
            for column in 0..<3 where matrix[row * 3 + column] != 0 {
                guard let place = places[column] else { return nil }
                weights[place] = matrix[row * 3 + column]
            }
            return weights.contains { $0 != 0 } ? weights : nil
        }
    }

    /// The samples in m/s² or rad/s on an axis of the rig, 0 to 2, in order of arrival; nil if the chip lacks it.
    package func values(ofRigAxis axis: Int) -> [Double]? {
        guard let weights = weights[axis] else { return nil }
        var values = Array(repeating: 0.0, count: times.count)
        for (place, weight) in weights.enumerated() where weight != 0 {
            for index in values.indices { values[index] += weight * axes[place].value(Double(counts[place][index])) }
        }
        return values
    }
}
