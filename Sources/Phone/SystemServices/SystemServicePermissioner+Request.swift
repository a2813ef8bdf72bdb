internal import Readiness
internal import Configuration
public import Permissions

/// Requests to a person.
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
        let state = try state(of: service, record: consentRecord())
        if state.status == .unsupported { return .unsupported(state) }
        guard let permission = service.permission else {
            return try request(plain: service, state, evenIfAllowed, prompt)
        }
        return try settled().request(service, permission, evenIfAllowed, prompt)
    }

    /// Whether a request would ask now.
    public func isOpen(_ service: SystemService, evenIfAllowed: Bool = false) throws(SystemServiceError) -> Bool {
        let state = try state(of: service, record: consentRecord())
        if state.status == .unsupported { return false }
        guard let permission = service.permission else { return try mayAsk(plain: service, state, evenIfAllowed) }
        let requester = try requester(of: service, permission, evenIfAllowed)
        let request = permissionRequest(for: service)
        let step = try SystemServiceError.converting { () throws(PermissionRequestError) in
            try requester.step(of: request)
        }
        return if case .ask = step { true } else { false }
    }

    /// Removes the answer about a service, so that the dialog asks again.
    public func forget(_ service: SystemService) throws(SystemServiceError) {
        try record(nil, about: service)
        guard let permission = service.permission, let file = host.grants else { return }
        try SystemServiceError.converting { () throws(DecisionFileError) in
            try file.update { $0.forget(permission) }
        }
    }

    // MARK: With and without a permission

    /// The same with the rig's current access, so that one request probes once.
    private func settled() throws(SystemServiceError) -> SystemServicePermissioner {
        var host = host
        let access = try host.access()
        host.access = { access }
        return SystemServicePermissioner(host)
    }

    private func request(
        _ service: SystemService, _ permission: Permission, _ evenIfAllowed: Bool,
        _ prompt: (PermissionQuestion) -> PermissionAnswer?
    ) throws(SystemServiceError) -> RequestResult {
        let requester = try requester(of: service, permission, evenIfAllowed)
        let request = permissionRequest(for: service)
        var answer: PermissionAnswer?
        let result = try SystemServiceError.converting { () throws(PermissionRequestError) in
            try requester.request(request) { question in
                answer = prompt(question)
                return answer
            }
        }
        switch result {
        case .busy: return .busy
        case .settled: return try self.result(of: service, accepted: false)
        case .asked(.deferred), .notOffered, .superseded: return .deferred
        case .asked:
            try record(answer == .deny ? .refused : .accepted, about: service)
            return try self.result(of: service, accepted: answer != .deny)
        }
    }

    /// A permission without a record is left as access allows, or is asked about if there is no answer yet.
    private func requester(
        of service: SystemService, _ permission: Permission, _ evenIfAllowed: Bool
    ) throws(SystemServiceError) -> PermissionRequester {
        let isUndecided = evenIfAllowed ? try answer(about: service) == nil : false
        return PermissionRequester(
            recordingIn: host.grants, decisions: host.decisions, access: try host.access(),
            purposes: purposes(of: service), undecided: isUndecided ? permission : nil)
    }

    private func request(
        plain service: SystemService, _ state: ServiceState, _ evenIfAllowed: Bool,
        _ prompt: (PermissionQuestion) -> PermissionAnswer?
    ) throws(SystemServiceError) -> RequestResult {
        guard let file = host.grants else { throw .request(.noGrantFile) }
        guard let claim = try SystemServiceError.converting({ () throws(DecisionFileError) in try file.claimDialog() })
        else { return .busy }
        defer { withExtendedLifetime(claim) {} }
        guard try mayAsk(plain: service, state, evenIfAllowed) else { return try result(of: service, accepted: false) }
        let question = PermissionQuestion(
            service == .microphone ? .microphone : .notifications, service.usage)
        guard let answer = prompt(question), question.answers.contains(answer) else { return .deferred }
        try record(answer == .deny ? .refused : .accepted, about: service)
        return try result(of: service, accepted: answer != .deny)
    }

    /// Access allows it and there is no answer yet: the system has no dialog of its own.
    private func mayAsk(
        plain service: SystemService, _ state: ServiceState, _ evenIfAllowed: Bool
    ) throws(SystemServiceError) -> Bool {
        guard evenIfAllowed, state.status == .granted else { return false }
        return try answer(about: service) == nil
    }

    /// The result of a request by the service's current state.
    private func result(of service: SystemService, accepted: Bool) throws(SystemServiceError)
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

    private func permissionRequest(for service: SystemService) -> PermissionRequest {
        switch service {
        case .geoLocationAlways: .location(always: true)
        case .coreMotion: .motion
        case .healthKit: .health
        case .bluetooth: .bluetooth
        case .geoLocationWhenUsing, .localNotifications, .microphone: .location(always: false)
        }
    }

    /// The app's purposes; one that the service has itself takes precedence.
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

    private func record(_ answer: ConsentAnswer?, about service: SystemService) throws(SystemServiceError) {
        guard let file = host.consent else { return }
        try SystemServiceError.converting { () throws(DecisionFileError) in
            try file.update { $0.answers[service.id] = answer }
        }
    }
}
