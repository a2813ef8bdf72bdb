internal import Configuration
internal import Permissions
internal import Readiness

/// Returns the states of the system's services, and asks a person for them.
///
/// Queries never ask and never write; only `requestPermission` does. Source: seed 004, and mission model 7.1 for what
/// it lacked: a state that is more than a Boolean, and "accepted" apart from "granted".
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

    /// The answer about a service; nil if there is none yet.
    public func answer(about service: SystemService) throws(SystemServiceError) -> ConsentAnswer? {
        guard let file = host.consent else { return nil }
        return try SystemServiceError.converting(file.read).answers[service.id]
    }

    func currentState(of service: SystemService) throws(SystemServiceError) -> ServiceState {
        let isRefused = try answer(about: service) == .refused
        switch service {
        case .localNotifications, .microphone:
            guard isRefused else { return service == .microphone ? host.microphone() : host.notifications() }
            let file = host.consent.map { "\($0.path): " } ?? ""
            return ServiceState(
                .denied, evidence: "\(file)\(service.id): refused", remedies: [.command(service.howToChange)])
        case .healthKit(let types) where types.isEmpty:
            return ServiceState(.granted, evidence: "nothing is requested")
        case .healthKit(let types) where !types.readQuantities.contains(.stepCount):
            return ServiceState(
                .unsupported, evidence: "Linux has no health data except a step counter",
                unsupported: types.unsupported)
        case .healthKit(let types): return ServiceState(try authorizations().health, unsupported: types.unsupported)
        case .coreMotion: return ServiceState(try authorizations().motion)
        case .bluetooth: return ServiceState(try authorizations().bluetooth)
        case .geoLocationWhenUsing: return ServiceState(try authorizations().location, isAlways: false)
        case .geoLocationAlways: return ServiceState(try authorizations().location, isAlways: true)
        }
    }

    private func authorizations() throws(SystemServiceError) -> Authorizations {
        let decisions = try SystemServiceError.converting(host.decisions)
        return try host.access().narrowed(by: decisions)
    }
}

extension ServiceState {
    fileprivate init(_ authorization: Authorization<AuthorizationStatus>, unsupported: [String] = []) {
        let status: SystemServiceStatus =
            switch authorization.status {
            case .notDetermined: .notDetermined
            case .restricted: .restricted
            case .denied: .denied
            case .allowed: .granted
            }
        self.init(
            status, evidence: authorization.evidence, remedies: authorization.remedies, unsupported: unsupported)
    }

    fileprivate init(_ location: Authorization<LocationStatus>, isAlways: Bool) {
        let status: SystemServiceStatus =
            switch location.status {
            case .notDetermined: .notDetermined
            case .restricted: .restricted
            case .denied: .denied
            case .authorizedWhenInUse where isAlways: location.from == .policy ? .restricted : .denied
            case .authorizedAlways, .authorizedWhenInUse: .granted
            }
        self.init(status, evidence: location.evidence, remedies: status == .granted ? [] : location.remedies)
    }
}
