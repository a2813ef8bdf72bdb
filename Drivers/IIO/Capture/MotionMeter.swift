package import DriverKit
package import Measurement
package import Readiness
internal import SystemPackage

/// Captures everything that the motion sensors of one device deliver, through its buffer where this user may use it.
package struct MotionMeter: SensorMeter {
    package let sensors: [Sensor]
    package var name: String { device.kernelName }
    let device: IIODevice
    let plans: [SensorPlan]

    /// The longest wait for a buffer in seconds, so that the end of a measurement is noticed.
    private static let tick = 0.25
    /// Seconds, and periods of its rate, for which a sensor that works may deliver nothing.
    private static let silence = 1.0, silentPeriods = 64.0

    /// The meters of sensors that were found on this machine, one a device.
    package static func meters(for sensors: [Sensor], in world: any World) throws(DriverError) -> [MotionMeter] {
        try IIODevice.all(in: world).compactMap { device in
            let found = device.listed(sensors).filter { $0.plan.kind != .stepCounter }
            return found.isEmpty
                ? nil : MotionMeter(sensors: found.map(\.sensor), device: device, plans: found.map(\.plan))
        }
    }

    package func series(in world: any World, during period: MeasuringPeriod) -> [SensorSeries] {
        let hardware = ChannelCaptureHardware(world)
        do throws(DriverError) {
            // Told to end before it began: nothing is set.
            if period.isEnded(in: world) { throw DriverError(.cancelled, subject: device.name) }
            let scans = try BufferedScans(plans, of: device, hertz: period.rate, in: world, hardware)
            defer { scans.close() }
            return try captured(from: scans, in: world, during: period)
        } catch {
            // Errors that reading attributes would meet too, that mean that the device is in use, or that nobody waits.
            let isFinal = error.code == .cancelled || error.code == .notRecorded
            if isFinal || error.errno == .resourceBusy || error.availability == .unavailable(.absent) {
                return sensors.map { sensor in
                    .uncaptured(sensor, .unmeasured(reason: error.description, remedies: sensor.accessRemedies))
                }
            }
            return read(in: world, during: period, because: error)
        }
    }

    /// What lets this user capture from the buffer after an error.
    private func remedies(after error: DriverError, for sensor: Sensor) -> [Remedy] {
        // The settings of the buffer stay with root, whoever is given the node.
        if error.subject == device.path.appending("buffer/enable").string { return [.option(.asRoot)] }
        if error.isDenied { return sensor.accessRemedies + [.option(.asRoot)] }
        guard error.detail == ScanPlan.noTrigger,
            let attribute = ShellWord(device.path.appending("trigger/current_trigger").string)
        else { return [] }
        // Source: Linux, Documentation/iio/iio_configfs.rst.
        return [
            .command(
                """
                sudo modprobe iio-trig-hrtimer && sudo mkdir -p /sys/kernel/config/iio/triggers/hrtimer/rigready \
                && echo rigready | sudo tee \(attribute)
                """,
                note: "a timer of the kernel as its trigger, at 100 Hz")
        ]
    }

    // MARK: The buffer

    private func captured(
        from scans: BufferedScans, in world: any World, during period: MeasuringPeriod
    ) throws(DriverError) -> [SensorSeries] {
        guard scans.hasTimes else {
            throw DriverError(.unsupported, subject: device.path.string, detail: "its buffer has no timestamps")
        }
        let reader = LocalAttributes(device, in: world)
        var series = sensors.indices.map { index in
            MotionSeries(
                sensors[index], plans[index], scans.sensors[index].conversion, method: .buffer, rate: scans.hertz,
                clock: scans.plan.clockName, formats: scans.cells[index].map { $0.format.value },
                reader: reader, capacity: period.capacity)
        }
        for index in series.indices { series[index].reserve(Int(period.seconds * (scans.hertz ?? 0)) + 1) }
        let halt = try Waker()
        let began = world.now()
        var lastArrival = began
        let end = began.advanced(bySeconds: period.seconds)
        while world.now() < end, !period.isEnded(in: world) {
            let bytes: [UInt8]
            do throws(DriverError) {
                bytes = try scans.scans(until: min(end, world.now().advanced(bySeconds: Self.tick)), halt)
            } catch {
                // A recording ends where its capture did.
                if error.code != .notRecorded {
                    for index in series.indices { series[index].fault = error.description }
                }
                break
            }
            scans.walk(bytes) { time, sensor, counts in
                // A count of more than 32 bits stays at the end of their range.
                if let time { series[sensor].append(time: time, counts: counts.lazy.map { Int32(clamping: $0) }) }
            }
            if !bytes.isEmpty {
                lastArrival = world.now()
                for index in series.indices {
                    series[index].noteFirst(after: began.seconds(to: lastArrival))
                    series[index].noteArrival(after: began.seconds(to: lastArrival))
                    period.report(series[index].progress)
                }
            }
        }
        // The last scans may still be in the buffer; a longer silence is the sensor's.
        let silence = lastArrival.seconds(to: world.now())
        if silence > max(Self.silence, Self.silentPeriods / (scans.hertz ?? 1)) {
            for index in series.indices {
                series[index].ended = series[index].times.last.map { $0 &+ Int64(silence * 1e9) }
            }
        }
        return series.map { .motion($0) }
    }

    // MARK: Attributes

    private func read(
        in world: any World, during period: MeasuringPeriod, because reason: DriverError
    ) -> [SensorSeries] {
        let reader = LocalAttributes(device, in: world)
        var all: [SensorSeries] = []
        var series: [(index: Int, axes: [SensorPlan.AxisPlan], series: MotionSeries)] = []
        for (index, (sensor, plan)) in zip(sensors, plans).enumerated() {
            do throws(DriverError) {
                let conversion = try AxesConversion(plan, from: reader)
                let own = MotionSeries(
                    sensor, plan, conversion,
                    method: .attributes(reason: reason.description, remedies: remedies(after: reason, for: sensor)),
                    rate: plan.frequency.flatMap(reader.hertz), clock: nil,
                    formats: plan.axes.map { reader.format(of: $0.value) },
                    reader: reader, capacity: period.capacity)
                series.append((index, plan.axes, own))
                all.append(.motion(own))
            } catch {
                let method = MeasurementMethod.unmeasured(reason: error.description, remedies: sensor.accessRemedies)
                all.append(.uncaptured(sensor, method))
            }
        }
        let rate = min(
            series.compactMap(\.series.nominalRate).max() ?? .infinity, AttributeSampleSource.fastest)
        let began = world.now()
        let end = began.advanced(bySeconds: period.seconds)
        var (next, last) = (began, began)
        while world.now() < end, !period.wait(min(next, end)), !series.isEmpty {
            next = max(next.advanced(bySeconds: 1 / rate), world.now())
            for place in series.indices where series[place].series.fault == nil {
                do throws(DriverError) {
                    let counts = try series[place].axes.map { axis throws(DriverError) in try count(axis, reader) }
                    series[place].series.append(time: world.now().nanoseconds, counts: counts)
                    period.report(series[place].series.progress)
                } catch {
                    series[place].series.fault = error.description
                }
            }
            // The clock of a recording stands still once all its answers were given.
            if world.now() == last { break }
            last = world.now()
        }
        for (index, _, own) in series { all[index] = .motion(own) }
        return all
    }

    /// The value of an axis as a whole number; one that is in SI units already has six decimals.
    private func count(_ axis: SensorPlan.AxisPlan, _ reader: LocalAttributes) throws(DriverError) -> Int32 {
        let value = try reader.value(axis.value, in: nil)
        let number = (axis.isProcessed ? value * 1e6 : value).rounded()
        return number < 0 ? Int32(max(number, -0x8000_0000)) : Int32(min(number, 0x7fff_ffff))
    }
}

