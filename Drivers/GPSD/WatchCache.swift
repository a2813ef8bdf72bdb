internal import DriverKit
internal import Readiness
internal import Synchronization

/// What is known while the rig is watched, kept by the sources of changes so that a probe need not ask for it again.
final class WatchCache: Sendable {
    private struct Ports {
        var listed: (ports: [Port], at: Instant)?
        /// Whether somebody listens to udev, without whom nothing may be kept.
        var isHeeded = false
        /// How often udev has spoken: what was listed before it spoke is not kept after.
        var words = 0
    }
    /// Seconds for which a list is kept without a word from udev, which in a container may never be heard.
    static let patience = 60.0
    private let watch = Mutex<GPSDWatch?>(nil)
    private let ports = Mutex(Ports())

    /// All that gpsd said up to now; nil while nobody listens.
    var latest: GPSDWatch? { watch.withLock(\.self) }

    /// Takes what gpsd said up to now; nil once nobody listens any more.
    func keep(_ watch: GPSDWatch?) { self.watch.withLock { $0 = watch } }

    /// This machine's ports: as they were listed not long ago, if udev has not spoken since.
    func ports(in world: any World) throws(DriverError) -> [Port] {
        let before = ports.withLock(\.self)
        let now = world.now()
        if let (ports, at) = before.listed, 0..<Self.patience ~= at.seconds(to: now) { return ports }
        let listed = try Port.all(in: world)
        ports.withLock { if $0.isHeeded, $0.words == before.words { $0.listed = (listed, now) } }
        return listed
    }

    /// Takes udev's word that ports have changed, or that nobody listens to it any more.
    func forgetPorts(isHeeded: Bool) {
        ports.withLock { $0 = Ports(isHeeded: isHeeded, words: $0.words + 1) }
    }
}

extension GPSDWatch {
    /// Whether what was said decides every receiver: by a report that settles it, by none for longer than a fix lasts, or
    /// by having listened for longer than a probe could that has until `end`.
    func decides(_ criteria: FixCriteria, _ advice: ReceiverRemedies, at now: Instant, until end: Instant) -> Bool {
        guard loss == nil else { return false }
        if seconds(until: now) >= now.seconds(to: end) { return true }
        return receivers.allSatisfy { receiver in
            if let latest = receiver.latest, latest.at.seconds(to: now) > criteria.maximumAge { return true }
            return receiver.verdict(criteria, isPatient: false, advice, at: now, ending: nil) != nil
        }
    }

    /// Whether gpsd itself was heard lately: what a silence says of a receiver it says only while gpsd lives.
    func vouches(_ criteria: FixCriteria, at now: Instant) -> Bool {
        receivers.contains { ($0.latest?.at.seconds(to: now) ?? .infinity) <= criteria.maximumAge }
    }

    /// What a change of the stream is a change of: how each receiver stands, and its fix.
    func standings(_ criteria: FixCriteria, _ advice: ReceiverRemedies, at now: Instant) -> [ReceiverState] {
        receivers.map { receiver in
            let verdict = receiver.verdict(
                criteria, isPatient: false, advice, at: now, ending: .deadline(seconds(until: now)))
            let report = receiver.latest?.report
            return ReceiverState(
                availability: verdict?.availability, fix: report?.fix, isSimulated: report?.isSimulated,
                driver: receiver.driver)
        }
    }

    /// How one receiver stands.
    struct ReceiverState: Equatable {
        var availability: Availability?
        var fix: PositionReading.Fix?
        var isSimulated: Bool?
        var driver: String?
    }

    /// When a standing may change without a word from gpsd: a fix grows stale, a receiver has had the time to settle.
    func turn(_ criteria: FixCriteria, after now: Instant) -> Instant? {
        guard !receivers.isEmpty else { return nil }
        let stale = receivers.flatMap { receiver in
            [criteria.maximumAge, receiver.patience(criteria)].compactMap {
                receiver.latest?.at.advanced(bySeconds: $0 + 0.001)
            }
        }
        let settled = since.map { [$0.advanced(bySeconds: Receiver.settling)] } ?? []
        return (stale + settled).filter { $0 > now }.min()
    }
}
