internal import DriverKit
internal import Readiness
internal import SystemPackage

/// The source of a capture's samples.
protocol SampleSource: AnyObject {
    var mode: CaptureMode { get }
    /// The next samples by kind of sensor, none at the deadline. Throws `cancelled` when the capture is stopped, else
    /// the error that ends it.
    func samples(until deadline: Instant, _ halt: Waker) throws(DriverError) -> [(SensorKind, MotionSample)]
    /// Ends the capture and restores what it has set.
    func close()
}

extension AttributeReader {
    /// The sampling frequency in an attribute, in Hz; nil if it cannot be read, or no sensor can have it.
    func hertz(_ attribute: String) -> Double? { (try? read(attribute)).flatMap { SamplingFrequency($0) }?.hertz }

    /// The value of an axis; throws `malformed` if it is no number, or does not fit into its format.
    func value(_ attribute: String, in format: SampleFormat?) throws(DriverError) -> Double {
        let bytes = try read(attribute)
        guard let value = AttributeValue(bytes), format?.holds(value.number) ?? true else {
            throw DriverError(.malformed, subject: place(of: attribute), detail: "not a value: \(quoted(bytes))")
        }
        return value.number
    }
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
    let mode: CaptureMode
    private let reader: LocalAttributes
    private let sensors: [(plan: SensorPlan, conversion: AxesConversion)]
    /// The width of raw values, if the driver reports it.
    private let formats: [String: SampleFormat]
    /// When the next sample is due.
    private(set) var next = Instant.now

    /// The highest rate in Hz: each sample takes three transfers on the chip's bus, and each may block.
    static let fastest = 100.0

    init(
        _ plans: [SensorPlan], of device: IIODevice, hertz: Double, in world: any World, because reason: String
    ) throws(DriverError) {
        let reader = LocalAttributes(device, in: world)
        sensors = try plans.map { plan throws(DriverError) in (plan, try AxesConversion(plan, from: reader)) }
        // Reading faster than the chip measures would repeat values.
        let paces = Set(plans.compactMap(\.frequency)).compactMap(reader.hertz)
        let pace = min(hertz, paces.max() ?? hertz, Self.fastest)
        self.reader = reader
        formats = plans.flatMap(\.axes).filter { !$0.isProcessed }.reduce(into: [:]) { formats, axis in
            formats[axis.value] = reader.format(of: axis.value)
        }
        mode = CaptureMode(device: device.kernelName, name: device.name, hertz: pace, reason: reason)
    }

    func samples(until deadline: Instant, _ halt: Waker) throws(DriverError) -> [(SensorKind, MotionSample)] {
        if halt.wait(until: min(next, deadline)) { throw DriverError(.cancelled, subject: mode.device) }
        let now = Instant.now
        guard now >= next else { return [] }
        // Missed samples are not made up for.
        next = max(next.advanced(bySeconds: 1 / mode.hertz), now)
        var samples: [(SensorKind, MotionSample)] = []
        for sensor in sensors {
            let began = CaptureClock.now
            let raw = try sensor.plan.axes.map { axis throws(DriverError) in
                try reader.value(axis.value, in: formats[axis.value])
            }
            guard let axes = try? sensor.conversion.axes(raw) else { continue }
            samples.append((sensor.plan.kind, MotionSample(axes: axes, time: began + (CaptureClock.now - began) / 2)))
        }
        return samples
    }

    func close() {}
}

/// A device's buffer, enabled for some of its sensors until it is closed, and the source of their samples.
///
/// While open it changes, and `close` restores: `scan_elements/*_en`, `buffer/length`, `buffer/watermark`,
/// `buffer/enable`, and if they differ from the request `trigger/current_trigger` and `sampling_frequency`.
final class BufferedScans: SampleSource {
    /// Its rate is the requested one, or else 100 Hz, where the device reports none.
    let mode: CaptureMode
    let plan: ScanPlan
    let sensors: [(plan: SensorPlan, conversion: AxesConversion)]
    /// Samples per second, as the device reports; nil if it reports none.
    let hertz: Double?
    /// Where the axes of each sensor are in a scan, and their formats.
    let cells: [[ScanLayout.ScanCell]]
    private let buffer: any CaptureBuffer
    private let clock: ScanLayout.ScanCell?
    private var settings: DeviceSettings?

