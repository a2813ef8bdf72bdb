internal import Dispatch
internal import Foundation
internal import Permissions
internal import PhoneKit
internal import Synchronization

/// The implementation of a manager, apart from the object itself, which belongs to its delegate.
final class LocationManagerCore: Sendable {
    /// What the app requests.
    struct Wishes: Sendable {
        var distanceFilter = kCLDistanceFilterNone
        var desiredAccuracy = kCLLocationAccuracyBest
    }

    private struct State {
        var subscription: Subscription?
        /// The number of the open request for a single position.
        var single: Int?
        var singlesEver = 0
        /// Active as long as there is a delegate, whether positions are wanted or not.
        var authorization: Subscription?
        var told: LocationState?
        var last: CLLocation?
        /// The last reported failure while positions were wanted.
        var failure: CLError.Code?
    }

    /// The time limit of a request for a single position, in seconds.
    private static let singlePatience = 10

    let rig: PhoneRig
    let center: LocationCenter
    let witness = Witness()
    let wishes = Mutex(Wishes())
    private let queue: DispatchQueue
    private let state = Mutex(State())

    init(_ rig: PhoneRig) {
        self.rig = rig
        center = .of(rig)
        queue = Thread.isMainThread ? .main : DispatchQueue(label: "rigready.location.manager")
    }

    /// Calls the delegate, if there is one by then.
    func tell(_ call: @escaping @Sendable (CLLocationManager, any CLLocationManagerDelegate) -> Void) {
        let witness = witness
        queue.async {
            guard let manager = witness.manager, let delegate = witness.delegate else { return }
            call(manager, delegate)
        }
    }

    // MARK: Authorization

    /// Reports the authorization to the delegate, now and at each change.
    func greet() {
        let subscription = Subscription()
        let isFirst = state.withLock { state in
            defer { state.authorization = state.authorization ?? subscription }
            return state.authorization == nil
        }
        guard isFirst else { return tell { $1.locationManagerDidChangeAuthorization($0) } }
        center.begin(subscription, locations: false) { [weak self] event in
            guard let self, case .standing(let standing) = event else { return }
            let isNews = state.withLock { state in
                defer { state.told = standing }
                return state.told?.status != standing.status || state.told?.accuracy != standing.accuracy
            }
            if isNews { tell { $1.locationManagerDidChangeAuthorization($0) } }
        }
    }

    /// Asks, if there is something to ask in the current state.
    func request(_ request: PermissionRequest, if isAskable: @escaping @Sendable (LocationState) -> Bool) {
        let center = center
        center.queue.async { if isAskable(center.current) { center.rig.request(request) } }
    }

    /// Asks for full accuracy; nil once the user has answered.
    func requestFullAccuracy(_ purpose: String, _ completion: @escaping @Sendable (CLError?) -> Void) {
        let queue = queue
        rig.request(.fullAccuracy(purpose: purpose, seconds: 3600)) { answered in
            let reason: String? =
                switch answered {
                case .asked(.deferred): "nobody answered"
                case .asked: nil
                case .settled(.granted): "the accuracy is full already"
                case .settled(.refused(let reason, _)): reason
                case .settled(.deferred), .waiting: "another question is waiting for its answer"
                case .ignored(let reason): reason
                }
            queue.async { completion(reason.map { CLError(.promptDeclined, $0) }) }
        }
    }

    // MARK: Positions

    /// Starts to report positions.
    func start() { subscribe(single: nil) }

    /// Reports one position; an earlier request that is open is dropped.
    func startOnce() {
        let number = state.withLock { state in
            state.singlesEver += 1
            return state.singlesEver
        }
        subscribe(single: number)
        center.queue.asyncAfter(deadline: .now() + .seconds(Self.singlePatience)) { [weak self] in
            guard let self, state.withLock({ $0.single == number }) else { return }
            stop()
            fail(CLError(.locationUnknown, "no position within \(Self.singlePatience) s"))
        }
    }

    /// Reports no further positions.
    func stop() {
        let subscription = state.withLock { state in
            defer {
                state.subscription = nil
                state.single = nil
                state.failure = nil
            }
            return state.subscription
        }
        subscription?.cancel()
    }

    private func subscribe(single: Int?) {
        stop()
        let isReduced = wishes.withLock { $0.desiredAccuracy == kCLLocationAccuracyReduced }
        let subscription = Subscription()
        state.withLock { state in
            state.subscription = subscription
            state.single = single
        }
        center.begin(subscription, locations: true, reduced: isReduced) { [weak self, weak subscription] event in
            // Events that were in flight when it was stopped.
            guard subscription?.isCancelled == false else { return }
            self?.take(event)
        }
    }

    private func take(_ event: LocationCenter.Event) {
        let isSingle = state.withLock { $0.single != nil }
        switch event {
        case .standing(let standing):
            // Before a decision nothing is reported and nothing fails, unless a single position is requested now.
            let isRefused = standing.status == .denied || standing.status == .restricted
            guard isRefused || isSingle && !standing.isUsable else {
                return state.withLock { if $0.failure == .denied { $0.failure = nil } }
            }
            failOnce(CLError(.denied, "location is \(standing.status)"), andStop: isSingle)
        case .unavailable(let reason):
            // A single request has its own time limit.
            if !isSingle { failOnce(CLError(.locationUnknown, reason), andStop: false) }
        case .location(let location):
            state.withLock { $0.failure = nil }
            guard passes(location) else { return }
            if isSingle { stop() }
            tell { $1.locationManager($0, didUpdateLocations: [location]) }
        }
    }

    /// Whether a position is far enough from the last one, or more precise.
    private func passes(_ location: CLLocation) -> Bool {
        let filter = wishes.withLock(\.distanceFilter)
        return state.withLock { state in
            if filter > 0, let last = state.last, state.single == nil,
                location.distance(from: last) < filter, location.horizontalAccuracy >= last.horizontalAccuracy
            {
                return false
            }
            state.last = location
            return true
        }
    }

    private func failOnce(_ error: CLError, andStop isOver: Bool) {
        let isNews = state.withLock { state in
            defer { state.failure = error.code }
            return state.failure != error.code
        }
        if isOver { stop() }
        if isNews { fail(error) }
    }

    private func fail(_ error: CLError) { tell { $1.locationManager($0, didFailWithError: error) } }
}

/// The manager and its delegate, held weakly because the app owns them.
final class Witness: @unchecked Sendable {
    private let lock = NSLock()
    private weak var heldManager: CLLocationManager?
    private weak var heldDelegate: (any CLLocationManagerDelegate)?

    var manager: CLLocationManager? {
        get { lock.withLock { heldManager } }
        set { lock.withLock { heldManager = newValue } }
    }

    var delegate: (any CLLocationManagerDelegate)? {
        get { lock.withLock { heldDelegate } }
        set { lock.withLock { heldDelegate = newValue } }
    }
}
