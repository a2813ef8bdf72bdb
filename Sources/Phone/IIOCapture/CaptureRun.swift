internal import DriverKit
internal import Glibc
internal import IIO
internal import Readiness
internal import Synchronization
internal import SystemPackage

/// One capture from one device, on a thread of its own, from its start until all settings are restored.
///
/// The thread may block in the kernel; only the next capture of the same device waits for it.
final class CaptureRun: Sendable {
    struct Wish: Sendable {
        var plan: SensorPlan
        /// Seconds between two samples.
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
            return tell(DriverError(errno: .resourceTemporarilyUnavailable, subject: "a thread"), isFinal: true)
        }
    }

    private func tell(_ error: DriverError, isFinal: Bool) {
        for wish in wishes { wish.deliver(.failure(error, isFinal: isFinal)) }
    }

    private func run(_ ended: @Sendable () -> Void) {
        do throws(DriverError) {
            if let predecessor, !predecessor.wait(until: Instant.now.advanced(bySeconds: 60)) {
                throw DriverError(errno: .resourceBusy, subject: device.path.lastComponent?.string ?? device.name)
            }
            if halt.isWoken { return }
            let hertz = wishes.map { 1 / $0.interval }.max() ?? 1
            let plans = Set(wishes.map(\.plan)).sorted { $0.kind < $1.kind }
            let feed = try open(plans, hertz)
            defer { feed.close() }
            for wish in wishes { wish.deliver(.started(feed.way)) }
            try pump(feed)
        } catch {
            guard error.code != .cancelled else { return }
            ended()
            tell(error, isFinal: true)
        }
    }

    /// Opens the device's buffer if possible, else its attributes; a device that blocks the thread meanwhile is
    /// reported as one that delivers no samples.
    private func open(_ plans: [SensorPlan], _ hertz: Double) throws(DriverError) -> any SampleSource {
        let isOpen = try Waker()
        defer { isOpen.wake() }
        _ = Worker.start { [self] in
            if !isOpen.wait(until: Instant.now.advanced(bySeconds: Self.patience)), !halt.isWoken {
                tell(DriverError(.timedOut, subject: device.name), isFinal: false)
            }
        }
        if case .success(let status)? = device.node?.status, !status.readable {
            throw DriverError(errno: .permissionDenied, subject: device.node?.path.string ?? device.name)
        }
        do throws(DriverError) {
            return try BufferSampleSource(plans, of: device, hertz: hertz, in: world, hardware)
        } catch {
            // Errors that reading attributes would meet too, or that mean the device is in use.
            if error.errno == .resourceBusy || error.availability == .unavailable(.absent) { throw error }
            return try AttributeSampleSource(plans, of: device, hertz: hertz, in: world, because: error.description)
        }
    }

    private func pump(_ feed: any SampleSource) throws(DriverError) {
        var decimations = wishes.map { Decimation(interval: $0.interval, step: 1 / feed.way.hertz) }
        var heard = wishes.map { _ in Instant.now }
        var isTold = wishes.map { _ in false }
        let tick = min(max(1 / feed.way.hertz, 0.005), 0.2)
        while true {
            let samples = try feed.samples(until: Instant.now.advanced(bySeconds: tick), halt)
            for (place, wish) in wishes.enumerated() {
                let own = samples.filter { $0.0 == wish.plan.kind }
                for (_, sample) in own where decimations[place].passes(Double(sample.time) / 1e9) {
                    wish.deliver(.sample(sample))
                }
                let now = Instant.now
                if !own.isEmpty {
                    heard[place] = now
                    isTold[place] = false
                } else if !isTold[place], heard[place].seconds(to: now) > max(Self.patience, wish.interval * 10) {
                    isTold[place] = true
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
