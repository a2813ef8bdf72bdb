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
package enum ServiceManager: Sendable, Equatable {
    case systemd, openRC
    /// Scripts in `/etc/init.d`, which `service` runs where it exists.
    case scripts(hasService: Bool)
    /// None that is known.
    case none

    /// The manager that runs a service on this machine; systemd if its folder exists or cannot be checked.
    ///
    /// Source: sd_booted(3) for systemd; openrc's `librc`, which keeps the state in `/run/openrc`.
    package init(of service: DaemonUnit, in world: any World) {
        let hasScript = world.exists(FilePath("/etc/init.d").appending(service.name.line))
        if world.absence(of: "/run/systemd/system") == nil {
            self = .systemd
        } else if hasScript, world.exists("/run/openrc") || world.exists("/sbin/rc-service") {
            self = .openRC
        } else if hasScript {
            self = .scripts(hasService: world.exists("/usr/sbin/service") || world.exists("/sbin/service"))
        } else {
            self = .none
        }
    }
}

extension DaemonUnit {
    /// What an init system does with a service.
    package enum Job: Sendable {
        case start, restart
        /// Starts the system bus first.
        case startWithBus
    }

    /// How the service is started on this machine; in a container advice, since its services are the host's.
    package func remedies(_ job: Job, in world: any World) -> [Remedy] {
        guard ContainerEnvironment.container(in: world) == nil else {
            let verb = job == .restart ? "restart" : "start"
            return [.advice("\(verb) \(name.line) on the host, such as: sudo systemctl \(verb) \(name.line)")]
        }
        if job != .restart, let debianPackage, isMissing(in: world) {
            return [.command("sudo apt-get install \(debianPackage)")]
        }
        guard let command = command(job, in: world) ?? byHand(job, in: world) else {
            return [.advice("\(job == .restart ? "restart" : "start") \(name.line) with this machine's init system")]
        }
        return [.command(command)]
    }

    /// Whether no folder has the program, as far as that can be checked.
    private func isMissing(in world: any World) -> Bool {
        !programs.isEmpty && programs.allSatisfy { world.absence(of: $0) != nil }
    }

    /// The command of this machine's init system; nil if it has none that is known.
    package func command(_ job: Job, in world: any World) -> ShellCommand? {
        let verb: ShellCommand = job == .restart ? "restart" : "start"
        return switch ServiceManager(of: self, in: world) {
        case .systemd where job == .startWithBus: "sudo systemctl start dbus \(name)"
        case .systemd: "sudo systemctl \(verb) \(name)"
        case .openRC where job == .startWithBus: "sudo rc-service dbus start && sudo rc-service \(name) start"
        case .openRC: "sudo rc-service \(name) \(verb)"
        case .scripts(true) where job == .startWithBus: "sudo service dbus start && sudo service \(name) start"
        case .scripts(true): "sudo service \(name) \(verb)"
        case .scripts(false) where job == .startWithBus:
            "sudo /etc/init.d/dbus start && sudo /etc/init.d/\(name) start"
        case .scripts(false): "sudo /etc/init.d/\(name) \(verb)"
        case .none: nil
        }
    }

    private func byHand(_ job: Job, in world: any World) -> ShellCommand? {
        guard let program = program(in: world) else { return nil }
        return switch job {
        case .restart: nil
        case .start: "sudo setsid --fork \(program)"
        case .startWithBus:
            "sudo mkdir -p /run/dbus && sudo dbus-daemon --system --fork && sudo setsid --fork \(program)"
        }
    }

    private func program(in world: any World) -> ShellWord? {
        programs.first(where: world.exists).flatMap { ShellWord($0.string) }
    }
}
