internal import Configuration
internal import DriverKit
internal import LocalRig
internal import Permissions
internal import Readiness
internal import Probing
internal import SystemPackage

extension PhoneSettings {
    /// Those of this process: the files in their default places, or where the environment names others.
    ///
    /// `RIGREADY_PERMISSIONS`, `RIGREADY_POLICY`, `RIGREADY_CONFIG` name files, `RIGREADY_GPSD` a `HOST:PORT`,
    /// `RIGREADY_ANSWER` the answer to every question that offers it, for a rig without a terminal.
    package static var environment: PhoneSettings {
        let gpsd =
            Environment.value("RIGREADY_GPSD").flatMap { HostPort($0, defaultPort: BundledDrivers.gpsd.port) }
            ?? BundledDrivers.gpsd
        let world = BundledDrivers.world()
        let drivers = BundledDrivers.drivers(gpsd: gpsd)
        let answer = Environment.value("RIGREADY_ANSWER").flatMap { PermissionAnswer(rawValue: $0) }
        return PhoneSettings(
            grants: Environment.value("RIGREADY_PERMISSIONS").map { GrantFile(FilePath($0)) }
                ?? GrantFile(
                    home: Environment.value("HOME") ?? Account.current.home,
                    configurations: Environment.value("XDG_CONFIG_HOME")),
            policy: FilePath(Environment.value("RIGREADY_POLICY") ?? Policy.defaultFile),
            configuration: FilePath(Environment.value("RIGREADY_CONFIG") ?? "/etc/rigready/config.yaml"),
            login: .current,
            rig: Probe(drivers.map { DriverBinding($0, in: world) }, leftOut: BundledDrivers.leftOut),
            world: world,
            gpsd: gpsd,
            prompter: answer.map { FixedPrompter($0) } ?? TerminalPrompter(),
            complain: { line in
                let bytes = Array("rigready: \(line)\n".utf8)
                _ = try? FileDescriptor.standardError.writeAll(bytes)
            })
    }
}
