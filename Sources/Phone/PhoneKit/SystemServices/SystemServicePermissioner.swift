public import LocalRig
internal import DriverKit
internal import Readiness

/// Returns the states of the system's services, and asks a person for them.
///
/// Queries never ask and never write; only `requestPermission` does. After C3-PRO's System Service
/// Permissions, with what that lacks: a state that is more than a Boolean, and "accepted" apart from "granted".
public struct SystemServicePermissioner: Sendable {
    let host: SystemServiceEnvironment

    /// Creates a permissioner of this machine, or of another environment.
    public init(_ host: SystemServiceEnvironment = .live) { self.host = host }

    /// The state of a service; unknown, with the reason, if it could not be determined.
    public func state(of service: SystemService) -> ServiceState {
        do throws(SystemServiceError) {
            return try currentState(of: service)
        } catch {
            return ServiceState(.unknown, evidence: error.description)
        }
    }

    /// Whether a service may be used.
    public func hasPermission(for service: SystemService) -> Bool { state(of: service).isGranted }

    /// Whether location may be used: always, or at least while in use.
    public func hasGeoLocationPermissions(always: Bool) -> Bool {
        hasPermission(for: always ? .geoLocationAlways("") : .geoLocationWhenUsing(""))
    }

    /// Whether notifications can be shown; the categories do not matter on Linux.
    public func hasLocalNotificationsPermissions(for categories: Set<NotificationCategory>) -> Bool {
        hasPermission(for: .localNotifications(categories))
    }

    /// Whether motion may be captured.
    public func hasCoreMotionPermissions() -> Bool { hasPermission(for: .coreMotion) }

    /// Whether all of the health types may be used: true for steps alone.
    public func hasHealthKitPermissions(for types: HealthKitTypes) -> Bool { hasPermission(for: .healthKit(types)) }

    /// Whether sound may be recorded.
    public func hasMicrophonePermissions() -> Bool { hasPermission(for: .microphone) }

    /// The answer about a service; nil if there is none yet.
    public func answer(about service: SystemService) throws(SystemServiceError) -> ConsentAnswer? {
        guard let file = host.consent else { return nil }
        return try rethrowing(as: SystemServiceError.init, try file.read()).answers[service.id]
    }

    func currentState(of service: SystemService) throws(SystemServiceError) -> ServiceState {
        switch service {
        case .localNotifications, .microphone:
            // What is not there is absent, whatever was answered.
            let state = service == .microphone ? host.microphone() : host.notifications()
            guard state.status != .absent, try answer(about: service) == .refused else { return state }
            let file = host.consent.map { "\($0.path): " } ?? ""
            let again = ShellWord(service.id).map { Remedy.command("rigready consent --again \($0)") }
            return ServiceState(
                .denied, evidence: "\(file)\(service.id): refused", remedies: [again].compactMap(\.self))
        case .healthKit(let types) where types.isEmpty:
            return ServiceState(.granted, evidence: "nothing is requested")
        case .healthKit(let types) where !types.readQuantities.contains(.stepCount):
            return ServiceState(
                .unsupported, evidence: "Linux has no health data except a step counter",
                unsupported: types.unsupported)
        case .healthKit, .coreMotion, .bluetooth, .geoLocationWhenUsing, .geoLocationAlways:
            return try permittedState(of: service)
        }
    }

    /// The state of a service with a permission.
    ///
    /// What is not there is absent, whatever was answered; what the policy or the operating system refuses, or nobody
    /// decided, is told before.
    private func permittedState(of service: SystemService) throws(SystemServiceError) -> ServiceState {
        let decisions = try rethrowing(as: SystemServiceError.init, try host.decisions())
        let access = try host.access()
        let allowed = access.authorizations(after: decisions)
        let (state, source): (ServiceState, AuthorizationSource) =
            switch service {
            case .coreMotion: (ServiceState(allowed.motion), allowed.motion.from)
            case .bluetooth: (ServiceState(allowed.bluetooth), allowed.bluetooth.from)
            case .healthKit(let types):
                (ServiceState(allowed.health, unsupported: types.unsupported), allowed.health.from)
            default: (ServiceState(allowed.location, isAlways: service.isAlways, decisions), allowed.location.from)
            }
        guard state.status == .granted || state.status == .denied && source == .grant,
            var absent = service.permission.flatMap({ access.absent[$0] })
        else { return state }
        absent.unsupported = state.unsupported
        return absent
    }
}

extension ServiceState {
    fileprivate init(_ authorization: Authorization<some PermissionStatus>, unsupported: [String] = []) {
        let status: SystemServiceStatus =
            switch authorization.status.refusal {
            case nil: .granted
            case .notDetermined: .notDetermined
            case .restricted: .restricted
            case .indeterminate: .unknown
            // The only other cause of a refusal is that it was denied.
            default: .denied
            }
        self.init(status, evidence: authorization.evidence, remedies: authorization.remedies, unsupported: unsupported)
    }

    fileprivate init(_ location: Authorization<LocationStatus>, isAlways: Bool, _ decisions: Decisions) {
        self.init(location)
        if isAlways, location.status == .authorizedWhenInUse {
            let mayBeAsked = location.from == .grant && decisions.mayAskForAlways
            status = decisions.policy.isWhenInUseAtMost ? .restricted : mayBeAsked ? .notDetermined : .denied
        }
        if status == .granted { remedies = [] }
    }
}

