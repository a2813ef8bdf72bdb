package import DriverKit
package import Measurement
internal import Glibc
internal import Synchronization

#if IIO
    internal import IIO
#endif
#if Bluetooth
    internal import Bluetooth
#endif
#if GPSD
    internal import GPSD
#endif

/// What a measurement captures, and how long.
package struct MeasurementRequest: Sendable {
    /// Seconds of each capture.
    package var seconds: Double
    /// The sampling rate in Hz to set while capturing; nil leaves each device's own.
    package var rate: Double?
    /// Whether the rig is moved meanwhile, as `GuidedMotion` asks; the capture takes as long as its requests.
    package var isMoved: Bool
    /// Receives what a person is asked to do, as soon as it is known what is measured.
    package var ask: @Sendable ([GuidedMotion.MotionRequest]) -> Void = { _ in }
    /// Receives progress, on other threads.
    package var report: @Sendable (MeasuringPeriod.Progress) -> Void = { _ in }

    package init(seconds: Double, rate: Double? = nil, isMoved: Bool = false) {
        self.seconds = seconds
        self.rate = rate
        self.isMoved = isMoved
    }
}

/// What was captured of a rig, sensor by sensor.
package struct RigSeries: Sendable {
    /// The rig as probed before.
    package var assessment: Assessment
    package var series: [SensorSeries]
    /// The seconds of the captures: those asked for, or fewer where a signal ended them.
    package var seconds: Double
}

extension LocalRig {
    /// The name of a meter's world in recordings, which distinguishes its requests from those of the probe.
    private static func worldName(of meter: String) -> String { "measure \(meter)" }
    /// The time to find the sensors, unless the user sets it.
    private static let listing = Duration.seconds(10)
    /// Seconds that a capture may take to begin and to end, besides its own time.
    private static let patience = 10.0

    /// The limits of a profile, else of the configuration's profile, with the configuration's own limits for each kind.
    package func qualityLimits(_ profile: QualityProfile? = nil) -> QualityLimits {
        var limits = QualityLimits(profile ?? configuration.profile ?? .standard)
        for (kind, demand) in configuration.quality {
            limits.apply(demand, to: kind, source: "configuration \(configurationFile ?? "")")
        }
        return limits
    }

    /// This recorded rig; for an embedded rig without a capture its second recording, which has one.
    package func withCapture(named name: String) throws(LocalRigError) -> LocalRig {
        guard recording != nil, recording?.header.measured == nil,
            let capture = try EmbeddedRig(rawValue: name)?.capture()
        else { return self }
        return LocalRig(self, on: capture)
    }

