internal import DriverKit
internal import IIO
internal import Readiness
internal import SystemPackage

/// The source of a capture's samples.
protocol SampleSource: AnyObject {
    var way: CaptureMode { get }
    /// The next samples by kind of sensor, none at the deadline. Throws `cancelled` when the capture is stopped, else
    /// the error that ends it.
    func samples(until deadline: Instant, _ halt: Waker) throws(DriverError) -> [(SensorKind, MotionSample)]
    /// Ends the capture and restores what it has set.
    func close()
}

extension AxesConversion {
    /// Reads the conversion of a sensor; unlike a probe, a capture refuses an unreadable scale.
    init(_ plan: SensorPlan, from reader: some AttributeReader) throws(DriverError) {
        func number(_ attribute: String) throws(DriverError) -> Double {
            let bytes = try reader.read(attribute)
            guard let value = AttributeValue(bytes), value.number.isFinite else {
                throw DriverError(
                    .malformed, subject: reader.place(of: attribute), detail: "not a number: \(quoted(bytes))")
            }
            return value.number
        }
        let factors = try plan.axes.map { axis throws(DriverError) in
            if axis.isProcessed { return Factor(axis.axis) }
            guard let attribute = axis.scale else {
                throw DriverError(
                    .unsupported, subject: reader.place(of: axis.value), detail: "its driver gives no scale")
            }
            let scale = try number(attribute)
            guard scale != 0 else {
                throw DriverError(.malformed, subject: reader.place(of: attribute), detail: "a scale of 0")
            }
            let offset = if let attribute = axis.offset { try number(attribute) } else { 0.0 }
            return Factor(axis.axis, scale: scale, offset: offset)
        }
        self.init(plan.kind, factors: factors, matrix: reader.mountMatrix(for: plan).flatMap { MountMatrix($0.bytes) })
    }
}

/// Samples by reading attributes at the rate of a timer; a sample's time is the middle of the reads of its axes.
final class AttributeSampleSource: SampleSource {
    let way: CaptureMode
    private let reader: LocalAttributes
    private let sensors: [(plan: SensorPlan, conversion: AxesConversion)]
    /// The width of raw values, if the driver reports it.
    private let formats: [String: SampleFormat]
    private var next = Instant.now

    init(
        _ plans: [SensorPlan], of device: IIODevice, hertz: Double, in world: any World, because reason: String
    ) throws(DriverError) {
        let reader = LocalAttributes(device, in: world)
        sensors = try plans.map { plan throws(DriverError) in (plan, try AxesConversion(plan, from: reader)) }
        // Reading faster than the chip measures would repeat values.
        let paces = Set(plans.compactMap(\.frequency)).compactMap { attribute in
            (try? reader.read(attribute)).flatMap { SamplingFrequency($0) }?.hertz
        }
        // 100 Hz at most: each sample takes three transfers on the chip's bus, and each may block.
        let pace = min(hertz, paces.max() ?? hertz, 100)
        self.reader = reader
        formats = plans.flatMap(\.axes).filter { !$0.isProcessed }.reduce(into: [:]) { formats, axis in
            formats[axis.value] = reader.format(of: axis.value)
        }
        way = CaptureMode(
            device: device.path.lastComponent?.string ?? "", name: device.name, isBuffered: false, hertz: pace,
            reason: reason)
    }

    func samples(until deadline: Instant, _ halt: Waker) throws(DriverError) -> [(SensorKind, MotionSample)] {
        if halt.wait(until: min(next, deadline)) { throw DriverError(.cancelled, subject: way.device) }
        let now = Instant.now
        guard now >= next else { return [] }
        // Missed samples are not made up for.
        next = max(next.advanced(bySeconds: 1 / way.hertz), now)
        var samples: [(SensorKind, MotionSample)] = []
        for sensor in sensors {
            let began = CaptureClock.now
            var raw: [Double] = []
            for axis in sensor.plan.axes {
                let bytes = try reader.read(axis.value)
                guard let value = AttributeValue(bytes), formats[axis.value]?.holds(value.number) ?? true else {
                    throw DriverError(
                        .malformed, subject: reader.place(of: axis.value), detail: "not a value: \(quoted(bytes))")
                }
                raw.append(value.number)
            }
            guard let axes = try? sensor.conversion.axes(raw) else { continue }
            samples.append((sensor.plan.kind, MotionSample(axes: axes, time: began + (CaptureClock.now - began) / 2)))
        }
        return samples
    }

    func close() {}
}
