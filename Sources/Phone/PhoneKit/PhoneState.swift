internal import Linux
package import LocalRig
package import DriverKit
package import Readiness
internal import Synchronization
internal import SystemPackage

/// The state of a rig at one moment, as an app on it sees it.
package struct PhoneState: Sendable, Equatable {
    /// The rig, probed at depth `state`: no sensor is sampled and no receiver opened.
    package var assessment: Assessment
    /// Whether this process is in use: it runs in the active session of a seat.
    package var isInForeground: Bool
    /// The open question to the user, if this process has asked one.
    package var question: PermissionQuestion?
    package var decisions: Decisions
    /// Why the app asks, which sensors are pinned, and whether it opted into explicit service sessions.
    package var configuration: RigConfiguration

    /// What this process may do: the operating system's access, narrowed by grants and policy.
    package var authorizations: Authorizations { assessment.authorizations }
    package var inventory: Inventory { assessment.inventory }

    /// Whether an app that knows the state before is to be called.
    func isChanged(since before: PhoneState) -> Bool {
        isInForeground != before.isInForeground || question != before.question
            || decisions.grants != before.decisions.grants || decisions.policy != before.decisions.policy
            || configuration != before.configuration
            || !Comparison(before: before.assessment, after: assessment).isEmpty
    }
}

extension PhoneState {
    /// The remedy for an error of a sensor.
    ///
    /// A busy or removed sensor has its own; otherwise it is the report's for the first of these requirements that is
    /// not met. `error` is nil if there is no sensor.
    package func remedy(for error: DriverError?, of requirements: [Requirement]) -> String {
        if error?.errno == .resourceBusy { return "stop the other program that captures from it" }
        // It was there: whether the rig has noticed meanwhile makes no difference.
        if error?.availability == .unavailable(.absent) { return "plug it in again" }
        let unmet = requirements.lazy.compactMap { assessment.result(of: $0) }.filter { $0.status != .met }
        if let words = unmet.compactMap(\.remedies.words).first { return words }
        return error == nil
            ? "connect one, and see what rigready sensors lists" : "see the kernel's messages about it: sudo dmesg"
    }
}

/// Reads the files that a state is computed from.
///
/// A missing file is an empty one. If a file is not valid, its previous contents stay in effect; without previous
/// contents everything is forbidden, since the intent of the user or the system's owner is unknown.
final class DecisionReader: Sendable {
    private struct Held {
        var grants: Grants?
        var policy: Policy?
        var configured: LocalRig?
        var complaints: [FilePath: String] = [:]
    }

    private let settings: PhoneSettings
    private let held = Mutex(Held())

    init(_ settings: PhoneSettings) { self.settings = settings }

    /// Watches the rig; nil, with a complaint, if it cannot be probed as the environment asks, or not be watched.
    func watch() -> InventoryWatch? {
        do throws(LocalRigError) {
            try settings.options.checkEnvironment()
            return try LocalRig(unread: settings.options).watchInventory(resample: nil, keepsAccess: true)
        } catch {
            settings.complain("\(error); what this rig allows cannot be found out")
            return nil
        }
    }

    /// The files, and the names of the login sessions.
    var files: [FilePath] {
        let login = settings.login
        let session = login.name.flatMap { $0.utf8.contains(UInt8(ascii: "/")) ? nil : login.folder.appending($0) }
        return [
            settings.files.grants?.path, settings.files.policy.path, settings.configuration,
            login.folder.appending("."), session,
        ].compactMap(\.self)
    }

    /// The state of an inventory with the files as they are now.
    func state(of inventory: Inventory, question: PermissionQuestion?) -> PhoneState {
        let rig = rig
        return PhoneState(
            assessment: rig.evaluate(inventory), isInForeground: settings.login.isActive, question: question,
            decisions: rig.decisions, configuration: rig.configuration)
    }