    /// Sets the device's rate as near to the requested one as it can; without one the rate stays.
    init(
        _ plans: [SensorPlan], of device: IIODevice, hertz: Double?, in world: any World,
        _ hardware: any CaptureHardware
    ) throws(DriverError) {
        let plan = try ScanPlan(plans, of: device, in: world)
        let enable = device.path.appending("buffer/enable")
        guard let node = device.node?.path, hardware.mayWrite(enable) else {
            throw DriverError(.unsupported, subject: enable.string, detail: "this user may not write it")
        }
        try hardware.claim(node)
        var settings = DeviceSettings(folder: device.path, world: world, hardware: hardware)
        for attribute in ["buffer/length", "buffer/watermark"] { settings.keep(attribute) }
        for name in try world.entries(of: device.path.appending("scan_elements")) where name.hasSuffix("_en") {
            settings.keep("scan_elements/\(name)")
        }
        let reader = LocalAttributes(device, in: world)
        do throws(DriverError) {
            if let trigger = plan.trigger { try settings.set("trigger/current_trigger", to: trigger) }
            let pace = Self.setPace(plans, hertz, &settings, reader)
            sensors = try plans.map { plan throws(DriverError) in (plan, try AxesConversion(plan, from: reader)) }
            let id = device.kernelName
            // A device that keeps its own rate is decimated, or delivers fewer samples.
            mode = CaptureMode(device: id, name: device.name, hertz: pace ?? hertz ?? 100)
            // A quarter of a second at a time; the kernel keeps sixteen times that for a late reader.
            let scans = min(max(Int(mode.hertz / 4), 16), 1024)
            let buffer = try hardware.buffer(of: id, channels: plan.layout.channels, scans: scans)
            guard buffer.scanSize == plan.layout.size else {
                buffer.close()
                throw DriverError(
                    .malformed, subject: id, detail: "a scan of \(buffer.scanSize) bytes, not \(plan.layout.size)")
            }
            self.buffer = buffer
            self.hertz = pace
        } catch {
            settings.restore()
            throw error
        }
        self.plan = plan
        cells = plans.map { plan.layout.cells(of: $0) }
        clock = plan.layout.cell(of: ScanPlan.timestamp)
        self.settings = consume settings
    }

    deinit { close() }

    /// Sets the device's rate; returns the rate in Hz that it reports then.
    private static func setPace(
        _ plans: [SensorPlan], _ hertz: Double?, _ settings: inout DeviceSettings, _ reader: LocalAttributes
    ) -> Double? {
        Set(plans.compactMap(\.frequency)).sorted().compactMap { attribute -> Double? in
            guard let before = reader.hertz(attribute) else { return nil }
            guard let hertz else { return before }
            let choice =
                reader.available(for: attribute).map { SamplingChoice.value(for: hertz, among: $0) }
                ?? SamplingChoice.decimal(hertz)
            guard let choice, let wanted = SamplingFrequency(Array(choice.utf8))?.hertz,
                abs(wanted - before) > before * 0.01, (try? settings.set(attribute, to: choice)) != nil
            else { return before }
            return reader.hertz(attribute) ?? wanted
        }.min()
    }

    /// All complete scans; see `CaptureBuffer`.
    func scans(until deadline: Instant, _ halt: Waker) throws(DriverError) -> [UInt8] {
        try buffer.scans(until: deadline, halt)
    }

    /// Whether scans have the kernel's times.
    var hasTimes: Bool { clock != nil }

    /// Passes each sensor's counts in each of some scans on, with the scan's time on the device's clock.
    func walk(_ bytes: [UInt8], _ body: (_ time: Int64?, _ sensor: Int, _ counts: [Int64]) -> Void) {
        var counts: [Int64] = []
        for start in stride(from: 0, to: bytes.count - bytes.count % plan.layout.size, by: plan.layout.size) {
            let time = clock.flatMap { $0.format.integer(at: start + $0.place, in: bytes) }
            for (sensor, cells) in cells.enumerated() {
                counts.removeAll(keepingCapacity: true)
                for cell in cells {
                    if let count = cell.format.integer(at: start + cell.place, in: bytes) { counts.append(count) }
                }
                if counts.count == cells.count { body(time, sensor, counts) }
            }
        }
    }

    /// The samples of the next scans, with the kernel's timestamps on CLOCK_MONOTONIC.
    func samples(until deadline: Instant, _ halt: Waker) throws(DriverError) -> [(SensorKind, MotionSample)] {
        let bytes = try scans(until: deadline, halt)
        let difference = plan.clock.difference
        var samples: [(SensorKind, MotionSample)] = []
        walk(bytes) { time, sensor, counts in
            let (plan, conversion) = sensors[sensor]
            guard let axes = try? conversion.axes(counts.map(Double.init)) else { return }
            let time = time.map { $0 &+ difference } ?? CaptureClock.now
            samples.append((plan.kind, MotionSample(axes: axes, time: time)))
        }
        return samples
    }

    func close() {
        guard let settings = settings.take() else { return }
        buffer.close()
        settings.restore()
    }
}

/// The attributes of a device that a capture has set, with their previous contents.
private struct DeviceSettings: ~Copyable {
    let folder: FilePath
    let world: any World
    let hardware: any CaptureHardware
    var before: [(attribute: String, value: String)] = []

    private func line(_ attribute: String) -> String? {
        let bytes = try? world.contents(of: folder.appending(attribute), limit: 4096)
        return bytes.map { String(decoding: $0.prefix { $0 != 10 && $0 != 0 }, as: UTF8.self) }
    }

    /// Saves an attribute's contents, because other code changes it.
    mutating func keep(_ attribute: String) {
        guard !before.contains(where: { $0.attribute == attribute }), let value = line(attribute) else { return }
        before.append((attribute, value))
    }

    mutating func set(_ attribute: String, to value: String) throws(DriverError) {
        keep(attribute)
        try hardware.write(value, to: folder.appending(attribute))
    }

    /// Restores the previous contents, last first; what cannot be restored was removed with its device.
    consuming func restore() {
        // An empty attribute is restored by an empty line.
        for (attribute, value) in before.reversed() where line(attribute) != value {
            try? hardware.write(value + "\n", to: folder.appending(attribute))
        }
    }
}
