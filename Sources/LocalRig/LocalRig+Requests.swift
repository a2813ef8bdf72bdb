internal import ConfigurationFiles
internal import DriverKit

extension LocalRig {
    /// Returns remedies that work with this rig's configuration: a request names it, and one for which it has no
    /// purpose, so that it cannot be made, becomes a grant.
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
        copy.motion.remedies = workable(copy.motion.remedies)
        copy.bluetooth.remedies = workable(copy.bluetooth.remedies)
        copy.health.remedies = workable(copy.health.remedies)
        return copy
    }
}
