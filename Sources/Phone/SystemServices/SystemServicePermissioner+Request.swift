internal import Readiness
public import Permissions
internal import Configuration

/// The asking.
extension SystemServicePermissioner {
    /// Asks a person for a service, where there is something to ask; returns when it is answered.
    ///
    /// Nothing is asked that a person cannot change. With `evenIfAllowed` a person is asked about what nobody has decided
    /// and access allows; without it, as on a phone, what may be used is granted. `asking` puts the question and returns
    /// nil where it was put away.
    public func requestPermission(
        for service: SystemService, evenIfAllowed: Bool = false,
        asking: (ServiceQuestion) -> PermissionAnswer?
    ) throws(SystemServiceEnvironment.Fault) -> RequestResult {
        let state = try state(of: service, record: consentRecord())
        if state.status == .unsupported { return .unsupported(state) }
        let claim = try claim()
        guard claim != nil else { return .busy }
        return if let permission = service.permission {
            try settled().request(service, permission, evenIfAllowed, asking)
        } else {
            try request(plain: service, state, evenIfAllowed, asking)
        }
    }

    /// Whether a request would ask now.
    public func isOpen(_ service: SystemService, evenIfAllowed: Bool = false) throws(SystemServiceEnvironment.Fault)
        -> Bool
    {
        let state = try state(of: service, record: consentRecord())
        if state.status == .unsupported { return false }
        guard let permission = service.permission else {
            return try mayAsk(plain: service, state, evenIfAllowed)
        }
        var flow = try settled().flow(of: service, permission, evenIfAllowed)
        if case .ask = try step(&flow, service) { return true }
        return false
    }

    /// Forgets what was answered about a service, so that a walk asks again.
    public func forget(_ service: SystemService) throws(SystemServiceEnvironment.Fault) {
        if let file = host.consent {
            do throws(LockedFileError) {
                _ = try file.update { $0.answers[service.id] = nil }
            } catch {
                throw SystemServiceEnvironment.Fault(error, of: file)
            }
        }
        guard let permission = service.permission, let file = host.grants else { return }
        do throws(LockedFileError) {
            try file.update { $0.forget(permission) }
        } catch {
            throw SystemServiceEnvironment.Fault(error, of: file)
        }
    }

    // MARK: By permission and without

    /// The same with the rig's access of now, so that one request probes once.
    private func settled() throws(SystemServiceEnvironment.Fault) -> SystemServicePermissioner {
        var host = host
        let access = try host.access()
        host.access = { access }
        return SystemServicePermissioner(host)
    }

    private func request(
        _ service: SystemService, _ permission: Permission, _ evenIfAllowed: Bool,
        _ asking: (ServiceQuestion) -> PermissionAnswer?
    ) throws(SystemServiceEnvironment.Fault) -> RequestResult {
        var flow = try flow(of: service, permission, evenIfAllowed)
        let step = try step(&flow, service)
        guard case .ask(let question) = step else { return try result(of: service, accepted: false) }
        guard let grants = host.grants else {
            throw SystemServiceEnvironment.Fault(.unwritable, "there is no place for the user's grants")
        }
        guard let answer = asking(ServiceQuestion(question)), question.answers.contains(answer) else {
            return .deferred
        }
        let answered: (flow: RequestFlow, outcome: RequestOutcome)?
        let (decisions, access) = (try host.decisions(), try host.access())
        let undecided = try isAnswered(service, evenIfAllowed) ? nil : permission
        do throws(LockedFileError) {
            answered = try grants.record(
                answer, to: question, of: request(of: service), on: decisions, access: access,
                purposes: purposes(of: service), undecided: undecided)
        } catch {
            throw SystemServiceEnvironment.Fault(error, of: grants)
        }
        guard answered != nil else { return .deferred }
        try record(answer == .deny ? .refused : .accepted, about: service)
        return try result(of: service, accepted: answer != .deny)
    }

