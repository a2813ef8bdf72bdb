internal import Readiness

/// The unit of a sensor's values: SI, if its driver says how many of its units are one g, or one degree a second.
///
/// A device that only udev takes for an accelerometer has no resolution with a meaning: for other input devices it is
/// in units per millimetre. Source: the kernel's `include/uapi/linux/input.h`.
struct MotionUnit {
    /// Standard gravity in m/s².
    ///
    /// Source: the third General Conference on Weights and Measures, 1901.
    private static let gravity = 9.80665

    private let kind: SensorKind
    /// What one of the driver's units is in SI units, by axis; nil if unknown.
    private let factors: [MotionAxis: Double]?
    /// Why the values are raw; nil if they are not.
    let remark: String?

    init(
        _ kind: SensorKind, _ resolutions: [(axis: MotionAxis, unitsPerUnit: Int32)],
        _ known: InputDevice.Classification
    ) {
        self.kind = kind
        let unit = kind == .accelerometer ? Self.gravity : Double.pi / 180
        let words = kind == .accelerometer ? "units per g" : "units per degree a second"
        guard known == .property else {
            factors = nil
            remark = "its driver does not say that it is an accelerometer, nor in what unit, so the value is raw"
            return
        }
        guard let bad = resolutions.first(where: { $0.unitsPerUnit <= 0 }) else {
            factors = Dictionary(resolutions.map { ($0.axis, unit / Double($0.unitsPerUnit)) }) { first, _ in first }
            remark = nil
            return
        }
        factors = nil
        remark =
            bad.unitsPerUnit == 0
            ? "its driver gives no resolution (\(words)), so the value is raw"
            : "its resolution of \(bad.unitsPerUnit) \(words) is not one, so the value is raw"
    }

    /// The values as a reading; an axis without one is nil.
    func reading(_ value: (MotionAxis) -> Double?) -> AxesReading {
        func converted(_ axis: MotionAxis) -> Double? {
            guard let raw = value(axis) else { return nil }
            guard let factors else { return raw }
            return factors[axis].map { raw * $0 }
        }
        let axes = MotionAxis.axes(of: kind)
        let unit: AxesReading.Unit =
            factors == nil ? .raw : kind == .accelerometer ? .metresPerSecondSquared : .radiansPerSecond
        return AxesReading(x: converted(axes[0]), y: converted(axes[1]), z: converted(axes[2]), unit: unit)
    }
}
