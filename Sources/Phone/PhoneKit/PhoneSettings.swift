internal import Configuration
package import DriverKit
internal import LocalRig
package import Permissions
package import Probing
package import Readiness
package import SystemPackage

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
