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
        let (needsSudo, advice) = (needsSudo, adviceAsRoot)
        if needsSudo, advice == nil { return inventory }
        func workable(_ remedies: [Remedy]) -> [Remedy] {
            remedies.map { remedy in
                if case .option(.asRoot) = remedy, let advice { return .advice(advice) }
                return needsSudo ? remedy : remedy.withoutSudo
            }
        }
        var copy = inventory
        for index in copy.sensors.indices {
            copy.sensors[index].remedies = workable(copy.sensors[index].remedies)
            copy.sensors[index].accessRemedies = workable(copy.sensors[index].accessRemedies)
        }
        for index in copy.obstacles.indices {
            copy.obstacles[index].remedies = workable(copy.obstacles[index].remedies)
        }
        for index in copy.drivers.indices {
            copy.drivers[index].accessRemedies = workable(copy.drivers[index].accessRemedies)
        }
        return copy
    }

    /// What takes the place of `run again with sudo` if the evaluated program is another one, or root already; nil if it is
    /// neither.
    private var adviceAsRoot: String? {
        let isRoot = identity.uid == 0
        if let subject = identity.subject { return "run \(subject) as root\(isRoot ? " with all capabilities" : "")" }
        if isRoot { return "run it as root with all capabilities, outside a container" }
        if options.account != nil { return "run the program as root" }
        return needsSudo ? nil : "run it again as root"
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
        default: self
        }
    }
}
