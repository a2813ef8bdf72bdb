// As CoreLocation does: importing one imports the other.
@_exported public import Foundation
internal import LocalRig
internal import PhoneKit
internal import Readiness
internal import Synchronization

/// The kind of movement that positions are for; stored, without effect on Linux.
@nonexhaustive(warn)
public enum CLActivityType: Int, Sendable {
    case other = 1, automotiveNavigation, fitness, otherNavigation, airborne
}

/// Reports authorization and positions to a delegate.
///
/// Uses the rig that is current when it is created, and does not ask then. The delegate is called on the main queue if the main thread created
/// the manager, else on a serial queue of the manager's own; never under a lock.
open class CLLocationManager: NSObject, @unchecked Sendable {
    let center = LocationCenter.of(.current)
    let state = Mutex(State())
    let queue = Thread.isMainThread ? DispatchQueue.main : DispatchQueue(label: "rigready.location.manager")
    private let lock = NSLock()
    private weak var held: (any CLLocationManagerDelegate)?

    /// The receiver of events; held weakly, and receives the current authorization immediately.
    open weak var delegate: (any CLLocationManagerDelegate)? {
        get { lock.withLock { held } }
        set {
            lock.withLock { held = newValue }
            if newValue != nil { greet() }
        }
    }

    // MARK: Authorization

    private var standing: LocationState { LocationState(center.rig.state) }

    /// When this program may use location; never asks, and the process's first reader waits for the first probe.
    open var authorizationStatus: CLAuthorizationStatus { standing.status }

    /// How precisely this program may know it.
    open var accuracyAuthorization: CLAccuracyAuthorization { standing.accuracy }

    /// The status, in the form used before iOS 14.
    @available(*, deprecated, message: "Use the property of a manager")
    open class func authorizationStatus() -> CLAuthorizationStatus { LocationState(PhoneRig.current.state).status }

    /// Whether gpsd is reachable and accepts this user.
    open class func locationServicesEnabled() -> Bool {
        let state = PhoneRig.current.state
        return !LocationState(state).isDeniedForAll
            && !state.inventory.obstacles.contains { $0.kind == .locationReceiver && $0.cause == .unreachable }
    }

    /// Whether the program may use locations; there are no widgets on Linux to extend it to.
    open var isAuthorizedForWidgetUpdates: Bool { standing.isAuthorized }

    /// Asks for location while in use, if nothing was decided yet and this program is in the foreground.
    open func requestWhenInUseAuthorization() { request(always: false, from: [.notDetermined]) }

    /// Asks for location always: provisionally if nothing was decided yet, or once if it is allowed while in use.
    open func requestAlwaysAuthorization() { request(always: true, from: [.notDetermined, .authorizedWhenInUse]) }

    /// Asks for full accuracy for an hour, with a purpose of the configuration.
    open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) {
        requestFullAccuracy(purposeKey) { _ in }
    }

    /// The same; the error is nil once the user has answered, whatever the answer, and otherwise gives the reason.
    open func requestTemporaryFullAccuracyAuthorization(
        withPurposeKey purposeKey: String, completion: (@Sendable ((any Error)?) -> Void)?
    ) {
        requestFullAccuracy(purposeKey) { completion?($0) }
    }

    /// The same, awaiting the answer.
    open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) async throws {
        let error = await withCheckedContinuation { continuation in
            requestFullAccuracy(purposeKey) { continuation.resume(returning: $0) }
        }
        if let error { throw error }
    }

    // MARK: Positions

    /// Reports every position from now on, and resumes whenever it is allowed again; asks if nothing is decided yet.
    open func startUpdatingLocation() { subscribe(single: nil) }

    /// Reports no further positions.
    open func stopUpdatingLocation() { stop() }

    /// Reports one position, or after ten seconds that there is none; asks if nothing is decided yet, and the seconds
    /// count from then on; an earlier request that is open is dropped.
    open func requestLocation() { subscribe(single: SingleRequest()) }

    /// The last position that was reported to this program and that it may still know.
    open var location: CLLocation? { center.lastLocation }

    /// The minimum distance in metres from the last position for a new one to be reported; every one by default.
    open var distanceFilter: CLLocationDistance {
        get { state.withLock(\.distanceFilter) }
        set { state.withLock { $0.distanceFilter = newValue } }
    }

    /// `kCLLocationAccuracyReduced` requests reduced positions, from the next start on; others have no effect.
    open var desiredAccuracy: CLLocationAccuracy {
        get { state.withLock(\.desiredAccuracy) }
        set { state.withLock { $0.desiredAccuracy = newValue } }
    }

    /// Stored, without effect.
    open var activityType: CLActivityType = .other
    /// Stored, without effect: positions never pause, and a program on Linux is not suspended.
    open var pausesLocationUpdatesAutomatically = true, allowsBackgroundLocationUpdates = false,
        showsBackgroundLocationIndicator = false
}

extension CLLocationManager {
    /// A request for a single position, told from later ones by its identity.
    final class SingleRequest: Sendable {}

    struct State {
        var distanceFilter = kCLDistanceFilterNone
        var desiredAccuracy = kCLLocationAccuracyBest
        /// Active while positions are wanted.
        var positions: Observation?
        /// The open request for a single position.
        var single: SingleRequest?
        /// The request whose time runs.
        var limited: SingleRequest?
        /// Whether the user was asked since the start.
        var hasAsked = false
        /// Active from the first delegate on, whether positions are wanted or not.
        var authorization: Observation?
        var reported: LocationState?
        var last: CLLocation?
        /// The last reported failure while positions were wanted.
        var failure: CLError.Code?
    }