    /// The rig with its files as they are now.
    var rig: LocalRig {
        let rig = LocalRig(unread: settings.options)
        let file = settings.configuration
        let configured = read(file, \.configured) {
            guard InputFile.exists(file.string, following: true) else {
                return try rig.configured(by: RigConfiguration(), in: nil)
            }
            let configuration = try LocalRig.configuration(named: file.string, rules: settings.options.rules)
            return try rig.configured(by: configuration?.configuration ?? RigConfiguration(), in: file.string)
        }
        return (configured ?? rig).decided(by: Decisions(grants, policy, at: GrantContext(in: settings.login)))
    }

    private var grants: Grants {
        guard let file = settings.files.grants?.path else { return Grants() }
        return read(file, \.grants, settings.files.readGrants)
            ?? Grants(
                file: file.string, location: LocationGrant(.denied), motion: .denied, bluetooth: .denied,
                health: .denied)
    }

    private var policy: Policy {
        let file = settings.files.policy.path
        return read(file, \.policy, settings.files.readPolicy)
            ?? Policy(file: file.string, restricted: Set(Permission.allCases))
    }

    /// A file's contents, or the previous ones if it cannot be read or is not valid, which is reported once.
    private func read<Value: Sendable>(
        _ file: FilePath, _ place: any WritableKeyPath<Held, Value?> & Sendable,
        _ body: () throws -> Value
    ) -> Value? {
        do {
            let value = try body()
            held.withLock { held in
                held.complaints[file] = nil
                held[keyPath: place] = value
            }
            return value
        } catch {
            let (isNew, value) = held.withLock { held in
                (held.complaints.updateValue("\(error)", forKey: file) != "\(error)", held[keyPath: place])
            }
            if isNew { settings.complain("\(error); the previous contents stay in effect") }
            return value
        }
    }
}

/// What a live rig uses: its options, its files, and its prompter.
package struct PhoneSettings: Sendable {
    /// The rig as the command has it: its files, its gpsd, its sysfs.
    package var options: LocalRig.Options
    package var login: LoginSession
    /// The world that streams are opened in.
    package var world: any World
    package var gpsd: HostPort
    package var prompter: any Prompter
    /// Receives complaints, one line each.
    package var complain: @Sendable (String) -> Void

    /// The user's grants and the system's policy.
    package var files: DecisionFiles { options.decisionFiles }
    /// The configuration, with the app's purposes and the pinned sensors.
    var configuration: FilePath { FilePath(options.configurationFile ?? LocalRig.defaultConfiguration) }
    /// The time limit of a probe in seconds.
    var timeout: Double { options.timeout?.seconds ?? 2 }

    /// Makes settings; the rig is probed to power and activation, so no sensor is sampled.
    ///
    /// `world` and `gpsd` take the place of this machine's.
    package init(
        _ options: LocalRig.Options, login: LoginSession = .current, world: (any World)? = nil,
        gpsd: HostPort? = nil, prompter: any Prompter, complain: @escaping @Sendable (String) -> Void
    ) {
        var options = options
        options.depth = .state
        options.timeout = options.timeout ?? .seconds(2)
        self.options = options
        let probe = ProbeSettings(options)
        self.login = login
        self.world = world ?? probe.world
        self.gpsd = gpsd ?? probe.gpsd
        self.prompter = prompter
        self.complain = complain
    }

    /// The settings of this process: the files in their default places, or as named by the environment.
    ///
    /// The variables are those of `LocalRig.Options.environment`, and `RIGREADY_ANSWER` is the answer to every question
    /// that offers it, for a rig without a terminal.
    package static var environment: PhoneSettings {
        let answer = Environment.value("RIGREADY_ANSWER").flatMap { PermissionAnswer(rawValue: $0) }
        return PhoneSettings(
            .environment, prompter: answer.map { FixedPrompter($0) } ?? TerminalPrompter(),
            complain: { line in _ = try? FileDescriptor.standardError.writeAll(Array("rigready: \(line)\n".utf8)) })
    }
}
