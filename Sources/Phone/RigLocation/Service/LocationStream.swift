internal import DriverKit
internal import Foundation
internal import Readiness
internal import PhoneKit

#if GPSD
    internal import GPSD
#endif

/// gpsd's reports as positions, for as long as somebody listens.
final class LocationStream: Sendable {
    enum LocationEvent: Sendable {
        case location(CLLocation)
        /// No position comes, for this reason.
        case nothing(String)
    }

    private let monitor: ChangeMonitor

    /// Starts to listen, on a thread of its own; nil where this build has no gpsd driver, or no thread is to be had.
    init?(_ rig: PhoneRig, _ tell: @escaping @Sendable (LocationEvent) -> Void) {
        guard let monitor = try? ChangeMonitor(.sample, tell: { _ in }) else { return nil }
        self.monitor = monitor
        #if GPSD
            let world = rig.settings.world
            let gpsd = Endpoint.gpsd(host: rig.settings.gpsd.host, port: rig.settings.gpsd.port)
            let began = Worker.start {
                var ear = FixTracker(tell)
                GPSDClient(with: gpsd, asking: GPSDClient.watch).keep(
                    in: world, monitor, until: { ear.turn(after: world.now()) }
                ) { ear.hear($0, at: world.now()) }
            }
            guard began else { return nil }
        #else
            return nil
        #endif
    }

    deinit { end() }

    /// Hears no more.
    func end() { monitor.cancel() }
}

#if GPSD
    /// Who has a fix, by what gpsd says.
    private struct FixTracker {
        private let tell: @Sendable (LocationStream.LocationEvent) -> Void
        /// Since when each receiver that has a fix has it reported; of at most as many as gpsd may name.
        private var fixes: [String: Instant] = [:]
        private var deaf: Instant?

        init(_ tell: @escaping @Sendable (LocationStream.LocationEvent) -> Void) { self.tell = tell }

        /// When silence means that there is no position.
        mutating func turn(after now: Instant) -> Instant {
            let since = fixes.values.max() ?? deaf ?? now
            if fixes.isEmpty, deaf == nil { deaf = now }
            return since.advanced(bySeconds: LocationCenter.patience)
        }

        mutating func hear(_ heard: GPSDClient.GPSDEvent, at now: Instant) {
            switch heard {
            case .connected: break
            case .message(.report(let report)): hear(report, at: now)
            case .message(.device(let device)) where !device.isActive:
                fixes[device.path] = nil
                if fixes.isEmpty { tell(.nothing("gpsd has closed the receiver \(device.path)")) }
            case .message: break
            case .nothing:
                fixes = [:]
                deaf = now
                tell(.nothing("no receiver has reported for \(Int(LocationCenter.patience)) s"))
            case .lost(let error):
                fixes = [:]
                tell(.nothing("\(error)"))
            }
        }

        private mutating func hear(_ report: TPV, at now: Instant) {
            let device = report.device ?? ""
            deaf = nil
            guard let location = CLLocation(report, arrived: Date()) else {
                fixes[device] = nil
                fixes = fixes.filter { $0.value.seconds(to: now) < LocationCenter.patience }
                if fixes.isEmpty { tell(.nothing(report.fault ?? "the receiver has no fix")) }
                return
            }
            if fixes.count < 64 || fixes[device] != nil { fixes[device] = now }
            tell(.location(location))
        }
    }
#endif