    private func request(
        plain service: SystemService, _ state: ServiceState, _ evenIfAllowed: Bool,
        _ asking: (ServiceQuestion) -> PermissionAnswer?
    ) throws(SystemServiceEnvironment.Fault) -> RequestResult {
        guard try mayAsk(plain: service, state, evenIfAllowed) else { return try result(of: service, accepted: false) }
        let question = ServiceQuestion(plain: service)
        guard let answer = asking(question), question.choices.contains(where: { $0.answer == answer }) else {
            return .deferred
        }
        try record(answer == .deny ? .refused : .accepted, about: service)
        return try result(of: service, accepted: answer != .deny)
    }

    /// Where access allows it and nobody has answered: there is no dialog of the system's own.
    private func mayAsk(
        plain service: SystemService, _ state: ServiceState, _ evenIfAllowed: Bool
    ) throws(SystemServiceEnvironment.Fault) -> Bool {
        guard evenIfAllowed, state.status == .granted else { return false }
        return try answer(about: service) == nil
    }

    /// What the service's present state makes of a request.
    private func result(of service: SystemService, accepted: Bool) throws(SystemServiceEnvironment.Fault)
        -> RequestResult
    {
        let state = try state(of: service, record: consentRecord())
        switch state.status {
        case .granted: return state.isGranted ? .granted : .accepted(state)
        case .unsupported: return .unsupported(state)
        case .restricted, .denied, .notDetermined: return accepted ? .accepted(state) : .refused(state)
        case .absent, .unreachable, .unknown: return .accepted(state)
        }
    }

    private func flow(
        of service: SystemService, _ permission: Permission, _ evenIfAllowed: Bool
    ) throws(SystemServiceEnvironment.Fault) -> RequestFlow {
        var decisions = try host.decisions()
        if try !isAnswered(service, evenIfAllowed) { decisions.grants = decisions.grants.undecided(permission) }
        return RequestFlow(decisions, access: try host.access(), purposes: purposes(of: service))
    }

    /// Whether a permission without a record is left as it is.
    private func isAnswered(_ service: SystemService, _ evenIfAllowed: Bool) throws(SystemServiceEnvironment.Fault)
        -> Bool
    {
        guard evenIfAllowed else { return true }
        return try answer(about: service) != nil
    }

    private func step(_ flow: inout RequestFlow, _ service: SystemService) throws(SystemServiceEnvironment.Fault)
        -> RequestStep
    {
        do throws(RequestFlow.MissingPurpose) {
            return try flow.begin(request(of: service))
        } catch {
            throw SystemServiceEnvironment.Fault(.rig, error.description)
        }
    }

    private func request(of service: SystemService) -> PermissionRequest {
        switch service {
        case .geoLocationAlways: .location(always: true)
        case .coreMotion: .motion
        case .healthKit: .health
        case .bluetooth: .bluetooth
        case .geoLocationWhenUsing, .localNotifications, .microphone: .location(always: false)
        }
    }

    /// The app's reasons; a reason that the service bears itself goes before.
    private func purposes(of service: SystemService) -> Purposes {
        var purposes = host.purposes
        switch service {
        case .geoLocationWhenUsing(let reason): purposes.texts[.location] = reason
        case .geoLocationAlways(let reason):
            purposes.texts[.location] = purposes.texts[.location] ?? reason
            purposes.texts[.backgroundLocation] = reason
        case .coreMotion: purposes.texts[.motion] = purposes.texts[.motion] ?? service.usage
        case .healthKit: purposes.texts[.health] = purposes.texts[.health] ?? service.usage
        case .bluetooth: purposes.texts[.bluetooth] = purposes.texts[.bluetooth] ?? service.usage
        case .localNotifications, .microphone: break
        }
        return purposes
    }

    // MARK: Files

    private func record(_ answer: ConsentRecord.Answer, about service: SystemService) throws(SystemServiceEnvironment
        .Fault)
    {
        guard let file = host.consent else { return }
        do {
            try file.update { $0.answers[service.id] = answer }
        } catch {
            throw SystemServiceEnvironment.Fault(error, of: file)
        }
    }

    /// The right to ask; nil while another process asks.
    private func claim() throws(SystemServiceEnvironment.Fault) -> DialogClaim? {
        guard let file = host.grants else {
            throw SystemServiceEnvironment.Fault(.unwritable, "there is no place for the user's grants")
        }
        do {
            return try file.claimDialog()
        } catch {
            throw SystemServiceEnvironment.Fault(error, of: file)
        }
    }
}
