public import Foundation
internal import Permissions
internal import Readiness
internal import PhoneKit
internal import Synchronization

/// What kind of movement positions are for; kept, and without effect on Linux.
@nonexhaustive(warn)
public enum CLActivityType: Int, Sendable {
    case other = 1, automotiveNavigation, fitness, otherNavigation, airborne
}

/// Authorization and positions by delegate.
///
/// Takes the rig as it stands when it is made. The delegate is called on the main queue where the main thread made the
/// manager, else on a serial queue of the manager's own; never under a lock.
open class CLLocationManager: NSObject {
    let post: LocationManagerCore

    /// Makes a manager; asks nobody anything.
    public override init() {
        post = LocationManagerCore(.current)
        super.init()
        post.witness.manager = self
    }

    deinit { post.stop() }

    /// Who is told; held weakly, and told at once how the authorization stands.
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
    /// Never asks; the process's first reader waits for the first look at the rig.
    open var authorizationStatus: CLAuthorizationStatus { LocationState(post.rig.state).status }

    /// How exactly this program may know it.
    open var accuracyAuthorization: CLAccuracyAuthorization { LocationState(post.rig.state).accuracy }

    /// The status, in the way of before iOS 14.
    @available(*, deprecated, message: "Use the property of a manager")
    open class func authorizationStatus() -> CLAuthorizationStatus { LocationState(PhoneRig.current.state).status }

    /// Whether gpsd is there and lets this user in.
    open class func locationServicesEnabled() -> Bool {
        let state = PhoneRig.current.state
        return !LocationState(state).isDeniedForAll
            && !state.inventory.obstacles.contains { $0.kind == .locationReceiver && $0.cause == .unreachable }
    }

    /// Whether a widget could receive locations: the program may use them.
    ///
    /// There are no widgets on Linux to extend it to.
    open var isAuthorizedForWidgetUpdates: Bool { LocationState(post.rig.state).isAuthorized }

    /// Asks for location while in use, where nobody has decided yet and this program is in the foreground.
    open func requestWhenInUseAuthorization() {
        post.request(.location(always: false)) { $0.status == .notDetermined }
    }

    /// Asks for location always: provisionally where nobody has decided yet, or once where it is allowed while in use.
    open func requestAlwaysAuthorization() {
        post.request(.location(always: true)) { $0.status == .notDetermined || $0.status == .authorizedWhenInUse }
    }

    /// Asks for full accuracy for an hour, with a purpose of the configuration.
    open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) {
        post.requestFullAccuracy(purposeKey) { _ in }
    }

    /// The same; the error is nil once the user has answered, whatever the answer, and else says why nobody was asked.
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

    /// Tells of every position from now on, and again whenever it may after it might not.
    open func startUpdatingLocation() { post.start() }

    /// Tells of no further position.
    open func stopUpdatingLocation() { post.stop() }

    /// Tells of one position, or after ten seconds that there is none.
    open func requestLocation() { post.startOnce() }

    /// The last position that this program was told and may still know.
    open var location: CLLocation? { post.center.lastLocation }

    /// Metres that a position must be off the last one to be told; every one by default.
    open var distanceFilter: CLLocationDistance {
        get { post.wishes.withLock(\.distanceFilter) }
        set { post.wishes.withLock { $0.distanceFilter = newValue } }
    }

    /// How exact positions should be: `kCLLocationAccuracyReduced` has reduced ones told, from the next start on; others
    /// have no effect, the receiver does its best.
    open var desiredAccuracy: CLLocationAccuracy {
        get { post.wishes.withLock(\.desiredAccuracy) }
        set { post.wishes.withLock { $0.desiredAccuracy = newValue } }
    }

    /// Kept, and without effect.
    open var activityType: CLActivityType = .other
    /// Kept, and without effect: positions never pause.
    open var pausesLocationUpdatesAutomatically = true
    /// Kept, and without effect: a program on Linux is not suspended, and its authorization alone decides.
    open var allowsBackgroundLocationUpdates = false
    /// Kept, and without effect.
    open var showsBackgroundLocationIndicator = false
}
