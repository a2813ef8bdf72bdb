internal import DriverKit
package import Readiness
internal import SystemPackage

/// The attributes that decide about one sensor of a device; the same for sysfs and for a remote context.
package struct SensorPlan: Sendable, Hashable {
    package struct AxisPlan: Sendable, Hashable {
        package var axis: Axis
        package var value: String
        /// Whether the value is already in SI units (`_input`).
        package var isProcessed: Bool
        /// The attribute with the scale, the axis's own before the shared one; nil if the driver has none.
        package var scale: String?
        /// The attribute with the offset, chosen likewise.
        package var offset: String?
    }

    package var kind: SensorKind
    package var axes: [AxisPlan] = []
    var count: String?
    /// The attribute that says whether a step counter is on.
    var enable: String?
    /// The attribute with the mount matrix, the most specific one; nil if there is none.
    package var matrix: String?
    /// The attribute with the sampling frequency of a motion sensor, the most specific one; nil if there is none.
    package var frequency: String?
    /// The attribute with the scales that its driver can set, each of which is a range of the chip; nil if there is none.
    package var scaleList: String?

    /// The attribute by which its driver says how well a motion sensor is calibrated; nil if there is none.
    package var calibration: String?

    /// The attribute that shows whether the values may be read.
    package var first: String { axes.first?.value ?? count ?? "" }

    /// The sensors of a device by the names of its attributes: none, one or several.
    package static func plans(for names: some Sequence<String>) -> [SensorPlan] {
        var parsed: [AttributeName: String] = [:]
        var others: Set<String> = []
        for name in names {
            if let attribute = AttributeName(name) {
                parsed[attribute] = name
            } else if name.hasSuffix("mount_matrix") || name.hasSuffix("sampling_frequency")
                || name.hasSuffix("scale_available") || name.hasSuffix("_status") && name.contains("calibration")
            {
                others.insert(name)
            }
        }
        let values = parsed.keys.filter { $0.suffix == .raw || $0.suffix == .input }
        // What the attributes of one sensor have in common.
        let sensors = Set(values.map { AttributeName(kind: $0.kind, index: $0.index, axis: nil, suffix: .raw) })
        return sensors.sorted { ($0.kind, $0.index ?? -1) < ($1.kind, $1.index ?? -1) }.compactMap { sensor in
            SensorPlan(sensor.kind, sensor.index, in: parsed, others)
        }
    }

    private init?(_ kind: SensorKind, _ index: Int?, in names: [AttributeName: String], _ others: Set<String>) {
        func named(_ index: Int?, _ axis: Axis?, _ suffix: AttributeName.Suffix) -> String? {
            names[AttributeName(kind: kind, index: index, axis: axis, suffix: suffix)]
        }
        func shared(_ axis: Axis, _ suffix: AttributeName.Suffix) -> String? {
            named(index, axis, suffix) ?? named(index, nil, suffix) ?? named(nil, nil, suffix)
        }
        self.kind = kind
        if kind == .stepCounter {
            guard let count = named(index, nil, .input) else { return nil }
            self.count = count
            enable = named(index, nil, .enable)
            return
        }
        axes = Axis.allCases.compactMap { axis in
            if let raw = named(index, axis, .raw) {
                return AxisPlan(
                    axis: axis, value: raw, isProcessed: false, scale: shared(axis, .scale),
                    offset: shared(axis, .offset))
            }
            return named(index, axis, .input).map { AxisPlan(axis: axis, value: $0, isProcessed: true) }
        }
        guard !axes.isEmpty else { return nil }
        let type = kind == .accelerometer ? "accel" : "anglvel"
        matrix = ["in_\(type)_mount_matrix", "in_mount_matrix", "mount_matrix"].first(where: others.contains)
        let numbered = type + (index.map(String.init) ?? "")
        let own = axes.first.map { "in_\(numbered)_\($0.axis.rawValue)" } ?? "in"
        func attribute(_ suffix: String) -> String? {
            [own, "in_\(numbered)", "in_\(type)", "in"].lazy.map { $0 + suffix }.first(where: others.contains)
        }
        scaleList = attribute("_scale_available")
        frequency = attribute("_sampling_frequency")
        calibration = Self.calibration(of: kind, among: others)
        if frequency == nil, others.contains("sampling_frequency") { frequency = "sampling_frequency" }
    }
}

extension SensorPlan {
    /// The status of the sensor's own calibration, or else of the whole chip's: `in_accel_calibration_auto_status`,
    /// `in_gyro_…`, `sys_…`; 0 means not calibrated.
    ///
    /// Source: kernel ABI `sysfs-bus-iio-bno055`.
    private static func calibration(of kind: SensorKind, among names: Set<String>) -> String? {
        let own = kind == .accelerometer ? ["in_accel"] : ["in_gyro", "in_anglvel"]
        let statuses = names.filter { $0.hasSuffix("_status") }.sorted()
        return statuses.first { name in own.contains(where: name.hasPrefix) }
            ?? statuses.first { $0.hasPrefix("sys_") || $0.hasPrefix("calibration") }
    }
}

/// The plans of several devices in turn: a device with the names of the previous one reuses what they gave.
struct SensorPlans {
    private var names: [String] = []
    private(set) var plans: [SensorPlan] = []
    /// The names except those of input channels, such as `buffer` and `trigger`.
    private(set) var attributes: [String] = []