    /// Probes, and captures from all motion sensors, receivers and controllers side by side, or from the pinned ones.
    ///
    /// Blocks until each capture has ended and its device has its settings back; `halt` ends it early. Writes to motion
    /// sensors as `BufferedScans` does. A recorded rig gives what its recording holds, at once.
    package func series(
        _ request: MeasurementRequest, halt: Waker, recordedBy recorder: Recorder? = nil
    ) throws(LocalRigError) -> RigSeries {
        // A recording is one of the whole rig; else the values come from the capture.
        let depth = recording == nil && recorder == nil ? Depth.state : nil
        let assessment = try with(depth: depth, timeout: recording == nil ? options.timeout ?? Self.listing : nil)
            .assess(recordedBy: recorder)
        let (sensors, missing) = wanted(of: assessment.inventory)
        return try LocalRigError.wrapping(.internalFault) { () throws(DriverError) in
            let kinds = Set(sensors.map(\.kind))
            let requests = request.isMoved ? GuidedMotion.requests(for: kinds) : []
            request.ask(requests)
            let walk = request.isMoved ? GuidedMotion.walk(for: kinds) : nil
            let machine = captureWorld
            let listing = world(of: Self.worldName(of: "iio"), machine, recorder)
            var (meters, fault) = meters(for: sensors, walk: walk, in: listing)
            // A capture of pinned sensors holds nothing of the others.
            let isPinned = recording?.header.measuredPinned == true
            if let recording, isPinned { meters.removeAll { !recording.hasAnswers(of: Self.worldName(of: $0.name)) } }
            let measured = meters.flatMap(\.sensors)
            let others = sensors.filter { !isPinned && !measured.contains($0) }.map { sensor in
                let isWanted =
                    options.pins[sensor.kind] != nil
                    || (configuration.quality[sensor.kind] != nil && !measured.contains { $0.kind == sensor.kind })
                return SensorSeries.uncaptured(
                    sensor, Self.methodOfUncaptured(sensor, fault, isMoved: request.isMoved, isWanted: isWanted))
            }
            let asked = requests.last?.end ?? request.seconds
            let capacity = MotionSeries.samplesInAll / max(sensors.count, 1)
            let isLive = recording == nil
            let period = MeasuringPeriod(
                seconds: recording.map { $0.header.measured ?? 0 } ?? asked,
                rate: recording.map { $0.header.measuredRate } ?? request.rate, capacity: capacity,
                wait: { isLive ? halt.wait(until: $0) : halt.isWoken }, report: request.report)
            let began = Instant.now
            let run = try MeasurementRun(meters.count)
            let isBlurred = recording?.header.isAnonymized == true
            for (index, meter) in meters.enumerated() {
                let world = world(of: Self.worldName(of: meter.name), machine, recorder)
                run.start(index) {
                    let series = meter.series(in: world, during: period)
                    return isBlurred ? series.map(\.withoutPosition) : series
                }
            }
            let captured = run.series(
                of: meters.map(\.sensors),
                until: Instant.now.advanced(bySeconds: isLive ? asked + Self.patience : 3600),
                unless: halt, patience: Self.patience)
            var seconds = period.seconds
            if isLive, halt.isWoken { seconds = min(seconds, (began.seconds(to: .now) * 1000).rounded() / 1000) }
            let all = captured + others
            let ordered = sensors.flatMap { sensor in all.filter { $0.kind == sensor.kind && $0.key == sensor.key } }
            return RigSeries(assessment: assessment, series: ordered + missing, seconds: seconds)
        }
    }

    /// The sensors to measure, which are all or the pinned ones, and a series for each that is wanted and not there.
    private func wanted(of inventory: Inventory) -> (sensors: [Sensor], missing: [SensorSeries]) {
        guard options.pins.isEmpty else {
            let pins = options.pins.sorted { $0.key < $1.key }
            let found = pins.map { kind, pin in inventory.sensor(kind, pinnedAs: pin) }
            let missing = zip(pins, found).filter { $0.1 == nil }.map { pin, _ in
                let reason = inventory.reasonForMissing(pin.key, pinnedAs: pin.value)
                return SensorSeries.uncaptured(
                    pin.key, key: pin.value, .unmeasured(reason: reason.detail, remedies: reason.remedies))
            }
            return (found.compactMap(\.self), missing)
        }
        let absent = SensorKind.allCases.filter { kind in
            configuration.quality[kind] != nil && !inventory.sensors.contains { $0.kind == kind }
        }
        return (
            inventory.sensors,
            absent.map { kind in
                .uncaptured(
                    kind, key: "",
                    .unmeasured(
                        reason: "no \(kind.title) was found, but the configuration sets limits for it",
                        remedies: [.command("rigready sensors")]))
            }
        )
    }

