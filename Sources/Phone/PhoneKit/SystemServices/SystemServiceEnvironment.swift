package import LocalRig
internal import DriverKit
package import Readiness
internal import SystemPackage

/// What a permissioner queries, of this machine (`live`), a test or a recording.
public struct SystemServiceEnvironment: Sendable {
    /// What the operating system allows, and what is not there.
    package var access: @Sendable () throws(SystemServiceError) -> SystemServiceAccess
    /// The decisions of the user and the system's owner, and their times.
    package var decisions: @Sendable () throws(DecisionFileError) -> Decisions
    /// Where the user's decisions are kept; nil if there is no place for them.
    package var grants: GrantFile?
    /// Where answers about services without a grant are kept, and the progress of the consent dialog.
    package var consent: ConsentFile?
    /// The app's own purposes for motion, Bluetooth and health; if it has none, those of the services apply.
    package var purposes: Purposes
    /// The state of the notification service.
    package var notifications: @Sendable () -> ServiceState
    /// The state of the capture devices of sound.
    package var microphone: @Sendable () -> ServiceState

    /// Creates an environment.
    package init(
        access: @escaping @Sendable () throws(SystemServiceError) -> SystemServiceAccess,
        decisions: @escaping @Sendable () throws(DecisionFileError) -> Decisions, grants: GrantFile?,
        consent: ConsentFile?, purposes: Purposes = Purposes(),
        notifications: @escaping @Sendable () -> ServiceState, microphone: @escaping @Sendable () -> ServiceState
    ) {
        self.access = access
        self.decisions = decisions
        self.grants = grants
        self.consent = consent
        self.purposes = purposes
        self.notifications = notifications
        self.microphone = microphone
    }

    /// This machine, with the files and the gpsd that the environment names; probed to power and activation, so no
    /// sensor is sampled.
    public static var live: SystemServiceEnvironment {
        var options = LocalRig.Options.environment
        options.depth = .state
        return SystemServiceEnvironment(options)
    }

    /// The environment of a rig with these options, whose files are read for each query.
    package init(_ options: LocalRig.Options) {
        let files = options.decisionFiles
        self.init(
            access: { () throws(SystemServiceError) in
                try rethrowing(as: SystemServiceError.rig, try SystemServiceAccess(LocalRig(options)))
            },
            decisions: { () throws(DecisionFileError) in
                LocalRig(unread: options).decided(by: try files.read()).decisions
            }, grants: files.grants,
            consent: UserFolder.state.path().map { ConsentFile($0.appending("consent.yaml")) },
            notifications: { .notifications() }, microphone: { .microphone(in: BundledDrivers.world()) })
    }
}

/// What the operating system lets a user do with the permissions, and which of them have no hardware.
package struct SystemServiceAccess: Sendable {
    /// What the operating system allows, which absent hardware does not change.
    package var authorizations: Authorizations
    /// The states of permissions without hardware.
    package var absent: [Permission: ServiceState]
    /// The rig, which has the configuration.
    private let rig: LocalRig

    /// Creates an access to hardware that is all there, unless stated.
    package init(_ authorizations: Authorizations, absent: [Permission: ServiceState] = [:]) {
        self.authorizations = authorizations
        self.absent = absent
        rig = LocalRig(unread: LocalRig.Options())
    }

    /// Probes a rig once.
    package init(_ rig: LocalRig) throws(LocalRigError) { self.init(rig, try rig.assess().inventory) }

    /// Derives the access from what a probe of a rig found; absent is only what a complete enumeration did not find.
    package init(_ rig: LocalRig, _ inventory: Inventory) {
        self.rig = rig
        authorizations = Authorizations(access: inventory)
        absent = [:]
        let needs: [Requirement: Permission] = [
            .location: .location, .motion: .motion, .bluetooth: .bluetooth, .healthStore: .health,
        ]
        // Without decisions: what nobody may use can still be there.
        for result in rig.decided(by: Decisions()).evaluate(inventory).requirements where result.cause == .absent {
            let kinds = result.requirement.kinds
            let isSearched = inventory.drivers.contains { $0.state == .ok && $0.kinds.contains(where: kinds.contains) }
            guard let permission = needs[result.requirement], isSearched else { continue }
            absent[permission] = ServiceState(
                .absent, evidence: result.detail ?? "there is no \(result.requirement.title)",
                remedies: result.remedies)
        }
    }

    /// What is left of the access after some decisions.
    func authorizations(after decisions: Decisions) -> Authorizations {
        rig.decided(by: decisions).authorizations(authorizations)
    }
}

/// The file of a record: replaced whole at each answer, so that an interrupted dialog can be continued.
package typealias ConsentFile = LockedFile<ConsentRecord>

/// A person's answer about a service.
public enum ConsentAnswer: String, CaseIterable, Sendable { case accepted, refused }

/// A person's answers so far, by service: the answers, not their effects.
package struct ConsentRecord: FileStorable {
    /// The answers, by the services' names.
    package var answers: [String: ConsentAnswer]

    /// Makes a record.
    package init(_ answers: [String: ConsentAnswer] = [:]) { self.answers = answers }

    /// The expected contents of the file.
    package static var expectation: String { "answers in YAML or JSON" }

    /// Creates a record without answers.
    package init(absent file: String) { self.init() }

    /// Reads a record, YAML or JSON, an empty one from an empty file; throws the place and what was expected.
    package init(parsing bytes: [UInt8], file: String) throws(ConfigurationError) {
        self.init(try Self.answers(parsing: bytes, file: file) { _ in ConsentAnswer.allCases })
    }

    /// Reads a mapping of services to one of some words each, YAML or JSON.
    package static func answers<Answer: RawRepresentable<String>>(
        parsing bytes: [UInt8], file: String, among choices: (_ service: String) -> [Answer]
    ) throws(ConfigurationError) -> [String: Answer] {
        guard let root = try ConfigurationNode(parsing: bytes, file: file) else { return [:] }
        var answers: [String: Answer] = [:]
        for (id, entry) in try root.mapping(of: "services", keys: SystemService.ids.map { [$0] }) {
            answers[id] = try entry.value.word(among: choices(id))
        }
        return answers
    }

    /// The record as YAML; parsing it gives an equal record.
    package var text: String {
        let lines = SystemService.ids.compactMap { id in answers[id].map { "\(id): \($0.rawValue)\n" } }
        return "# What was answered to rigready consent, which writes it.\n" + lines.joined()
    }
}
