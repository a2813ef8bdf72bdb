import LocalRig
import Rendering
import PhoneKit

/// One step of the consent: a service of the system, and which services want it and why.
struct ConsentStop {
    let service: SystemService
    /// The wanted services that list it; empty if it was requested by an option.
    let wanting: ServiceSet
    /// Whether one of them requires it.
    let isRequired: Bool
    /// What was found of it on this rig; nil if its state says that.
    let found: String?

    /// Returns the steps, in the order of the questions.
    ///
    /// `others` are added, or are all without `wanted` services.
    static func all(
        for assessment: Assessment, purposes: Purposes, with others: [SystemService], wanted: Bool
    ) -> [ConsentStop] {
        let rows = wanted ? assessment.request.evaluator.rows : []
        func rowsListing(_ requirements: RequirementSet) -> [ServiceRow] {
            rows.filter { !$0.required.union($0.optional).isDisjoint(with: requirements) }
        }
        func purpose(_ purpose: Purposes.Purpose, _ requirement: RequirementSet, _ serviceID: String) -> String {
            let titles = rowsListing(requirement).map(\.service.title)
            let named = others.first { $0.id == serviceID }?.usage
            return purposes.texts[purpose]
                ?? (titles.isEmpty ? named : nil) ?? "It is for \(titles.joined(separator: ", "))."
        }
        func stop(_ requirements: RequirementSet, _ service: SystemService) -> ConsentStop? {
            let wanting = rowsListing(requirements)
            guard !wanting.isEmpty || others.contains(where: { $0.id == service.id }) else { return nil }
            let kinds = requirements.members.flatMap(\.kinds)
            let sensors = assessment.inventory.sensors.filter {
                kinds.contains($0.kind) && $0.availability != .unavailable(.absent)
            }
            let names = sensors.map { $0.label ?? $0.name }.unique
            return ConsentStop(
                service: service, wanting: ServiceSet(wanting.map(\.service)),
                isRequired: wanting.contains { !$0.required.isDisjoint(with: requirements) },
                found: names.isEmpty ? "none found" : names.joined(separator: ", "))
        }
        func other(_ service: SystemService) -> ConsentStop? {
            guard others.contains(where: { $0.id == service.id }) else { return nil }
            return ConsentStop(service: service, wanting: [], isRequired: false, found: nil)
        }
        // The named types, and steps if a service wants them.
        var types = rowsListing([.healthStore, .stepsRead]).isEmpty ? HealthKitTypes() : .steps
        for case .healthKit(let named) in others { types.formUnion(named) }
        return [
            stop(.location, .geoLocationWhenUsing(purpose(.location, .location, "location"))),
            stop(
                .backgroundLocation,
                .geoLocationAlways(purpose(.backgroundLocation, .backgroundLocation, "locationAlways"))),
            stop(.motion, .coreMotion), stop(.bluetooth, .bluetooth),
            stop([.healthStore, .stepsRead], .healthKit(types)), other(.localNotifications([])), other(.microphone),
        ].compactMap { $0 }
    }

    func introduction(_ place: String, _ state: ServiceState, change: String) -> String {
        let wanting = wanting.members.map(\.title).joined(separator: ", ")
        var lines = ["", "\(place): \(service.title)"]
        if !wanting.isEmpty { lines.append("  for    \(wanting)\(isRequired ? "" : " (optional)")") }
        lines.append("  needs  \(service.backing)" + (found.map { "; here: \($0)" } ?? ""))
        let now = state.status == .granted ? "not decided, and access allows it" : state.status.rawValue
        lines.append("  now    \(now): \(state.evidence)")
        lines.append("  later  \(change)")
        return lines.map { $0.singleLine + "\n" }.joined()
    }
}

extension LocalRig {
    /// Creates the host of a permissioner: the assessed rig, and the files of the options.
    func host(
        of assessment: Assessment, with others: [SystemService], grants: GrantFile, consent: ConsentFile
    ) -> SystemServiceEnvironment {
        let access = SystemServiceAccess(self, assessment.inventory)
        // Queried once: a bus that does not answer costs its whole deadline.
        func state(of service: String, _ query: () -> ServiceState) -> ServiceState {
            if recording != nil { return ServiceState(.unknown, evidence: "a recording does not contain it") }
            return others.contains { $0.id == service } ? query() : ServiceState(.unknown, evidence: "not requested")
        }
        let notifications = state(of: "notifications") { .notifications() }
        let microphone = state(of: "microphone") { .microphone(in: BundledDrivers.world()) }
        return SystemServiceEnvironment(
            access: { access }, decisions: currentDecisions(in: grants), grants: grants, consent: consent,
            purposes: configuration.purposes, notifications: { notifications }, microphone: { microphone })
    }
}

extension ServiceState {
    /// The requested health types that a rig lacks, to follow the evidence; empty if there are none.
    fileprivate var lacking: String {
        unsupported.isEmpty ? "" : "; not on Linux: \(unsupported.joined(separator: ", "))"
    }
}

/// The document `rigready.consent/1`, also as text.
struct ConsentReport: Encodable {
    struct Line: Encodable {
        var id: String
        var title: String
        var services: [String]
        var required: Bool
        var purpose: String
        var needs: String
        @Nullable var found: String?
        var status: String
        @Nullable var accepted: Bool?
        @Nullable var granted: Bool?
        var evidence: String
        @Nullable var remedy: String?
        var change: String
    }

    var schema = "rigready.consent/1"
    var permissions: [Line]
    var exitStatus: Int32

    init(
        _ stops: [ConsentStop], _ permissioner: SystemServicePermissioner, _ rig: LocalRig,
        change: (SystemService) -> String
    ) throws(SystemServiceError) {
        permissions = []
        for stop in stops {
            let state = permissioner.state(of: stop.service)
            let answer = try permissioner.answer(about: stop.service)
            let isOpen = try permissioner.isOpen(stop.service, evenIfAllowed: true)
            permissions.append(
                Line(
                    id: stop.service.id, title: stop.service.title, services: stop.wanting.members.map(\.id),
                    required: stop.isRequired, purpose: stop.service.usage, needs: stop.service.backing,
                    found: stop.found,
                    status: isOpen ? ServiceState.SystemServiceStatus.notDetermined.rawValue : state.status.rawValue,
                    accepted: answer.map { $0 == .accepted },
                    granted: isOpen || state.status == .unknown || state.status == .notDetermined
                        ? nil : state.isGranted,
                    evidence: state.evidence + state.lacking, remedy: rig.workable(state.remedies).commandLine,
                    change: change(stop.service)))
        }
        exitStatus =
            permissions.contains { $0.granted == false } ? 1 : permissions.contains { $0.granted == nil } ? 2 : 0
    }

    /// One line per permission, below it what changes it if it is not granted.
    func text(on terminal: Terminal) -> String {
        var page = Page(terminal)
        let width = (permissions.map(\.title.columns).max() ?? 0) + 2
        for line in permissions {
            let tone: Tone = line.granted.map { $0 ? .good : .bad } ?? .doubtful
            let answer = line.accepted.map { $0 ? ", accepted" : ", refused" } ?? ""
            page.row(
                (Mark(tone).sign + " ", tone.style), (line.title.padded(to: width), .strong),
                ((line.status + answer).padded(to: 26), tone.style), rest: line.evidence, style: .faint)
            if line.granted != true, let remedy = line.remedy { page.remedy(6, remedy) }
        }
        if permissions.isEmpty { page.hanging(0, "none of the services needs a permission", nil) }
        return page.text
    }
}
