package import DriverKit
package import Permissions
internal import LocalRig
package import Probing
package import Readiness
package import SystemPackage

/// What a live rig uses: its files, its drivers, and its prompter.
package struct PhoneSettings: Sendable {
    /// The user's grants and the system's policy.
    package var files: DecisionFiles
    /// The configuration, whose purposes and pins are used.
    package var configuration: FilePath
    /// The login session of this process.
    package var login: LoginSession
    /// This machine and its user.
    package var identity = RigIdentity.live()
    /// The drivers, each in its world.
    package var rig: Probe
    /// The world that streams are opened in.
    package var world: any World
    /// Where gpsd listens.
    package var gpsd: HostPort
    /// Asks the user.
    package var prompter: any Prompter
    /// The time limit of a probe in seconds.
    package var timeout: Double
    /// Receives complaints, one line each.
    package var complain: @Sendable (String) -> Void

    /// Makes settings.
    package init(
        files: DecisionFiles, configuration: FilePath, login: LoginSession, rig: Probe, world: any World,
        gpsd: HostPort, prompter: any Prompter, timeout: Double = 2, complain: @escaping @Sendable (String) -> Void
    ) {
        self.files = files
        self.configuration = configuration
        self.login = login
        self.rig = rig
        self.world = world
        self.gpsd = gpsd
        self.prompter = prompter
        self.timeout = timeout
        self.complain = complain
    }
}
