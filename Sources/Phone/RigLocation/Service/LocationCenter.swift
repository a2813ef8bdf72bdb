internal import LocalRig
internal import DriverKit
internal import Foundation
internal import PhoneKit
internal import Readiness

/// The state that all managers, live updates and sessions of one rig share: authorizations, and gpsd's reports.
///
/// Everything runs on one serial queue. gpsd is subscribed to, which opens its receivers, only while a subscriber wants
/// positions and may have them.
final class LocationCenter: @unchecked Sendable {
    enum Event: Sendable {
        /// The state of location; first of all, and at each change.
        case standing(LocationState)
        case location(CLLocation)
        /// Allowed, but no position is available, for this reason; reported once until there is one.
        case unavailable(String, remedy: String?)
    }

    /// Seconds between two positions of reduced accuracy: four an hour.
    static let reducedInterval = 900.0

    /// A request of this process whose question has opened, until what came of it is known.
    private final class OpenRequest: Sendable {}

    private struct Subscriber {
        weak var observation: Observation?
        var wantsLocations: Bool
        /// Whether the app itself requests only reduced accuracy.
        var isReduced: Bool
        var send: @Sendable (Event) -> Void

        var isOver: Bool { observation?.isOver ?? true }
    }

    /// The queue on which subscribers are called and all state is accessed.
    let queue = DispatchQueue(label: "rigready.location")
    let rig: PhoneRig
    private var observation: Observation?
    private lazy var standing = LocationState(rig.state, rig.question)
    private var subscribers: [Subscriber] = []
    private var sessionsHeld = 0
    private var openRequests: [OpenRequest] = []
    /// Ends the subscription to gpsd; nil while there is none.
    private var monitor: ChangeMonitor?
    private var grid = CoarseGrid()
    private var reduced: (location: CLLocation, at: Instant)?
    private var latest: CLLocation?
    /// Why there is no position; nil while there is one, or without subscribers.
    private var absence: (reason: String, remedy: String?)?

    static func of(_ rig: PhoneRig) -> LocationCenter { rig.attachment(LocationCenter.self) { LocationCenter($0) } }

    private init(_ rig: PhoneRig) {
        self.rig = rig
        observation = rig.observe { [weak self] state in
            guard let self else { return }
            queue.async { self.take(self.location(in: state)) }
        }
    }

    deinit { monitor?.cancel() }

    // MARK: Subscribers

    /// Reports all events from now on, the current state first, on the queue; until the observation ends.
    func begin(
        locations: Bool, reduced: Bool = false, _ send: @escaping @Sendable (Event) -> Void
    ) -> Observation {
        let observation = Observation { [weak self] in
            guard let self else { return }
            queue.async {
                self.subscribers.removeAll(where: \.isOver)
                self.listenIfWanted()
            }
        }
        queue.async { [weak observation] in
            let subscriber = Subscriber(
                observation: observation, wantsLocations: locations, isReduced: reduced, send: send)
            guard !subscriber.isOver else { return }
            self.subscribers.append(subscriber)
            let standing = self.current
            send(.standing(standing))
            self.listenIfWanted()
            guard locations, standing.isUsable else { return }
            // New subscribers receive the current state.
            if let location = self.reduced?.location, standing.accuracy == .reducedAccuracy {
                send(.location(location))
            }
            if let absence = self.absence { send(.unavailable(absence.reason, remedy: absence.remedy)) }
        }
        return observation
    }

    /// The current state of location; called on the queue.
    var current: LocationState {
        dispatchPrecondition(condition: .onQueue(queue))
        return standing
    }

    /// What would give a position, or the right to it; called on the queue.
    var remedy: String? { absence?.remedy ?? remedyOfRig }

    private var remedyOfRig: String? { rig.state.assessment.result(of: .location)?.remedies.words }

    /// The last position that was reported in this process, if it may still be known.
    var lastLocation: CLLocation? { queue.sync { current.isUsable ? latest : nil } }

    /// Counts the app's explicit service sessions with a goal.
    func session(isHeld: Bool) {
        queue.async {
            self.sessionsHeld += isHeld ? 1 : -1
            self.sendToAll(.standing(self.current))
        }
    }

    /// Whether the app needs a service session and holds none; called on the queue.
    var lacksSession: Bool { current.needsSession && sessionsHeld == 0 }

    // MARK: Requests

    /// Asks for a permission; the state says so while the question is open, however short that is.
    ///
    /// `then` is called on the queue, with the state after the answer, before subscribers receive that. While another
    /// question is open, it asks again each second as long as `isWanted`, which is called on the queue.
    func ask(
        _ request: PermissionRequest, whileWanted isWanted: @escaping @Sendable () -> Bool = { false },
        then: (@Sendable (PhoneRig.Answered) -> Void)? = nil
    ) {
        let question = OpenRequest()
        rig.request(
            request,
            then: { answered in
                self.queue.async {
                    self.openRequests.removeAll { $0 === question }
                    self.take(self.location(in: self.rig.state)) { then?(answered) }
                    guard answered == .waiting, isWanted() else { return }
                    self.queue.asyncAfter(deadline: .now() + 1) {
                        guard isWanted() else { return }
                        self.ask(request, whileWanted: isWanted, then: then)
                    }
                }
            },
            opened: {
                self.queue.async {
                    self.openRequests.append(question)
                    var asking = self.current
                    asking.isAsking = true
                    self.take(asking)
                }
            })
    }

