package import DriverKit
internal import Glibc
package import Readiness
internal import Synchronization
internal import SystemPackage

/// Captures continuously from a rig's accelerometer and gyroscope.
///
/// Of several devices with such a sensor, it takes one with three axes before others, then one that this user may
/// capture from, then the one that comes nearest to the interval, then one with a buffer, then the first in bus order. Both sensors of a chip share one buffer, which is
/// restarted when the second one is requested.
package final class MotionCapture: Sendable {
    /// What a reader requested, returned at the end; told from other requests by its identity.
    package final class Token: Sendable {
        fileprivate init() {}
    }

    private struct State {
        var orders: [(token: Token, wish: CaptureRun.Wish, device: IIODevice)] = []
        /// The last run of each device, which the next one waits for.
        var runs: [FilePath: CaptureRun] = [:]
    }

    private let world: any World
    private let hardware: any CaptureHardware
    private let state = Mutex(State())

    package init(world: any World, hardware: any CaptureHardware) {
        self.world = world
        self.hardware = hardware
    }

    deinit { for run in state.withLock({ Array($0.runs.values) }) { run.stop() } }

    /// Whether the rig lists a sensor of a kind, or the one that a pin means; does not read it.
    package func isListed(_ kind: SensorKind, pinned pin: String? = nil) -> Bool {
        (try? candidates(kind, pin))?.isEmpty == false
    }

    /// Starts, at an interval in seconds that is clamped to 1 ms … 1 000 s.
    ///
    /// Returns at once; all events go to `deliver`, on a thread of the capture. Writes to the rig as
    /// `BufferedScans` does, until `stop` or an error. Throws `unsupported` if the rig has no such sensor.
    package func start(
        _ kind: SensorKind, pinned pin: String? = nil, every interval: Double,
        _ deliver: @escaping @Sendable (MotionEvent) -> Void
    ) throws(DriverError) -> Token {
        let seconds = Self.clamped(interval)
        guard let (device, plan) = try candidates(kind, pin, hertz: 1 / seconds).first else {
            throw DriverError(
                .unsupported, subject: "this rig", detail: "it has no \(kind.title)" + (pin.map { " \($0)" } ?? ""))
        }
        let wish = CaptureRun.Wish(plan: plan, interval: seconds, deliver: deliver)
        let token = Token()
        state.withLock { $0.orders.append((token, wish, device)) }
        run(device)
        return token
    }

    /// The interval in seconds that is captured at for one asked for.
    package static func clamped(_ interval: Double) -> Double {
        interval.isFinite ? min(max(interval, 0.001), 1000) : 0.02
    }

    /// Stops; returns at once, and settings are restored soon after.
    package func stop(_ token: Token) {
        let device = state.withLock { state in
            state.orders.firstIndex { $0.token === token }.map { state.orders.remove(at: $0).device }
        }
        if let device { run(device) }
    }

    /// Adapts a device's capture to the current requests.
    private func run(_ device: IIODevice) {
        let (old, new, failure) = state.withLock { state -> (CaptureRun?, CaptureRun?, DriverError?) in
            let old = state.runs[device.path]
            let wishes = state.orders.filter { $0.device.path == device.path }.map(\.wish)
            guard !wishes.isEmpty else { return (old, nil, nil) }
            do throws(DriverError) {
                let run = try CaptureRun(wishes, of: device, in: world, hardware, after: old?.end)
                state.runs[device.path] = run
                return (old, run, nil)
            } catch {
                return (old, nil, error)
            }
        }
        old?.stop()
        if let failure {
            for wish in forget(device.path) { wish.deliver(.failure(failure, isFinal: true)) }
        }
        new?.start { [weak self, weak new] in
            guard let self, let new, self.state.withLock({ $0.runs[device.path] === new }) else { return }
            _ = self.forget(device.path)
        }
    }

    /// Removes the requests of a device, which ended with an error.
    private func forget(_ path: FilePath) -> [CaptureRun.Wish] {
        state.withLock { state in
            let gone = state.orders.filter { $0.device.path == path }.map(\.wish)
            state.orders.removeAll { $0.device.path == path }
            return gone
        }
    }

    private func candidates(
        _ kind: SensorKind, _ pin: String?, hertz: Double = 0
    ) throws(DriverError) -> [(device: IIODevice, plan: SensorPlan)] {
        let found = try IIODevice.all(with: kind, pinned: pin, in: world)
        // Without a choice no rate is read.
        guard found.count > 1, hertz > 0 else { return found }
        let ranked = found.map { device, plan in
            let isBarred = if case .success(let status)? = device.node?.status { !status.readable } else { false }
            let fastest = fastest(device, plan)
            return (
                device: device, plan: plan, flaws: (plan.axes.count < 3 ? 2 : 0) + (isBarred ? 1 : 0),
                // A device that is fast enough is no better for being faster.
                shortfall: fastest >= hertz * 0.99 ? 0 : hertz - fastest,
                isBufferless: device.attributes.contains("buffer") ? 0 : 1
            )
        }
        // The sort is stable, so bus order decides among equals.
        return ranked.sorted { ($0.flaws, $0.shortfall, $0.isBufferless) < ($1.flaws, $1.shortfall, $1.isBufferless) }
            .map { ($0.device, $0.plan) }
    }

    /// The highest rate in Hz that a device can be captured at; infinite if it takes any rate, or reports none.
    private func fastest(_ device: IIODevice, _ plan: SensorPlan) -> Double {
        let reader = LocalAttributes(device, in: world)
        let isBuffered = device.attributes.contains("buffer")
        let bound = isBuffered ? Double.infinity : AttributeSampleSource.fastest
        guard let attribute = plan.frequency, let current = reader.hertz(attribute) else { return bound }
        // Only a buffered capture sets the rate.
        guard isBuffered, hardware.mayWrite(device.path.appending(attribute)) else { return min(current, bound) }
        guard let available = reader.available(for: attribute) else { return bound }
        let greatest = SamplingChoice.value(for: .greatestFiniteMagnitude, among: available)
        return greatest.flatMap { SamplingFrequency(Array($0.utf8)) }?.hertz ?? current
    }
}

