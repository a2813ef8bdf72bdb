internal import Configuration
public import Permissions
internal import Readiness

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

    // MARK: With a permission

    private func ask(
        for service: SystemService, _ request: PermissionRequest, _ evenIfAllowed: Bool,
        _ prompt: (PermissionQuestion) -> PermissionAnswer?
    ) throws(SystemServiceError) -> RequestResult {
        let requester = try requester(of: service, evenIfAllowed)
        var answer: PermissionAnswer?
        let result = try SystemServiceError.converting { () throws(PermissionRequestError) in
            try requester.request(request) { question in
                answer = prompt(question)
                return answer
            }
        }
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
            recordingIn: host.grants, decisions: host.decisions, access: try host.access(),
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
        guard let claim = try SystemServiceError.converting({ () throws(DecisionFileError) in try file.claimDialog() })
        else { return .busy }
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

    /// Records an answer, and returns the result.
    private func result(
        of service: SystemService, _ answer: PermissionAnswer?
    ) throws(SystemServiceError) -> RequestResult {
        try record(answer == .deny ? .refused : .accepted, about: service)
        return try result(of: service, isAccepted: answer != .deny)
    }

    /// The result of a request by the service's current state.
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
        try SystemServiceError.converting { () throws(DecisionFileError) in
            try file.update { $0.answers[service.id] = answer }
        }
    }
}