    // MARK: Events

    /// The state of location; a question of this process is over only once what came of it is known.
    private func location(in state: PhoneState) -> LocationState {
        var location = LocationState(state, rig.question)
        if !openRequests.isEmpty, location.status == .notDetermined { location.isAsking = true }
        return location
    }

    private func take(_ new: LocationState, first call: () -> Void = {}) {
        let isNews = new != current
        standing = new
        call()
        guard isNews else { return }
        if new.accuracy != .reducedAccuracy || !new.isAuthorized { reduced = nil }
        if !new.isAuthorized { latest = nil }
        sendToAll(.standing(new))
        listenIfWanted()
    }

    private func listenIfWanted() {
        let isWanted = current.isUsable && subscribers.contains { $0.wantsLocations && !$0.isOver }
        if isWanted, monitor == nil {
            monitor = gpsdReports(rig) { [weak self] event in
                guard let self else { return }
                queue.async { self.receive(event) }
            }
            if monitor == nil {
                setAbsent("this build has no gpsd driver, or no thread can be started", "build with the trait GPSD")
            }
        } else if !isWanted, let monitor {
            monitor.cancel()
            self.monitor = nil
            absence = nil
        }
    }

    private func receive(_ event: Event) {
        // Events that were in flight when the last subscriber left.
        guard monitor != nil, current.isUsable else { return }
        switch event {
        case .standing: break
        case .location(let location): deliver(location)
        case .unavailable(let reason, let remedy): setAbsent(reason, remedy ?? remedyOfRig)
        }
    }

    private func setAbsent(_ reason: String, _ remedy: String?) {
        let isFirst = absence == nil
        // The newest cause counts; it is delivered once, until there is a position.
        absence = (reason, remedy)
        guard isFirst else { return }
        for subscriber in subscribers where subscriber.wantsLocations && !subscriber.isOver {
            subscriber.send(.unavailable(reason, remedy: remedy))
        }
    }

    private func deliver(_ exact: CLLocation) {
        absence = nil
        let isReduced = current.accuracy == .reducedAccuracy
        let coarse = subscribers.contains { isReduced || $0.isReduced } ? coarsened(exact) : nil
        latest = isReduced ? coarse ?? latest : exact
        for subscriber in subscribers where subscriber.wantsLocations && !subscriber.isOver {
            guard let location = isReduced || subscriber.isReduced ? coarse : exact else { continue }
            subscriber.send(.location(location))
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

    private func sendToAll(_ event: Event) {
        for subscriber in subscribers where !subscriber.isOver { subscriber.send(event) }
    }
}

/// A rig's state, as far as it concerns location.
struct LocationState: Sendable, Hashable {
    var status: CLAuthorizationStatus
    var accuracy: CLAccuracyAuthorization
    /// Whether the operating system denies, for every app.
    var isDeniedForAll: Bool
    var isInForeground: Bool
    /// Whether a question about location is open.
    var isAsking: Bool
    /// Whether the app opted into explicit service sessions.
    var needsSession: Bool

    /// Creates the state of a rig, with the question that is open now, which a state may be too old to have.
    init(_ state: PhoneState, _ question: PermissionQuestion? = nil) {
        let authorizations = state.authorizations
        status = CLAuthorizationStatus(rawValue: Int32(authorizations.location.status.rawValue)) ?? .notDetermined
        accuracy = CLAccuracyAuthorization(rawValue: authorizations.accuracy.status.rawValue) ?? .reducedAccuracy
        isDeniedForAll = authorizations.location.status == .denied && authorizations.location.from == .access
        isInForeground = state.isInForeground
        isAsking =
            switch question?.kind {
            case .locationWhenInUse, .locationAlways, .locationConfirmation, .fullAccuracy: true
            case .motion, .bluetooth, .health, .notifications, .microphone, nil: false
            }
        needsSession = state.configuration.requiresExplicitServiceSession
    }

    /// Whether the app may use location at all.
    var isAuthorized: Bool { status == .authorizedAlways || status == .authorizedWhenInUse }

    /// Whether it may use it now.
    var isUsable: Bool { status == .authorizedAlways || status == .authorizedWhenInUse && isInForeground }

    /// Whether the foreground would allow more, since while in use does not apply now and nothing is asked from the
    /// background; or the question was open and nobody answered.
    func isInsufficientlyInUse(ifUnanswered isUnanswered: Bool) -> Bool {
        status == .notDetermined && isUnanswered
            || !isInForeground && (status == .authorizedWhenInUse || status == .notDetermined)
    }
}
