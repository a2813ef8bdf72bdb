internal import DriverKit
internal import IIO
internal import Readiness
internal import SystemPackage

/// Samples by reading a device's attributes at the rate of a timer; sets nothing.
///
/// The kernel does not time-stamp such reads: a sample's time is the middle of the reads of its axes.
final class AttributeSampleSource: SampleSource {
    /// The highest rate in Hz: each sample takes three transfers on the chip's bus, and each may block.
    static let fastest = 100.0

    let way: CaptureMode
    let step: Double
    private let reader: LocalAttributes
    private let sensors: [(plan: SensorPlan, conversion: AxesConversion)]
    /// The width of raw values, if the driver reports it.
    private let formats: [String: SampleFormat]
    private var next = Instant.now

    init(
        _ plans: [SensorPlan], of device: IIODevice, hertz: Double, in world: any World, because reason: String
    ) throws(DriverError) {
        let reader = LocalAttributes(device, in: world)
        var sensors: [(SensorPlan, AxesConversion)] = []
        for plan in plans { sensors.append((plan, try AxesConversion(plan, from: reader))) }
        // Reading faster than the chip measures would repeat values.
        let paces = Set(plans.compactMap(\.frequency)).compactMap { attribute in
            (try? reader.read(attribute)).flatMap { SamplingFrequency($0) }?.hertz
        }
        let pace = min(hertz, paces.max() ?? hertz, Self.fastest)
        self.reader = reader
        self.sensors = sensors
        let raw = plans.flatMap(\.axes).filter { !$0.isProcessed }.map(\.value)
        formats = Dictionary(
            raw.compactMap { value in reader.format(of: value).map { (value, $0) } },
            uniquingKeysWith: { first, _ in first })
        step = 1 / pace
        way = CaptureMode(
            device: device.path.lastComponent?.string ?? "", name: device.name, isBuffered: false, hertz: pace,
            reason: reason)
    }

    func samples(until deadline: Instant, _ halt: Waker) throws(DriverError) -> [(SensorKind, MotionSample)] {
        if halt.wait(until: min(next, deadline)) {
            throw DriverError(.cancelled, subject: way.device)
        }
        let now = Instant.now
        guard now >= next else { return [] }
        // Missed samples are not made up for.
        next = max(next.advanced(bySeconds: step), now)
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
