package import Readiness
package import SystemPackage

/// A program that an init system starts, such as bluetoothd.
package struct DaemonUnit: Sendable {
    /// Its name for every init system, such as `bluetooth`.
    package let name: ShellCommand
    /// Where the program is, depending on the distribution; empty if unknown.
    package let programs: [FilePath]
    /// The Debian package of the program.
    package let debianPackage: ShellCommand?

    package init(
        _ name: ShellCommand, programs: [FilePath] = [], debianPackage: ShellCommand? = nil
    ) {
        self.name = name
        self.programs = programs
        self.debianPackage = debianPackage
    }
}

/// What starts services on this machine.
package enum ServiceManager: Sendable {
    case systemd, openRC
    /// Scripts in `/etc/init.d`.
    case scripts
    /// None that is known.
    case none

    /// The manager that runs a service on this machine.
    ///
    /// Source: sd_booted(3) for systemd; openrc's `rc_sys` for OpenRC, which keeps its state in `/run/openrc`.
    package init(of service: DaemonUnit, in world: any World) {
        if world.exists("/run/systemd/system") {
            self = .systemd
        } else if world.exists("/run/openrc") {
            self = .openRC
        } else if world.exists(FilePath("/etc/init.d").appending(service.name.line)) {
            self = .scripts
        } else {
            self = .none
        }
    }
}

extension DaemonUnit {
    /// What is done with a service.
    package enum Action: Sendable {
        case start, restart
        /// Starts the system bus first.
        case startWithBus
    }

    /// How the service is started on this machine; in a container advice, since its services are the host's.
    package func remedies(_ action: Action, in world: any World) -> [Remedy] {
        guard ContainerEnvironment.container(in: world) == nil else {
            let verb = action == .restart ? "restart" : "start"
            return [.advice("\(verb) \(name.line) on the host, such as: sudo systemctl \(verb) \(name.line)")]
        }
        if action != .restart, let debianPackage, isMissing(in: world) {
            return [.command("sudo apt-get install \(debianPackage)")]
        }
        guard let command = command(action, in: world) else {
            return [.advice("\(action == .restart ? "restart" : "start") \(name.line) with this machine's init system")]
        }
        return [.command(command)]
    }

    /// Whether no folder has the program, as far as that can be told.
    private func isMissing(in world: any World) -> Bool {
        !programs.isEmpty && programs.allSatisfy { world.absence(of: $0) != nil }
    }

    private func command(_ action: Action, in world: any World) -> ShellCommand? {
        switch (ServiceManager(of: self, in: world), action) {
        case (.systemd, .start): "sudo systemctl start \(name)"
        case (.systemd, .startWithBus): "sudo systemctl start dbus \(name)"
        case (.systemd, .restart): "sudo systemctl restart \(name)"
        case (.openRC, .start): "sudo rc-service \(name) start"
        case (.openRC, .startWithBus): "sudo rc-service dbus start && sudo rc-service \(name) start"
        case (.openRC, .restart): "sudo rc-service \(name) restart"
        case (.scripts, .start): "sudo service \(name) start"
        case (.scripts, .startWithBus): "sudo service dbus start && sudo service \(name) start"
        case (.scripts, .restart): "sudo service \(name) restart"
        case (.none, .restart): nil
        case (.none, .start): program(in: world).map { "sudo setsid --fork \($0)" }
        case (.none, .startWithBus):
            program(in: world).map {
                "sudo mkdir -p /run/dbus && sudo dbus-daemon --system --fork && sudo setsid --fork \($0)"
            }
        }
    }

    private func program(in world: any World) -> ShellWord? {
        programs.first(where: world.exists).flatMap { ShellWord($0.string) }
    }
}