    /// Why no meter takes a sensor, and what can be done: it failed, or no meter takes such a sensor, which is no fault
    /// unless it is wanted: pinned, or the only one of a kind whose quality the configuration wants.
    private static func methodOfUncaptured(
        _ sensor: Sensor, _ fault: DriverError?, isMoved: Bool, isWanted: Bool
    ) -> MeasurementMethod {
        func omitted(_ reason: String, _ remedies: [Remedy] = []) -> MeasurementMethod {
            isWanted ? .unmeasured(reason: reason, remedies: remedies) : .omitted(reason: reason, remedies: remedies)
        }
        return switch (sensor.kind, sensor.driver) {
        case (.stepCounter, "iio") where !isMoved:
            omitted("steps are counted only with --move", [.advice("measure with --move, and walk when asked")])
        case (.accelerometer, "evdev"), (.gyroscope, "evdev"), (.accelerometer, "gpsd"), (.gyroscope, "gpsd"):
            omitted("the driver \(sensor.driver) does not support capture; only iio does")
        case (_, "iio"), (_, "bluetooth"), (_, "gpsd"):
            .unmeasured(
                reason: fault?.description ?? "it was not there any more when the capture began", remedies: [])
        default:
            omitted(
                "samples of the context \(sensor.driver) have no timestamps",
                [.advice("run rigready measure on the machine that serves it")])
        }
    }

    /// The meters, and why motion sensors may have none.
    private func meters(
        for sensors: [Sensor], walk: ClosedRange<Double>?, in world: any World
    ) -> (meters: [any SensorMeter], fault: DriverError?) {
        var meters: [any SensorMeter] = []
        var fault: DriverError?
        #if IIO
            do throws(DriverError) {
                meters += try MotionMeter.meters(for: sensors, in: world) as [any SensorMeter]
                if let walk { meters += try StepCounterMeter.meters(for: sensors, walk: walk, in: world) }
            } catch {
                fault = error
            }
        #endif
        #if Bluetooth
            if let meter = ControllerMeter(for: sensors) { meters.append(meter) }
        #endif
        #if GPSD
            if let meter = ReceiverMeter(for: sensors, at: settings.gpsd) { meters.append(meter) }
        #endif
        return (meters, fault)
    }

    /// This machine with its capture hardware; one for all meters, which then share what it holds.
    private var captureWorld: any World {
        #if IIO
            CaptureWorld(settings.world)
        #else
            settings.world
        #endif
    }

    private func world(of name: String, _ machine: any World, _ recorder: Recorder?) -> any World {
        if let recording { return ReplayWorld(recording, of: name) }
        return recorder.map { RecordingWorld(machine, of: name, to: $0, isLate: true) } ?? machine
    }
}

/// Captures that run side by side, each on a thread that is abandoned if it does not end.
private final class MeasurementRun: Sendable {
    private let results: Mutex<[[SensorSeries]?]>
    private let ends: [Waker]

    init(_ count: Int) throws(DriverError) {
        results = Mutex(Array(repeating: nil, count: count))
        ends = try (0..<count).map { _ throws(DriverError) in try Waker() }
    }

    func start(_ index: Int, _ capture: @escaping @Sendable () -> [SensorSeries]) {
        let isStarted = Worker.start { [self] in
            let series = capture()
            results.withLock { $0[index] = series }
            ends[index].wake()
        }
        if !isStarted { ends[index].wake() }
    }

    /// The series of the meters in order; those that have none at the deadline are unmeasured.
    ///
    /// Once it is told to end, the deadline is at most `patience` seconds away.
    func series(
        of sensors: [[Sensor]], until deadline: Instant, unless halt: Waker, patience: Double
    ) -> [SensorSeries] {
        var deadline = deadline
        var isReported = false
        for end in ends {
            while !end.wait(until: min(deadline, .now.advanced(bySeconds: 0.25))), .now < deadline {
                guard !isReported, halt.isWoken else { continue }
                isReported = true
                deadline = min(deadline, .now.advanced(bySeconds: patience))
            }
        }
        let results = results.withLock(\.self)
        let late = MeasurementMethod.unmeasured(reason: "the capture did not end in time", remedies: [])
        return zip(results, sensors).flatMap { result, sensors in result ?? sensors.map { .uncaptured($0, late) } }
    }
}

extension SensorSeries {
    /// The series, or none of a receiver whose positions an anonymous recording has blurred.
    fileprivate var withoutPosition: SensorSeries {
        guard case .position(let series) = self else { return self }
        return .uncaptured(
            .locationReceiver, key: series.key, name: series.name,
            .unmeasured(reason: "the recording is anonymous: its positions are blurred", remedies: []))
    }
}
