internal import DriverKit
internal import IIO
internal import Readiness

/// What turns a sensor's raw values into those of the rig: (raw + offset) × scale, and the mount matrix.
///
/// Read once, when a capture starts. Unlike a probe, which shows a raw value as raw, a capture refuses a scale that it
/// cannot read: whoever takes the values takes them for m/s² and rad/s.
struct AxesConversion: Sendable {
    private let factors: [(axis: Axis, scale: Double, offset: Double)]
    private let matrix: MountMatrix?
    private let kind: SensorKind

    init(_ plan: SensorPlan, from reader: some AttributeReader) throws(DriverError) {
        func number(_ attribute: String) throws(DriverError) -> Double {
            let bytes = try reader.read(attribute)
            guard let value = AttributeValue(bytes), value.number.isFinite else {
                throw DriverError(
                    .malformed, subject: reader.place(of: attribute), detail: "is no number: \(quoted(bytes))")
            }
            return value.number
        }
        var factors: [(axis: Axis, scale: Double, offset: Double)] = []
        for axis in plan.axes {
            guard !axis.isProcessed else {
                factors.append((axis.axis, 1, 0))
                continue
            }
            guard let attribute = axis.scale else {
                throw DriverError(
                    .unsupported, subject: reader.place(of: axis.value), detail: "its driver gives no scale")
            }
            let scale = try number(attribute)
            guard scale != 0 else {
                throw DriverError(.malformed, subject: reader.place(of: attribute), detail: "a scale of 0")
            }
            var offset = 0.0
            if let attribute = axis.offset { offset = try number(attribute) }
            factors.append((axis.axis, scale, offset))
        }
        self.factors = factors
        kind = plan.kind
        var matrix: MountMatrix?
        if let above = reader.overridingMatrix(for: plan.kind) {
            matrix = MountMatrix(above.bytes)
        } else if let own = plan.matrices.first, let bytes = try? reader.read(own) {
            matrix = MountMatrix(bytes)
        }
        self.matrix = matrix
    }

    /// The values of the rig's axes from the chip's, in the order of the plan; nil where they cannot be true.
    func axes(_ raw: [Double]) -> AxesReading? {
        guard raw.count == factors.count, raw.allSatisfy(\.isFinite) else { return nil }
        // A hub that has stopped answering gives zeros; no accelerometer measures that.
        if kind == .accelerometer, raw.count >= 3, raw.allSatisfy({ $0 == 0 }) { return nil }
        var chip = AxesReading(
            x: nil, y: nil, z: nil, unit: kind == .accelerometer ? .metresPerSecondSquared : .radiansPerSecond)
        for (factor, number) in zip(factors, raw) {
            let value = (number + factor.offset) * factor.scale
            guard value.isFinite else { return nil }
            switch factor.axis {
            case .x: chip.x = value
            case .y: chip.y = value
            case .z: chip.z = value
            }
        }
        return matrix?.applied(to: chip) ?? chip
    }
}