    func notify(_ call: @escaping @Sendable (CLLocationManager, any CLLocationManagerDelegate) -> Void) {
        queue.async { [weak self] in
            if let self, let delegate { call(self, delegate) }
        }
    }

    /// Reports the authorization to the delegate, now and at each change.
    func greet() {
        let isFirst = state.withLock { state in
            guard state.authorization == nil else { return false }
            state.authorization = center.begin(locations: false) { [weak self] event in
                guard let self, case .standing(let standing) = event else { return }
                let before = self.state.withLock { exchange(&$0.reported, with: standing) }
                if before?.status != standing.status || before?.accuracy != standing.accuracy {
                    notify { $1.locationManagerDidChangeAuthorization($0) }
                }
            }
            return true
        }
        if !isFirst { notify { $1.locationManagerDidChangeAuthorization($0) } }
    }

    /// Asks, if the current status is one of these.
    func request(always: Bool, from statuses: Set<CLAuthorizationStatus>) {
        center.queue.async { [center] in
            if statuses.contains(center.current.status) { center.ask(.location(always: always)) }
        }
    }

    /// Asks for full accuracy; nil once the user has answered.
    func requestFullAccuracy(_ purpose: String, _ completion: @escaping @Sendable (CLError?) -> Void) {
        center.rig.request(.fullAccuracy(purpose: purpose, seconds: 3600)) { [queue, center] answered in
            let (reason, remedy): (String?, String?) =
                switch answered {
                case .asked(.deferred):
                    ("nobody answered", center.rig.state.authorizations.accuracy.remedies.words)
                case .asked: (nil, nil)
                case .settled(.granted): ("the accuracy is full already", "use positions as they are")
                case .settled(.refused(let reason, let remedies)), .settled(.undetermined(let reason, let remedies)):
                    (reason, remedies.words)
                case .settled(.deferred), .waiting:
                    ("another question is waiting for its answer", "answer it, then ask again")
                case .ignored(let reason): (reason, "make the request possible, then ask again")
                }
            queue.async { completion(reason.map { CLError(.promptDeclined, $0, remedy: remedy) }) }
        }
    }

    func stop() {
        state.withLock { state in
            state.positions = nil
            state.single = nil
            state.hasAsked = false
            state.failure = nil
        }
    }

    func subscribe(single: SingleRequest?) {
        stop()
        state.withLock { state in
            state.single = single
            state.positions = center.begin(
                locations: true, reduced: state.desiredAccuracy == kCLLocationAccuracyReduced
            ) { [weak self] in self?.take($0) }
        }
    }

    private func take(_ event: LocationCenter.Event) {
        let isSingle = state.withLock { $0.single != nil }
        switch event {
        case .standing(let standing):
            // Before a decision nothing is reported, and only a single position that nobody can allow fails.
            if standing.status == .notDetermined, standing.isInForeground { return askOnce() }
            let isRefused = standing.status == .denied || standing.status == .restricted
            guard isRefused || isSingle && !standing.isUsable else {
                state.withLock { if $0.failure == .denied { $0.failure = nil } }
                return limitOnce()
            }
            failOnce(CLError(.denied, "location is \(standing.status)", remedy: center.remedy), andStop: isSingle)
        case .unavailable(let reason, let remedy):
            // A single request has its own time limit.
            if !isSingle { failOnce(CLError(.locationUnknown, reason, remedy: remedy), andStop: false) }
        case .location(let location):
            guard passes(location) else { return }
            if isSingle { stop() }
            notify { $1.locationManager($0, didUpdateLocations: [location]) }
        }
    }

    /// Asks for location while in use, once after a start.
    private func askOnce() {
        if state.withLock({ exchange(&$0.hasAsked, with: true) }) { return }
        center.ask(.location(always: false), whileWanted: { [weak self] in self?.isUndecided == true }) {
            [weak self] answered in
            guard let self else { return }
            if answered == .waiting { return limitOnce() }
            guard answered.isWithoutAnswer, state.withLock({ $0.single != nil }) else { return }
            let reason = "location is not decided, and nobody answered"
            failOnce(CLError(.denied, reason, remedy: center.remedy), andStop: true)
        }
    }

    /// Whether it asked and nothing is decided yet; called on the queue.
    private var isUndecided: Bool { state.withLock(\.hasAsked) && center.current.status == .notDetermined }

    /// Ends a request for a single position ten seconds after it can be had.
    private func limitOnce() {
        let request = state.withLock { state -> SingleRequest? in
            defer { state.limited = state.single }
            return state.limited === state.single ? nil : state.single
        }
        let seconds = 10
        guard let request else { return }
        center.queue.asyncAfter(deadline: .now() + .seconds(seconds)) { [weak self] in
            guard let self, state.withLock({ $0.single === request }) else { return }
            let remedy = center.remedy ?? "move the antenna to a place with a clear view of the sky"
            stop()
            fail(CLError(.locationUnknown, "no position within \(seconds) s", remedy: remedy))
        }
    }

    /// Whether a position is far enough from the last one, or more precise.
    private func passes(_ location: CLLocation) -> Bool {
        state.withLock { state in
            state.failure = nil
            if state.distanceFilter > 0, let last = state.last, state.single == nil,
                location.distance(from: last) < state.distanceFilter,
                location.horizontalAccuracy >= last.horizontalAccuracy
            {
                return false
            }
            state.last = location
            return true
        }
    }

    private func failOnce(_ error: CLError, andStop isOver: Bool) {
        let before = state.withLock { exchange(&$0.failure, with: error.code) }
        if isOver { stop() }
        if before != error.code { fail(error) }
    }

    func fail(_ error: CLError) { notify { $1.locationManager($0, didFailWithError: error) } }
}
