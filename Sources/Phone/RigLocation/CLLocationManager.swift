public import Foundation
internal import Permissions
internal import Readiness
internal import PhoneKit
internal import Synchronization

/// The kind of movement that positions are for; stored, without effect on Linux.
@nonexhaustive(warn)
public enum CLActivityType: Int, Sendable {
    case other = 1, automotiveNavigation, fitness, otherNavigation, airborne
}

/// Reports authorization and positions to a delegate.
///
/// Uses the rig that is current when it is created. The delegate is called on the main queue if the main thread created
/// the manager, else on a serial queue of the manager's own; never under a lock.
open class CLLocationManager: NSObject {
    let post: LocationManagerCore

    /// Creates a manager; does not ask the user.
    public override init() {
        post = LocationManagerCore(.current)
        super.init()
        post.witness.manager = self
    }

    deinit { post.stop() }

    /// The receiver of events; held weakly, and receives the current authorization at once.
    open weak var delegate: (any CLLocationManagerDelegate)? {
        get { post.witness.delegate }
        set {
            post.witness.delegate = newValue
            if newValue != nil { post.greet() }
        }
    }

    // MARK: Authorization

    /// When this program may use location.
    ///
    /// Never asks; the process's first reader waits for the first probe.
    open var authorizationStatus: CLAuthorizationStatus { LocationState(post.rig.state).status }

    /// How precisely this program may know it.
    open var accuracyAuthorization: CLAccuracyAuthorization { LocationState(post.rig.state).accuracy }

    /// The status, in the form used before iOS 14.
    @available(*, deprecated, message: "Use the property of a manager")
    open class func authorizationStatus() -> CLAuthorizationStatus { LocationState(PhoneRig.current.state).status }

    /// Whether gpsd is reachable and accepts this user.
    open class func locationServicesEnabled() -> Bool {
        let state = PhoneRig.current.state
        return !LocationState(state).isDeniedForAll
            && !state.inventory.obstacles.contains { $0.kind == .locationReceiver && $0.cause == .unreachable }
    }

    /// Whether a widget could receive locations: the program may use them.
    ///
    /// There are no widgets on Linux to extend it to.
    open var isAuthorizedForWidgetUpdates: Bool { LocationState(post.rig.state).isAuthorized }

    /// Asks for location while in use, if nothing was decided yet and this program is in the foreground.
    open func requestWhenInUseAuthorization() {
        post.request(.location(always: false)) { $0.status == .notDetermined }
    }

    /// Asks for location always: provisionally if nothing was decided yet, or once if it is allowed while in use.
    open func requestAlwaysAuthorization() {
        post.request(.location(always: true)) { $0.status == .notDetermined || $0.status == .authorizedWhenInUse }
    }

    /// Asks for full accuracy for an hour, with a purpose of the configuration.
    open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) {
        post.requestFullAccuracy(purposeKey) { _ in }
    }

    /// The same; the error is nil once the user has answered, whatever the answer, and otherwise gives the reason.
    open func requestTemporaryFullAccuracyAuthorization(
        withPurposeKey purposeKey: String, completion: (@Sendable ((any Error)?) -> Void)?
    ) {
        post.requestFullAccuracy(purposeKey) { completion?($0) }
    }

    /// The same, awaiting the answer.
    open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) async throws {
        let post = post
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            post.requestFullAccuracy(purposeKey) { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    // MARK: Positions

    /// Reports every position from now on, and resumes whenever it is allowed again.
    open func startUpdatingLocation() { post.start() }

    /// Reports no further positions.
    open func stopUpdatingLocation() { post.stop() }

    /// Reports one position, or after ten seconds that there is none.
    open func requestLocation() { post.startOnce() }

    /// The last position that was reported to this program and that it may still know.
    open var location: CLLocation? { post.center.lastLocation }

    /// The minimum distance in metres from the last position for a new one to be reported; every one by default.
    open var distanceFilter: CLLocationDistance {
        get { post.wishes.withLock(\.distanceFilter) }
        set { post.wishes.withLock { $0.distanceFilter = newValue } }
    }

    /// The desired accuracy: `kCLLocationAccuracyReduced` requests reduced positions, from the next start on; others
    /// have no effect.
    open var desiredAccuracy: CLLocationAccuracy {
        get { post.wishes.withLock(\.desiredAccuracy) }
        set { post.wishes.withLock { $0.desiredAccuracy = newValue } }
    }

    /// Stored, without effect.
    open var activityType: CLActivityType = .other
    /// Stored, without effect: positions never pause.
    open var pausesLocationUpdatesAutomatically = true
    /// Stored, without effect: a program on Linux is not suspended, and only its authorization decides.
    open var allowsBackgroundLocationUpdates = false
    /// Stored, without effect.
    open var showsBackgroundLocationIndicator = false
}
