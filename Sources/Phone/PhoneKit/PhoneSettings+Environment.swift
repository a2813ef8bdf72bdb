internal import Configuration
internal import DriverKit
internal import LocalRig
internal import Permissions
internal import Readiness
internal import Probing
internal import SystemPackage

extension PhoneSettings {
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
            login: .current,
            rig: probe.probe(), world: probe.world,
            gpsd: probe.gpsd,
            prompter: answer.map { FixedPrompter($0) } ?? TerminalPrompter(),
            complain: { line in
                let bytes = Array("rigready: \(line)\n".utf8)
                _ = try? FileDescriptor.standardError.writeAll(bytes)
            })
    }
}
