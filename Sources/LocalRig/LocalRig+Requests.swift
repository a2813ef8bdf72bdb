internal import DriverKit
internal import Readiness

extension LocalRig {
    /// Returns remedies that work with this rig's configuration: a request gets `--config`; a request without a purpose
    /// is replaced by a grant.
    package func workable(_ remedies: [Remedy]) -> [Remedy] {
        remedies.map { remedy in
            guard case .permission(var change, let grants) = remedy, change.action == .request else { return remedy }
            // A purpose has the name of its permission; always needs one more.
            var purposes = [Purposes.Purpose(rawValue: change.permission.rawValue)]
            if change.permission == .location, change.always == true { purposes.append(.backgroundLocation) }
            if purposes.allSatisfy({ $0.flatMap { configuration.purposes.texts[$0] } != nil }) {
                let named = configurationFile.flatMap { $0 == Self.defaultConfiguration ? nil : $0 }
                change.configuration = named.flatMap { ShellWord($0)?.quoted }
            } else {
                change.action = .grant
            }
            return .permission(change, file: grants)
        }
    }

    /// Returns authorizations with such remedies.
    func workable(_ authorizations: Authorizations) -> Authorizations {
        var copy = authorizations
        copy.location.remedies = workable(copy.location.remedies)
        copy.accuracy.remedies = workable(copy.accuracy.remedies)
        copy.motion.remedies = workable(copy.motion.remedies)
        copy.bluetooth.remedies = workable(copy.bluetooth.remedies)
        copy.health.remedies = workable(copy.health.remedies)
        return copy
    }

    /// Returns the inventory with remedies that this user can type on this machine.
    func workable(_ inventory: Inventory) -> Inventory {
        guard !needsSudo else { return inventory }
        var copy = inventory
        for index in copy.sensors.indices {
            copy.sensors[index].remedies = copy.sensors[index].remedies.map(\.withoutSudo)
            copy.sensors[index].accessRemedies = copy.sensors[index].accessRemedies.map(\.withoutSudo)
        }
        for index in copy.obstacles.indices {
            copy.obstacles[index].remedies = copy.obstacles[index].remedies.map(\.withoutSudo)
        }
        for index in copy.drivers.indices {
            copy.drivers[index].accessRemedies = copy.drivers[index].accessRemedies.map(\.withoutSudo)
        }
        return copy
    }

    /// Whether the commands that need root begin with `sudo`: root needs none, and a machine may have none.
    private var needsSudo: Bool {
        if let header = recording?.header { return header.uid != 0 && header.hasSudo != false }
        return Account.current.user != 0 && Self.hasSudo
    }

    /// Whether this machine has `sudo` in one of the folders where distributions install it.
    static let hasSudo = ["/usr/bin/sudo", "/bin/sudo", "/usr/local/bin/sudo", "/run/wrappers/bin/sudo"]
        .contains { InputFile.exists($0) }
}

extension Remedy {
    /// The same for a user who types commands without `sudo`.
    fileprivate var withoutSudo: Remedy {
        switch self {
        case .command(let command, let note): .command(command.withoutSudo, note: note)
        case .option(.asRoot): .advice("run it again as root")
        default: self
        }
    }
}
