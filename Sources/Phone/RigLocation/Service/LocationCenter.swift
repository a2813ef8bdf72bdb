internal import Dispatch
internal import DriverKit
internal import Foundation
internal import Permissions
internal import Readiness
internal import PhoneKit

/// The state that all managers, live updates and sessions of one rig share: authorizations, and gpsd's reports.
///
/// Everything runs on one serial queue. gpsd is subscribed to, which opens its receivers, only while a subscriber wants
/// positions and may have them.
final class LocationCenter: @unchecked Sendable {
    /// An event for a subscriber.
    enum Event: Sendable {
        /// The state of location; first of all, and at each change.
        case standing(LocationState)
        case location(CLLocation)
        /// Allowed, but no position is available, for this reason; reported once until there is one.
        case unavailable(String)
    }

    /// Seconds between two positions of reduced accuracy: four an hour.
    static let reducedInterval = 900.0
    /// Seconds without a report from a receiver after which there is no position.
    static let patience = 10.0

    private struct Subscriber {
        var wantsLocations: Bool
        /// Whether the app itself requests only reduced accuracy.
        var isReduced: Bool
        var tell: @Sendable (Event) -> Void
    }

    /// The queue on which subscribers are called and all state is accessed.
    let queue = DispatchQueue(label: "rigready.location")
    let rig: PhoneRig
    private var observation: Observation?
    private var standing: LocationState?
    private var subscribers: [Int: Subscriber] = [:]
    private var subscribersEver = 0
    private var sessionsHeld = 0
    private var stream: LocationStream?
    private var grid = CoarseGrid()
    private var reduced: (location: CLLocation, at: Instant)?
    private var latest: CLLocation?
    /// Why there is no position; nil while there is one, or without subscribers.
    private var absence: String?

    /// The instance of a rig.
    static func of(_ rig: PhoneRig) -> LocationCenter { rig.attachment(LocationCenter.self) { LocationCenter($0) } }

    private init(_ rig: PhoneRig) {
        self.rig = rig
        observation = rig.observe { [weak self] state in
            guard let self else { return }
            queue.async { self.take(LocationState(state)) }
        }
    }

    // MARK: Subscribers

    /// Reports all events from now on, the current state first, on the queue; until the subscription ends.
    func begin(
        _ subscription: Subscription, locations: Bool, reduced: Bool = false,
        _ tell: @escaping @Sendable (Event) -> Void
    ) {
        queue.async { [weak subscription] in
            guard let subscription, !subscription.isCancelled else { return }
            self.subscribersEver += 1
            let number = self.subscribersEver
            self.subscribers[number] = Subscriber(wantsLocations: locations, isReduced: reduced, tell: tell)
            subscription.keep { [weak self] in
                guard let self else { return }
                queue.async {
                    self.subscribers[number] = nil
                    self.listenIfWanted()
                }
            }
            let standing = self.current
            tell(.standing(standing))
            self.listenIfWanted()
            guard locations, standing.isUsable else { return }
            // New subscribers receive the current state.
            if let location = self.reduced?.location, standing.accuracy == .reducedAccuracy {
                tell(.location(location))
            }
            if let absence = self.absence { tell(.unavailable(absence)) }
        }
    }

    /// The current state of location; called on the queue.
    var current: LocationState {
        dispatchPrecondition(condition: .onQueue(queue))
        if let standing { return standing }
        let first = LocationState(rig.state)
        standing = first
        return first
    }

    /// The last position that was reported in this process, if it may still be known.
    var lastLocation: CLLocation? { queue.sync { current.isUsable ? latest : nil } }

    // MARK: Sessions

    /// Counts the app's explicit service sessions with a goal.
    func session(isHeld: Bool) {
        queue.async {
            self.sessionsHeld += isHeld ? 1 : -1
            self.tellAll(.standing(self.current))
        }
    }

    /// Whether the app needs a service session and holds none; called on the queue.
    var lacksSession: Bool { current.needsSession && sessionsHeld == 0 }

    // MARK: Events

    private func take(_ new: LocationState) {
        let old = current
        guard new != old else { return }
        standing = new
        if new.accuracy != .reducedAccuracy || !new.isAuthorized { reduced = nil }
        if !new.isAuthorized { latest = nil }
        tellAll(.standing(new))
        listenIfWanted()
    }

    private func listenIfWanted() {
        let isWanted = current.isUsable && subscribers.values.contains { $0.wantsLocations }
        if isWanted, stream == nil {
            stream = LocationStream(rig) { [weak self] heard in
                guard let self else { return }
                queue.async { self.hear(heard) }
            }
            if stream == nil { setAbsent("this build has no gpsd driver, or no thread can be started") }
        } else if !isWanted, let stream {
            stream.end()
            self.stream = nil
            absence = nil
        }
    }

    private func hear(_ heard: LocationStream.LocationEvent) {
        // Events that were in flight when the last subscriber left.
        guard stream != nil, current.isUsable else { return }
        switch heard {
        case .location(let location): deliver(location)
        case .nothing(let reason): setAbsent(reason)
        }
    }

    private func setAbsent(_ reason: String) {
        guard absence == nil else { return }
        absence = reason
        for subscriber in subscribers.values where subscriber.wantsLocations { subscriber.tell(.unavailable(reason)) }
    }

    private func deliver(_ exact: CLLocation) {
        absence = nil
        let isReduced = current.accuracy == .reducedAccuracy
        let coarse = subscribers.values.contains { isReduced || $0.isReduced } ? coarsened(exact) : nil
        latest = isReduced ? coarse ?? latest : exact
        for (_, subscriber) in subscribers.sorted(by: { $0.key < $1.key }) where subscriber.wantsLocations {
            guard let location = isReduced || subscriber.isReduced ? coarse : exact else { continue }
            subscriber.tell(.location(location))
        }
        rig.locationWasUsed()
    }

    /// The coarse position if one is due; nil for the rest of the quarter of an hour.
    private func coarsened(_ exact: CLLocation) -> CLLocation? {
        let now = rig.settings.world.now()
        if let reduced, reduced.at.seconds(to: now) < Self.reducedInterval { return nil }
        let location = exact.reduced(by: &grid)
        reduced = (location, now)
        return location
    }

    private func tellAll(_ event: Event) {
        for (_, subscriber) in subscribers.sorted(by: { $0.key < $1.key }) { subscriber.tell(event) }
    }
}
