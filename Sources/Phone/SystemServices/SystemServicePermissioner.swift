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

    // MARK: Queries

    /// The state of a service.
    public func state(of service: SystemService) -> ServiceState {
        do throws(SystemServiceError) {
            return try state(of: service, record: consentRecord())
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
        try consentRecord().answers[service.id]
    }
}

extension SystemServicePermissioner {
    // MARK: States

    func state(
        of service: SystemService, record: ConsentRecord
    ) throws(SystemServiceError) -> ServiceState {
        switch service {
        case .localNotifications: return withheld(service, record) ?? host.notifications().state
        case .microphone: return withheld(service, record) ?? host.microphones().state
        case .healthKit(let types) where types.isEmpty:
            return ServiceState(.granted, evidence: "nothing is requested")
        case .healthKit(let types) where !types.readQuantities.contains(.stepCount):
            return ServiceState(
                .unsupported, evidence: "Linux has no health data except a step counter",
                unsupported: types.unsupported)
        default:
            let decisions = try SystemServiceError.converting(host.decisions)
            return try state(of: service, under: host.access().narrowed(by: decisions))
        }
    }

    /// The recorded refusal of a person.
    private func withheld(_ service: SystemService, _ record: ConsentRecord) -> ServiceState? {
        guard record.answers[service.id] == .refused else { return nil }
        let file = host.consent.map { "\($0.path): " } ?? ""
        return ServiceState(
            .denied, evidence: "\(file)\(service.id): refused", remedies: [.command(service.howToChange)])
    }

    private func state(of service: SystemService, under authorizations: Authorizations) -> ServiceState {
        switch service {
        case .geoLocationWhenUsing, .geoLocationAlways: location(service, authorizations.location)
        case .coreMotion: plain(authorizations.motion)
        case .bluetooth: plain(authorizations.bluetooth)
        case .healthKit(let types): plain(authorizations.health, unsupported: types.unsupported)
        case .localNotifications, .microphone: ServiceState(.unknown, evidence: "it has no grant")
        }
    }

    private func plain(
        _ authorization: Authorization<AuthorizationStatus>, unsupported: [String] = []
    ) -> ServiceState {
        let status: ServiceState.SystemServiceStatus =
            switch authorization.status {
            case .notDetermined: .notDetermined
            case .restricted: .restricted
            case .denied: .denied
            case .allowed: .granted
            }
        return ServiceState(
            status, evidence: authorization.evidence, remedies: authorization.remedies, unsupported: unsupported)
    }

    private func location(_ service: SystemService, _ location: Authorization<LocationStatus>) -> ServiceState {
        let status: ServiceState.SystemServiceStatus =
            switch location.status {
            case .notDetermined: .notDetermined
            case .restricted: .restricted
            case .denied: .denied
            case .authorizedAlways: .granted
            case .authorizedWhenInUse where service.id == "locationAlways":
                location.from == .policy ? .restricted : .denied
            case .authorizedWhenInUse: .granted
            }
        return ServiceState(
            status, evidence: location.evidence, remedies: status == .granted ? [] : location.remedies)
    }

    // MARK: Files

    func consentRecord() throws(SystemServiceError) -> ConsentRecord {
        guard let file = host.consent else { return ConsentRecord() }
        return try SystemServiceError.converting(file.read)
    }
}