    mutating func take(_ names: [String]) {
        // Mostly the very array of the last device, which `==` compares string by string.
        let isSame = unsafe names.withUnsafeBufferPointer { new in
            unsafe self.names.withUnsafeBufferPointer { unsafe $0.baseAddress == new.baseAddress }
        }
        guard !isSame, names != self.names else { return }
        self.names = names
        plans = SensorPlan.plans(for: names)
        attributes = names.filter { !$0.hasPrefix("in_") }
    }
}

/// One of the three axes of a motion sensor, named as by the kernel.
package enum Axis: String, CaseIterable, Sendable {
    case x, y, z
}

/// The name of a sysfs attribute that matters for a motion sensor or a step counter.
///
/// Shape: `in_TYPE[INDEX][_AXIS]_SUFFIX`, such as `in_accel_x_raw`, `in_accel1_scale`, `in_steps_input`. A prefix is
/// not enough: `in_anglvel_z_quadrature_correction_raw`, `in_velocity_sqrt(x^2+y^2)_raw` and `in_accel_matrix` look
/// similar but are something else. Source: kernel ABI `sysfs-bus-iio`.
package struct AttributeName: Sendable, Hashable {
    enum Suffix: String, CaseIterable, Sendable {
        case raw, input, scale, offset
        case enable = "en"
    }

    let kind: SensorKind
    /// The number of the channel, if several channels of a type are numbered.
    var index: Int?
    /// The channel's axis; nil for an attribute that all axes share.
    let axis: Axis?
    let suffix: Suffix

    private static let types: KeyValuePairs<String, SensorKind> = [
        "in_anglvel": .gyroscope, "in_accel": .accelerometer, "in_steps": .stepCounter,
    ]
    /// All names without a number.
    private static let names: [String: AttributeName] = {
        var names: [String: AttributeName] = [:]
        for (type, kind) in types {
            for suffix in Suffix.allCases {
                for axis: Axis? in [nil, .x, .y, .z] {
                    let head = axis.map { "\(type)_\($0.rawValue)" } ?? type
                    names["\(head)_\(suffix.rawValue)"] = AttributeName(kind: kind, axis: axis, suffix: suffix)
                }
            }
        }
        return names
    }()
}

extension AttributeName {
    /// Parses a name; nil for every attribute that does not matter here.
    package init?(_ name: String) {
        if let known = Self.names[name] {
            self = known
            return
        }
        // A number follows the type at once, and has at most four digits.
        guard let type = Self.types.first(where: { name.hasPrefix($0.key) })?.key, name.utf8.count <= 64 else {
            return nil
        }
        let digits = name.utf8.dropFirst(type.utf8.count).prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard 1...4 ~= digits.count, let known = Self.names[type + name[digits.endIndex...]] else { return nil }
        self = known
        index = Int(name[digits.startIndex..<digits.endIndex])
    }
}

extension ReadingTime {
    /// Samples that a driver waits for at each read of an axis, by the beginning of its name.
    ///
    /// Source: Linux 6.12, `st_sensors_read_info_raw` (each read powers the chip on and waits for its boot time, two
    /// samples) and `st_lsm6dsx_read_oneshot` (three to four).
    private static let samples: KeyValuePairs = ["st-accel": 2.0, "st-gyro": 2.0, "st-lsm9ds0": 2.0, "st_lsm6dsx": 4.0]
    /// The samples that other drivers may wait for: one to wake up, and one to measure.
    private static let otherSamples = 2.0
    /// A rate in Hz that no bench waits for.
    private static let fast = 100.0

    /// The time that the kernel takes to read the axes of a sensor one after another; nil if it is negligible.
    ///
    /// `faster` gives the command that sets a rate, from the rates that the driver offers.
    init?(
        _ plan: SensorPlan, at frequency: SamplingFrequency, kernelDriver: () -> String?, faster: () -> [Remedy]
    ) {
        let count = Double(plan.axes.count)
        guard count > 0, count * 4 / frequency.hertz > 0.05 else { return nil }
        let driver = kernelDriver() ?? ""
        let known = Self.samples.first { driver.hasPrefix($0.key) }?.value
        let seconds = count * (known ?? Self.otherSamples) / frequency.hertz
        let rounded = (seconds * 10).rounded(.up) / 10
        let text = "\(rounded)".hasSuffix(".0") ? "\(Int(min(rounded, 1e9)))" : "\(rounded)"
        let axes = ["one axis takes", "two axes take", "three axes take"][min(plan.axes.count, 3) - 1]
        self.init(
            .seconds(min(seconds, 1e6)), reason: "samples at \(frequency.clause): \(axes) \(text) s",
            isExact: known != nil, remedies: seconds > 0.5 ? faster() : [])
    }

    /// The lowest rate that is fast enough among those that a driver offers: `1 10 25`, or `[0.1 0.1 1600]` for a range.
    ///
    /// Source: kernel ABI `sysfs-bus-iio`, `sampling_frequency_available`.
    static func fasterRate(in available: [UInt8]) -> String? {
        let text = String(decoding: available.prefix(4096), as: UTF8.self)
        let isRange = text.hasPrefix("[")
        let words = text.split { $0.isWhitespace || $0 == "[" || $0 == "]" }.map(String.init)
        let rates = words.compactMap { word in
            AttributeValue(Array(word.utf8)).flatMap { $0.number.isFinite ? (word, $0.number) : nil }
        }
        if isRange {
            guard rates.count == 3 else { return nil }
            return rates[2].1 > fast ? "100" : rates[2].0
        }
        return (rates.filter { $0.1 >= fast }.min { $0.1 < $1.1 } ?? rates.max { $0.1 < $1.1 })?.0
    }
}