package struct MotionSample: Sendable, Hashable {
    /// The values on the rig's axes; nil for an axis that the chip lacks.
    package var axes: AxesReading
    /// Nanoseconds on CLOCK_MONOTONIC: the kernel's timestamp if a buffer has one, else the time of the read.
    package var time: Int64
}

/// An event that a capture delivers to its reader.
package enum MotionEvent: Sendable {
    /// The capture runs, by this method.
    case started(CaptureMode)
    case sample(MotionSample)
    /// Nothing came for a while, or the capture has ended; `isFinal` distinguishes them.
    case failure(DriverError, isFinal: Bool)
}

package struct CaptureMode: Sendable, Hashable {
    /// The kernel's current name, such as `iio:device0`, and the chip's.
    package var device, name: String
    /// Samples per second, as the device reports or the reader's own timer has it.
    package var hertz: Double
    /// Why attributes are read one by one; nil if samples come through the kernel's buffer, at its trigger's rate.
    package var reason: String?
}

/// One capture from one device, on a thread of its own, from its start until all settings are restored.
///
/// The thread may block in the kernel; only the next capture of the same device waits for it.
final class CaptureRun: Sendable {
    struct Wish: Sendable {
        var plan: SensorPlan
        var interval: Double
        var deliver: @Sendable (MotionEvent) -> Void
    }

    /// Seconds without a sample (or ten intervals, if longer) after which the reader is notified.
    private static let patience = 5.0

    let device: IIODevice
    let wishes: [Wish]
    private let world: any World
    private let hardware: any CaptureHardware
    private let predecessor: Waker?
    private let halt: Waker
    /// Called when the thread ends.
    let end: Waker

    init(
        _ wishes: [Wish], of device: IIODevice, in world: any World, _ hardware: any CaptureHardware,
        after predecessor: Waker?
    ) throws(DriverError) {
        self.device = device
        self.wishes = wishes
        self.world = world
        self.hardware = hardware
        self.predecessor = predecessor
        halt = try Waker()
        end = try Waker()
    }

    /// Makes it end soon; callable from any thread.
    func stop() { halt.wake() }

