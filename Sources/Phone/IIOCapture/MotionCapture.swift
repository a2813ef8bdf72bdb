package import DriverKit
internal import IIO
package import Readiness
internal import Synchronization
internal import SystemPackage

/// Captures continuously from a rig's accelerometer and gyroscope.
///
/// Of several devices with such a sensor, it takes one with three axes before others, then one that this user may
/// capture from, then one with a buffer, then the first in bus order. Both sensors of a chip share one buffer, which is
/// restarted when the second one is requested.
package final class MotionCapture: Sendable {
    /// What a reader requested, returned at the end.
    package struct Token: Sendable, Hashable {
        fileprivate let number: Int
    }

    private struct Order {
        var wish: CaptureRun.Wish
        var device: IIODevice
    }

    private struct State {
        var orders: [Token: Order] = [:]
        var ordersEver = 0
        /// The last run of each device, which the next one waits for.
        var runs: [FilePath: CaptureRun] = [:]
    }

    private let world: any World
    private let hardware: any CaptureHardware
    private let state = Mutex(State())

    /// Creates a capture; accesses nothing yet.
    package init(world: any World, hardware: any CaptureHardware) {
        self.world = world
        self.hardware = hardware
    }

    deinit { for run in state.withLock({ Array($0.runs.values) }) { run.stop() } }

    /// Whether the rig lists a sensor of a kind, or the one of that key or label; does not read it.
    package func isListed(_ kind: SensorKind, pinned pin: String? = nil) -> Bool {
        (try? candidates(kind, pin))?.isEmpty == false
    }

    /// Starts, at an interval in seconds that is clamped to 1 ms … 1 000 s.
    ///
    /// Returns at once; all events go to `deliver`, on a thread of the capture. Writes to the rig, as described for
    /// `BufferSampleSource`, until `stop` or an error. Throws `unsupported` if the rig has no such sensor.
    package func start(
        _ kind: SensorKind, pinned pin: String? = nil, every interval: Double,
        _ deliver: @escaping @Sendable (MotionEvent) -> Void
    ) throws(DriverError) -> Token {
        guard let (device, plan) = try candidates(kind, pin).first else {
            throw DriverError(
                .unsupported, subject: "this rig",
                detail: "it has no \(kind.title)" + (pin.map { " \($0)" } ?? ""))
        }
        let seconds = interval.isFinite ? min(max(interval, 0.001), 1000) : 0.02
        let wish = CaptureRun.Wish(plan: plan, interval: seconds, deliver: deliver)
        let token = state.withLock { state in
            state.ordersEver += 1
            let token = Token(number: state.ordersEver)
            state.orders[token] = Order(wish: wish, device: device)
            return token
        }
        run(device)
        return token
    }

    /// Stops; returns at once, and settings are restored soon after.
    package func stop(_ token: Token) {
        guard let device = state.withLock({ $0.orders.removeValue(forKey: token)?.device }) else { return }
        run(device)
    }

    /// Adapts a device's capture to the current requests.
    private func run(_ device: IIODevice) {
        let (old, new, failure) = state.withLock { state -> (CaptureRun?, CaptureRun?, DriverError?) in
            let old = state.runs[device.path]
            let wishes = state.orders.sorted { $0.key.number < $1.key.number }.map(\.value)
                .filter { $0.device.path == device.path }.map(\.wish)
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
            for order in forget(device.path) { order.wish.deliver(.failure(failure, isFinal: true)) }
        }
        new?.start { [weak self, weak new] in
            guard let self, let new, self.state.withLock({ $0.runs[device.path] === new }) else { return }
            _ = self.forget(device.path)
        }
    }

    /// Requests that ended with an error are removed.
    private func forget(_ path: FilePath) -> [Order] {
        state.withLock { state in
            let gone = state.orders.filter { $0.value.device.path == path }
            for token in gone.keys { state.orders[token] = nil }
            return Array(gone.values)
        }
    }

    private func candidates(
        _ kind: SensorKind, _ pin: String?
    ) throws(DriverError) -> [(device: IIODevice, plan: SensorPlan)] {
        var found: [(device: IIODevice, plan: SensorPlan, rank: Int)] = []
        for device in try IIODevice.all(in: world) {
            guard let plan = device.plans.first(where: { $0.kind == kind }),
                pin == nil || pin == device.key || pin == device.label
            else { continue }
            let isBarred = if case .success(let status)? = device.node?.status { !status.readable } else { false }
            let rank =
                (plan.axes.count < 3 ? 4 : 0) + (isBarred ? 2 : 0) + (device.attributes.contains("buffer") ? 0 : 1)
            found.append((device, plan, rank))
        }
        // The sort is stable, so bus order decides among equals.
        return found.sorted { $0.rank < $1.rank }.map { ($0.device, $0.plan) }
    }
}