extension LocalAttributes {
    /// The greatest of the numbers in an attribute that lists what can be set, or has a range `[least step most]`.
    fileprivate func greatest(_ attribute: String) -> Double? {
        let separators: Set<UInt8> = [0, 9, 10, 13, 32, UInt8(ascii: "["), UInt8(ascii: "]")]
        return (try? read(attribute)).flatMap { bytes in
            bytes.split { separators.contains($0) }.compactMap { AttributeValue(Array($0))?.number }
                .filter { $0.isFinite && $0 > 0 }.max()
        }
    }
}

extension MotionSeries {
    fileprivate init(
        _ sensor: Sensor, _ plan: SensorPlan, _ conversion: AxesConversion, method: MeasurementMethod, rate: Double?,
        clock: String?, formats: [SampleFormat?], reader: LocalAttributes, capacity: Int
    ) {
        let axes = zip(plan.axes, zip(conversion.factors, formats)).map { axis, parts in
            let (factor, format) = parts
            let limits = format.flatMap { $0.bits <= 32 ? $0.limits : nil }
            return ChipAxis(
                axis.axis.rawValue, scale: axis.isProcessed ? 1e-6 : factor.scale, offset: factor.offset,
                leastCount: limits.map { Int32(clamping: $0.lowerBound) },
                greatestCount: limits.map { Int32(clamping: $0.upperBound) })
        }
        self.init(
            key: sensor.key, kind: sensor.kind, name: sensor.name, method: method, nominalRate: rate, clock: clock,
            axes: axes,
            mounting: conversion.matrix.flatMap { matrix in
                Mounting(matrix: matrix.rows, origin: reader.mountMatrix(for: plan)?.place ?? "the driver")
            },
            capacity: capacity)
        // A driver that can choose the range, by the scale, passes the counts of the chip on. A hub's are those of its
        // reports, which may have far more bits. Source: kernel ABI sysfs-bus-iio, in_accel_scale_available.
        isRangeOfChip = plan.scaleList != nil
        greatestScale = plan.scaleList.flatMap { reader.greatest($0) }
        greatestRate = plan.frequency.flatMap { frequency in
            SamplingChoice.lists(for: frequency).compactMap { reader.greatest($0) }.first
        }
    }

    /// Notes when the first block arrived, which is once its last sample is there: its first came earlier by its span.
    fileprivate mutating func noteFirst(after seconds: Double) {
        guard firstSampleDelay == nil, let span else { return }
        firstSampleDelay = max(seconds - span, 0)
    }

    /// The state of the series for a reader who waits.
    fileprivate var progress: MeasuringPeriod.Progress {
        let values = zip(axes, counts).compactMap { axis, column in column.last.map { axis.value(Double($0)) } }
        let seconds = Double((times.last ?? 0) &- (times.first ?? 0)) / 1e9
        return MeasuringPeriod.Progress(kind: kind, key: key, samples: times.count, seconds: seconds, values: values)
    }
}
