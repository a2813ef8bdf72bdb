internal import DriverKit
internal import IIO

extension AxesConversion {
    /// Reads the conversion of a sensor, once, when a capture starts.
    ///
    /// Unlike a probe, which shows a raw value as raw, a capture refuses an unreadable scale: it delivers m/s² and
    /// rad/s.
    init(_ plan: SensorPlan, from reader: some AttributeReader) throws(DriverError) {
        func number(_ attribute: String) throws(DriverError) -> Double {
            let bytes = try reader.read(attribute)
            guard let value = AttributeValue(bytes), value.number.isFinite else {
                throw DriverError(
                    .malformed, subject: reader.place(of: attribute), detail: "not a number: \(quoted(bytes))")
            }
            return value.number
        }
        var factors: [Factor] = []
        for axis in plan.axes {
            guard !axis.isProcessed else {
                factors.append(Factor(axis.axis))
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
            factors.append(Factor(axis.axis, scale: scale, offset: offset))
        }
        self.init(plan.kind, factors: factors, matrix: reader.mountMatrix(for: plan).flatMap { MountMatrix($0.bytes) })
    }
}