    /// Starts the thread; if the capture ends with an error, `ended` is called on it before the readers are notified.
    func start(_ ended: @escaping @Sendable () -> Void) {
        ExitGuard.add(self)
        let isStarted = Worker.start { [self] in
            run(ended)
            ExitGuard.remove(self)
            end.wake()
        }
        guard isStarted else {
            ExitGuard.remove(self)
            end.wake()
            ended()
            return report(DriverError(errno: .resourceTemporarilyUnavailable, subject: "a thread"), isFinal: true)
        }
    }

    private func report(_ error: DriverError, isFinal: Bool) {
        for wish in wishes { wish.deliver(.failure(error, isFinal: isFinal)) }
    }

    private func run(_ ended: @Sendable () -> Void) {
        do throws(DriverError) {
            if let predecessor, !predecessor.wait(until: Instant.now.advanced(bySeconds: 60)) {
                throw DriverError(errno: .resourceBusy, subject: device.kernelName)
            }
            if halt.isWoken { return }
            let hertz = wishes.map { 1 / $0.interval }.max() ?? 1
            let plans = Set(wishes.map(\.plan)).sorted { $0.kind < $1.kind }
            let feed = try open(plans, hertz)
            defer { feed.close() }
            for wish in wishes { wish.deliver(.started(feed.mode)) }
            try pump(feed)
        } catch {
            guard error.code != .cancelled else { return }
            ended()
            report(error, isFinal: true)
        }
    }

    /// Opens the device's buffer if possible, else its attributes; a device that blocks the thread meanwhile is
    /// reported as one that delivers no samples.
    private func open(_ plans: [SensorPlan], _ hertz: Double) throws(DriverError) -> any SampleSource {
        let isOpen = try Waker()
        defer { isOpen.wake() }
        _ = Worker.start { [self] in
            if !isOpen.wait(until: Instant.now.advanced(bySeconds: Self.patience)), !halt.isWoken {
                report(DriverError(.timedOut, subject: device.name), isFinal: false)
            }
        }
        if case .success(let status)? = device.node?.status, !status.readable {
            throw DriverError(errno: .permissionDenied, subject: device.node?.path.string ?? device.name)
        }
        do throws(DriverError) {
            return try BufferedScans(plans, of: device, hertz: hertz, in: world, hardware)
        } catch {
            // Errors that reading attributes would meet too, or that mean the device is in use.
            if error.errno == .resourceBusy || error.availability == .unavailable(.absent) { throw error }
            return try AttributeSampleSource(plans, of: device, hertz: hertz, in: world, because: error.description)
        }
    }

    private func pump(_ feed: any SampleSource) throws(DriverError) {
        var decimations = wishes.map { Decimation(interval: $0.interval, step: 1 / feed.mode.hertz) }
        var lastArrival = wishes.map { _ in Instant.now }
        var isReported = wishes.map { _ in false }
        let tick = min(max(1 / feed.mode.hertz, 0.005), 0.2)
        while true {
            let samples = try feed.samples(until: Instant.now.advanced(bySeconds: tick), halt)
            for (place, wish) in wishes.enumerated() {
                let own = samples.filter { $0.0 == wish.plan.kind }
                for (_, sample) in own where decimations[place].passes(Double(sample.time) / 1e9) {
                    wish.deliver(.sample(sample))
                }
                let now = Instant.now
                if !own.isEmpty {
                    lastArrival[place] = now
                    isReported[place] = false
                } else if !isReported[place],
                    lastArrival[place].seconds(to: now) > max(Self.patience, wish.interval * 10)
                {
                    isReported[place] = true
                    wish.deliver(.failure(DriverError(.timedOut, subject: device.name), isFinal: false))
                }
            }
        }
    }
}

/// Restores what captures have set if the process calls `exit` while they run; a killed process leaves it.
private enum ExitGuard {
    private static let runs = Mutex<[ObjectIdentifier: CaptureRun]>([:])
    /// Registers at first use; at exit, waits three seconds at most.
    private static let isArmed =
        atexit {
            let runs = ExitGuard.runs.withLock { Array($0.values) }
            for run in runs { run.stop() }
            let deadline = Instant.now.advanced(bySeconds: 3)
            for run in runs { run.end.wait(until: deadline) }
        } == 0

    static func add(_ run: CaptureRun) {
        _ = isArmed
        runs.withLock { $0[ObjectIdentifier(run)] = run }
    }

    static func remove(_ run: CaptureRun) { runs.withLock { $0[ObjectIdentifier(run)] = nil } }
}
