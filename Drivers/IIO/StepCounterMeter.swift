package import DriverKit
package import Measurement
package import Readiness

/// Reads the count of a device's step counter once a second while the rig is carried on a walk.
package struct StepCounterMeter: SensorMeter {
    package let sensors: [Sensor]
    private let device: IIODevice
    private let plan: SensorPlan
    /// The seconds from the begin in which somebody walks.
    private let walk: ClosedRange<Double>

    private static let interval = 1.0

    /// The meters of the step counters that were found on this machine, for a walk in some seconds from the begin.
    package static func meters(
        for sensors: [Sensor], walk: ClosedRange<Double>, in world: any World
    ) throws(DriverError) -> [StepCounterMeter] {
        let counters = sensors.filter { $0.driver == "iio" && $0.kind == .stepCounter }
        if counters.isEmpty { return [] }
        return try IIODevice.all(in: world).flatMap { device in
            device.listed(counters).map { StepCounterMeter(sensors: [$0], device: device, plan: $1, walk: walk) }
        }
    }

    package var name: String { "\(device.kernelName) \(plan.first)" }

    package func series(in world: any World, during period: MeasuringPeriod) -> [SensorSeries] {
        let sensor = sensors[0]
        let reader = LocalAttributes(device, in: world)
        let first = Sample(plan, from: reader)
        // A counter that is off is told before somebody walks.
        guard first.reading != nil else {
            let remedies = DeviceHost.local(device.path).remedies(for: first, of: sensor)
            let method = MeasurementMethod.unmeasured(reason: first.words, remedies: remedies)
            return [.uncaptured(sensor, method)]
        }
        var series = StepSeries(
            key: sensor.key, name: sensor.name,
            method: .attributes(reason: "the kernel gives steps as an attribute", remedies: []))
        let began = world.now().advanced(bySeconds: walk.lowerBound)
        let end = began.advanced(bySeconds: walk.upperBound - walk.lowerBound)
        var (next, last) = (began, world.now())
        while last < end, !period.wait(min(next, end)) {
            let sample = Sample(plan, from: reader)
            guard case .steps(let count)? = sample.reading else {
                // A recording ends where its capture did.
                if sample.refusal?.code != .notRecorded { series.fault = sample.words }
                break
            }
            let seconds = began.seconds(to: world.now())
            series.append(StepSeries.StepCount(seconds: seconds, count: count))
            period.report(
                MeasuringPeriod.Progress(
                    kind: .stepCounter, key: sensor.key, samples: series.readings.count, seconds: seconds,
                    values: [Double(count)]))
            next = max(next.advanced(bySeconds: Self.interval), world.now())
            // The clock of a recording stands still once all its answers were given.
            if world.now() == last { break }
            last = world.now()
        }
        return [.steps(series)]
    }
}

extension Sample {
    fileprivate var words: String {
        remarks.isEmpty ? refusal?.description ?? "its count cannot be read" : remarks.joined(separator: "; ")
    }
}
