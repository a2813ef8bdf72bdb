internal import DriverKit
internal import IIO
internal import Readiness
internal import SystemPackage

/// Samples through a device's buffer, with the kernel's timestamps.
///
/// While open it changes, and `close` restores: `scan_elements/*_en`, `buffer/length`, `buffer/watermark`,
/// `buffer/enable`, and if they differ from the request `trigger/current_trigger` and `sampling_frequency`.
final class BufferSampleSource: SampleSource {
    let way: CaptureMode
    let step: Double
    private let plan: ScanPlan
    private let sensors: [(plan: SensorPlan, conversion: AxesConversion)]
    private let buffer: any CaptureBuffer
    private var settings: DeviceSettings?

    init(
        _ plans: [SensorPlan], of device: IIODevice, hertz: Double, in world: any World, _ hardware: any CaptureHardware
    ) throws(DriverError) {
        let plan = try ScanPlan(plans, of: device, in: world)
        let enable = device.path.appending("buffer/enable")
        guard let node = device.node?.path, hardware.mayWrite(enable) else {
            throw DriverError(.unsupported, subject: enable.string, detail: "this user may not write it")
        }
        try hardware.claim(node)
        var settings = DeviceSettings(of: device, in: world, hardware)
        for attribute in ["buffer/length", "buffer/watermark"] { settings.keep(attribute) }
        for name in try world.entries(of: device.path.appending("scan_elements")) where name.hasSuffix("_en") {
            settings.keep("scan_elements/\(name)")
        }
        let reader = LocalAttributes(device, in: world)
        do throws(DriverError) {
            if let trigger = plan.trigger { try settings.set("trigger/current_trigger", to: trigger) }
            // A device that keeps its own rate is decimated, or delivers fewer samples.
            let pace = Self.setPace(plans, hertz, &settings, reader)
            var sensors: [(SensorPlan, AxesConversion)] = []
            for plan in plans { sensors.append((plan, try AxesConversion(plan, from: reader))) }
            // A quarter of a second, so that a slow reader does not lose samples at once.
            let scans = min(max(Int((pace ?? hertz) / 4), 16), 1024)
            let id = device.path.lastComponent?.string ?? ""
            let buffer = try hardware.buffer(of: id, channels: plan.channels, scans: scans)
            guard buffer.scanSize == plan.layout.size else {
                buffer.close()
                throw DriverError(
                    .malformed, subject: id, detail: "a scan of \(buffer.scanSize) bytes, not \(plan.layout.size)")
            }
            self.buffer = buffer
            self.sensors = sensors
            step = 1 / (pace ?? hertz)
            way = CaptureMode(
                device: id, name: device.name, isBuffered: true, hertz: pace ?? hertz)
        } catch {
            settings.restore()
            throw error
        }
        self.plan = plan
        self.settings = consume settings
    }

    deinit { close() }

    /// Sets the device's rate, as near to the request as it can; returns the rate in Hz that it reports then.
    private static func setPace(
        _ plans: [SensorPlan], _ hertz: Double, _ settings: inout DeviceSettings, _ reader: LocalAttributes
    ) -> Double? {
        var paces: [Double] = []
        for attribute in Set(plans.compactMap(\.frequency)) {
            guard let before = (try? reader.read(attribute)).flatMap({ SamplingFrequency($0) }) else { continue }
            let available = try? reader.read(attribute + "_available")
            let choice = available.map { SamplingChoice.value(for: hertz, among: $0) } ?? SamplingChoice.decimal(hertz)
            let wanted = choice.flatMap { SamplingFrequency(Array($0.utf8)) }
            guard let choice, let wanted, abs(wanted.hertz - before.hertz) > before.hertz * 0.01,
                (try? settings.set(attribute, to: choice)) != nil
            else {
                paces.append(before.hertz)
                continue
            }
            let after = (try? reader.read(attribute)).flatMap { SamplingFrequency($0) }
            paces.append((after ?? wanted).hertz)
        }
        return paces.min()
    }

    func samples(until deadline: Instant, _ halt: Waker) throws(DriverError) -> [(SensorKind, MotionSample)] {
        let bytes = try buffer.scans(until: deadline, halt)
        let difference = plan.clock.difference
        var samples: [(SensorKind, MotionSample)] = []
        for start in stride(from: 0, to: bytes.count - bytes.count % plan.layout.size, by: plan.layout.size) {
            let stamp = plan.hasTimestamp ? plan.layout.integer(of: ScanPlan.timestamp, at: start, in: bytes) : nil
            let time = stamp.map { $0 &+ difference } ?? CaptureClock.now
            for sensor in sensors {
                let raw = sensor.plan.axes.compactMap { axis in
                    axis.channel.flatMap { plan.layout.number(of: $0, at: start, in: bytes) }
                }
                guard raw.count == sensor.plan.axes.count, let axes = try? sensor.conversion.axes(raw) else { continue }
                samples.append((sensor.plan.kind, MotionSample(axes: axes, time: time)))
            }
        }
        return samples
    }

    func close() {
        guard let settings = settings.take() else { return }
        buffer.close()
        settings.restore()
    }
}
