internal import DriverKit
internal import Foundation
internal import Readiness
internal import PhoneKit

#if GPSD
    internal import GPSD
#endif

/// gpsd's reports as positions, as long as there is a subscriber.
final class LocationStream: Sendable {
    enum LocationEvent: Sendable {
        case location(CLLocation)
        /// There is no position, for this reason.
        case nothing(String)
    }

    private let monitor: ChangeMonitor

    /// Subscribes to gpsd on a thread of its own; nil if this build has no gpsd driver, or no thread can be started.
    init?(_ rig: PhoneRig, _ tell: @escaping @Sendable (LocationEvent) -> Void) {
        guard let monitor = try? ChangeMonitor(.sample, tell: { _ in }) else { return nil }
        self.monitor = monitor
        #if GPSD
            let world = rig.settings.world
            let client = GPSDClient(
                host: rig.settings.gpsd.host, port: rig.settings.gpsd.port,
                criteria: FixCriteria(maximumAge: LocationCenter.patience))
            _ = client.subscribe { state, report in
                if let location = report.flatMap({ CLLocation($0, arrived: Date()) }) {
                    tell(.location(location))
                } else if let reason = state.absence(at: world.now()) {
                    tell(.nothing(reason))
                }
            }
            guard Worker.start({ client.run(in: world, monitor) }) else { return nil }
        #else
            return nil
        #endif
    }

    deinit { end() }

    /// Ends the subscription.
    func end() { monitor.cancel() }
}

#if GPSD
    extension GPSDState {
        /// Why no receiver has a position; nil if one has, or may still report one.
        fileprivate func absence(at now: Instant) -> String? {
            if let failure { return failure }
            guard let since else { return nil }
            let reporting = receivers.filter { receiver in
                guard let latest = receiver.latest, !receiver.isDropped else { return false }
                return latest.at.seconds(to: now) < LocationCenter.patience
            }
            if let report = reporting.first?.latest?.report {
                let hasPosition = reporting.contains { $0.latest.map { $0.report.hasPosition } == true }
                return hasPosition ? nil : report.fault ?? "the receiver has no fix"
            }
            if receivers.isEmpty { return "gpsd has no receiver" }
            if let closed = receivers.first(where: \.isDropped), receivers.allSatisfy(\.isDropped) {
                return "gpsd has closed the receiver \(closed.device.path)"
            }
            guard since.seconds(to: now) >= LocationCenter.patience else { return nil }
            return "no receiver has reported for \(Int(LocationCenter.patience)) s"
        }
    }
#endif
