package import ConfigurationFiles
package import DriverKit
internal import LocalRig
package import Permissions
package import Probing
package import Readiness
internal import Synchronization
package import SystemPackage

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
    /// What would fix an error of a sensor, in words: what a busy or removed sensor needs, else what the report advises
    /// for the first of these requirements that is not met; nil is an error for want of a sensor.
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
        var configuration: RigConfiguration?
        var complaints: [FilePath: DecisionFileError] = [:]
    }

    private let settings: PhoneSettings
    private let held = Mutex(Held())

    init(_ settings: PhoneSettings) { self.settings = settings }

    /// The files, and the names of the login sessions.
    var files: [FilePath] {
        let login = settings.login
        let session = login.name.flatMap { $0.contains("/") ? nil : login.folder.appending($0) }
        return [
            settings.files.grants?.path, settings.files.policy.path, settings.configuration,
            login.folder.appending("."), session,
        ].compactMap(\.self)
    }

    /// The state of an inventory with the files as they are now.
    func state(of inventory: Inventory, question: PermissionQuestion?) -> PhoneState {
        let (decisions, configuration) = (decisions, configuration)
        let assessment = Assessment(
            inventory, of: settings.identity, authorizations: Authorizations(access: inventory).narrowed(by: decisions),
            request: Assessment.Request(.all, pins: configuration.pins))
        return PhoneState(
            assessment: assessment, isInForeground: settings.login.isActive, question: question, decisions: decisions,
            configuration: configuration)
    }

    var decisions: Decisions {
        var decisions = Decisions(grants, policy, at: GrantContext(in: settings.login))
        decisions.isReducedByDefault = configuration.isReducedByDefault
        return decisions
    }

    var configuration: RigConfiguration {
        let file = settings.configuration
        return read(file, \.configuration) { () throws(DecisionFileError) in
            do {
                return try RigConfiguration(parsing: BoundedFile.read(file, limit: GrantFile.limit), file: file.string)
            } catch Errno.noSuchFileOrDirectory {
                return RigConfiguration()
            } catch {
                let code: DecisionFileErrorCode =
                    (error as? ConfigurationError).map { .invalid($0) } ?? .unreadable(error as? Errno ?? .ioError)
                throw DecisionFileError(code, path: file, expected: "a configuration in YAML or JSON")
            }
        } ?? RigConfiguration()
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
        _ body: () throws(DecisionFileError) -> Value
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
                (held.complaints.updateValue(error, forKey: file) != error, held[keyPath: place])
            }
            if isNew { settings.complain("\(error); the previous contents stay in effect") }
            return value
        }
    }
}

/// What a live rig uses: its files, its drivers, and its prompter.
package struct PhoneSettings: Sendable {
    /// The user's grants and the system's policy.
    package var files: DecisionFiles
    /// The configuration, whose purposes and pins are used.
    package var configuration: FilePath
    package var login: LoginSession
    package var identity = RigIdentity.live()
    /// The drivers, each in its world.
    package var rig: Probe
    /// The world that streams are opened in.
    package var world: any World
    package var gpsd: HostPort
    package var prompter: any Prompter
    /// The time limit of a probe in seconds.
    package var timeout = 2.0
    /// Receives complaints, one line each.
    package var complain: @Sendable (String) -> Void

    package init(
        files: DecisionFiles, configuration: FilePath, login: LoginSession, rig: Probe, world: any World,
        gpsd: HostPort, prompter: any Prompter, complain: @escaping @Sendable (String) -> Void
    ) {
        self.files = files
        self.configuration = configuration
        self.login = login
        self.rig = rig
        self.world = world
        self.gpsd = gpsd
        self.prompter = prompter
        self.complain = complain
    }

    /// The settings of this process: the files in their default places, or as named by the environment.
    ///
    /// `RIGREADY_PERMISSIONS`, `RIGREADY_POLICY`, `RIGREADY_CONFIG` name files, `RIGREADY_GPSD` a `HOST:PORT`,
    /// `RIGREADY_ANSWER` the answer to every question that offers it, for a rig without a terminal.
    package static var environment: PhoneSettings {
        let options = LocalRig.Options.environment
        let probe = ProbeSettings(options)
        let answer = Environment.value("RIGREADY_ANSWER").flatMap { PermissionAnswer(rawValue: $0) }
        return PhoneSettings(
            files: options.decisionFiles,
            configuration: FilePath(options.configurationFile ?? LocalRig.defaultConfiguration),
            login: .current, rig: probe.probe(), world: probe.world, gpsd: probe.gpsd,
            prompter: answer.map { FixedPrompter($0) } ?? TerminalPrompter(),
            complain: { line in _ = try? FileDescriptor.standardError.writeAll(Array("rigready: \(line)\n".utf8)) })
    }
}