extension SystemServicePermissioner {
    /// Asks a person for a service, if there is something to ask; returns when it is answered.
    ///
    /// Nothing is asked that a person cannot change. With `evenIfAllowed` a person is asked about what is undecided but
    /// allowed by access; without it, as on a phone, what may be used is granted. `prompt` shows the question and
    /// returns nil if it was dismissed.
    public func requestPermission(
        for service: SystemService, evenIfAllowed: Bool = false,
        asking prompt: (PermissionQuestion) -> PermissionAnswer?
    ) throws(SystemServiceError) -> RequestResult {
        let state = try currentState(of: service)
        if state.status == .unsupported { return .unsupported(state) }
        guard let request = service.request else { return try ask(for: service, state, evenIfAllowed, prompt) }
        // One request probes the rig once.
        let access = try host.access()
        var host = host
        host.access = { access }
        return try SystemServicePermissioner(host).ask(for: service, request, evenIfAllowed, prompt)
    }

    /// Whether a request would ask now.
    public func isOpen(_ service: SystemService, evenIfAllowed: Bool = false) throws(SystemServiceError) -> Bool {
        let state = try currentState(of: service)
        if state.status == .unsupported { return false }
        guard let request = service.request else { return try isOpen(service, state, evenIfAllowed) }
        let requester = try requester(of: service, evenIfAllowed)
        let step = try rethrowing(as: SystemServiceError.request, try requester.step(of: request))
        return if case .ask = step { true } else { false }
    }

    /// Removes the answer about a service, so that the dialog asks again.
    public func forget(_ service: SystemService) throws(SystemServiceError) {
        try record(nil, about: service)
        guard let permission = service.permission, let file = host.grants else { return }
        try rethrowing(as: SystemServiceError.init, try file.update { $0.forget(permission) })
    }

    // MARK: With a permission

    private func ask(
        for service: SystemService, _ request: PermissionRequest, _ evenIfAllowed: Bool,
        _ prompt: (PermissionQuestion) -> PermissionAnswer?
    ) throws(SystemServiceError) -> RequestResult {
        let requester = try requester(of: service, evenIfAllowed)
        var answer: PermissionAnswer?
        let result = try rethrowing(
            as: SystemServiceError.request,
            try requester.request(request) { question in
                answer = prompt(question)
                return answer
            })
        switch result {
        case .busy: return .busy
        case .settled: return try self.result(of: service, isAccepted: false)
        case .asked(.deferred), .notOffered, .superseded: return .deferred
        case .asked: return try self.result(of: service, answer)
        }
    }

    /// A permission without a record is left as access allows, or is asked about if there is no answer yet.
    private func requester(
        of service: SystemService, _ evenIfAllowed: Bool
    ) throws(SystemServiceError) -> PermissionRequester {
        let isUndecided = evenIfAllowed ? try answer(about: service) == nil : false
        return PermissionRequester(
            recordingIn: host.grants, decisions: host.decisions, access: try host.access().authorizations,
            purposes: purposes(of: service), undecided: isUndecided ? service.permission : nil)
    }

    /// The app's purposes; one that the service has itself takes precedence.
    private func purposes(of service: SystemService) -> Purposes {
        var purposes = host.purposes
        guard let purpose = service.permission.flatMap({ Purposes.Purpose(rawValue: $0.rawValue) }) else {
            return purposes
        }
        switch service {
        case .geoLocationWhenUsing(let reason): purposes.texts[.location] = reason
        case .geoLocationAlways(let reason): purposes.texts[.backgroundLocation] = reason
        default: break
        }
        purposes.texts[purpose] = purposes.texts[purpose] ?? service.usage
        return purposes
    }

    // MARK: Without a permission

    private func ask(
        for service: SystemService, _ state: ServiceState, _ evenIfAllowed: Bool,
        _ prompt: (PermissionQuestion) -> PermissionAnswer?
    ) throws(SystemServiceError) -> RequestResult {
        guard let file = host.grants else { throw .request(.noGrantFile) }
        guard let claim = try rethrowing(as: SystemServiceError.init, try file.claimDialog()) else { return .busy }
        defer { withExtendedLifetime(claim) {} }
        guard try isOpen(service, state, evenIfAllowed) else { return try result(of: service, isAccepted: false) }
        let question = PermissionQuestion(service == .microphone ? .microphone : .notifications, service.usage)
        guard let answer = prompt(question), question.answers.contains(answer) else { return .deferred }
        return try result(of: service, answer)
    }

    /// Access allows it and there is no answer yet: the system has no dialog of its own.
    private func isOpen(
        _ service: SystemService, _ state: ServiceState, _ evenIfAllowed: Bool
    ) throws(SystemServiceError) -> Bool {
        guard evenIfAllowed, state.status == .granted else { return false }
        return try answer(about: service) == nil
    }

    // MARK: Results

    private func result(
        of service: SystemService, _ answer: PermissionAnswer?
    ) throws(SystemServiceError) -> RequestResult {
        try record(answer == .deny ? .refused : .accepted, about: service)
        let result = try result(of: service, isAccepted: answer != .deny)
        // A refusal stays one where nothing is there.
        if answer == .deny, case .accepted(let state) = result { return .refused(state) }
        return result
    }

    private func result(of service: SystemService, isAccepted: Bool) throws(SystemServiceError) -> RequestResult {
        let state = try currentState(of: service)
        switch state.status {
        case .granted: return state.isGranted ? .granted : .accepted(state)
        case .unsupported: return .unsupported(state)
        case .restricted, .denied, .notDetermined: return isAccepted ? .accepted(state) : .refused(state)
        case .absent, .unreachable, .unknown: return .accepted(state)
        }
    }

    private func record(_ answer: ConsentAnswer?, about service: SystemService) throws(SystemServiceError) {
        guard let file = host.consent else { return }
        try rethrowing(as: SystemServiceError.init, try file.update { $0.answers[service.id] = answer })
    }
}
