import Configuration
import Readiness

/// What the words and files of a call ask for, as the engine takes it.
extension Invocation {
    /// The service that a word of the command line names, or a failure with the nearest one.
    static func service(named name: String) throws -> Service {
        if let service = Service(named: name) { return service }
        let hint = Service.suggestion(for: name).map { " Did you mean '\($0)'?" } ?? ""
        throw Failure(.usage, "there is no service '\(name)'.\(hint) See 'rigready services'.")
    }

    /// The version of the rules that the command line names.
    static func version(named name: String) throws -> RulesVersion {
        if let version = RulesVersion(name) { return version }
        let hint = RulesVersion.suggestion(for: name).map { " Did you mean \($0)?" } ?? ""
        throw Failure(.usage, "--rules takes 1.x or 2.MINOR, not '\(name)'.\(hint)")
    }

    static func evaluator(
        _ options: ProbeOptions, _ configuration: RigConfiguration?, rules: Rules, only service: Service?,
        otherwise: ServiceSet?
    ) throws -> Evaluator {
        var flags: OptionFlags = []
        if options.motionMandatory { flags.insert(.motionPermissionMandatory) }
        if options.backgroundLocationMandatory { flags.insert(.backgroundLocationPermissionMandatory) }
        return try evaluator(
            of: service.map { [$0] } ?? options.service.map(Self.service(named:)), flags: flags,
            licence: options.licence.map { try licence($0, rules) }, configuration, rules: rules, otherwise: otherwise)
    }

    /// The evaluator of the services named, else of the configuration's, else of others; flags add to the configuration's.
    static func evaluator(
        of named: [Service], flags: OptionFlags, licence: ServiceSet? = nil, _ configuration: RigConfiguration?,
        rules: Rules, otherwise: ServiceSet? = nil
    ) throws -> Evaluator {
        let asked =
            named.isEmpty
            ? configuration?.services ?? otherwise : named.reduce(into: []) { $0.formUnion(ServiceSet($1)) }
        if let configured = configuration?.services, let stray = asked?.subtracting(configured), !stray.isEmpty {
            let names = stray.members.map(\.id).joined(separator: ", ")
            throw Failure(.usage, "\(names) is not among the services of the configuration.")
        }
        do {
            return try Evaluator(
                of: asked, rules: rules, flags: flags.union(configuration?.flags ?? []),
                licence: licence ?? configuration?.licence)
        } catch {
            throw Failure(.usage, error.description)
        }
    }

    static func pins(_ options: ProbeOptions, _ configuration: RigConfiguration?) throws -> [SensorKind: String] {
        var pins = configuration?.pins ?? [:]
        for pin in options.sensor {
            let parts = pin.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw Failure(.usage, "--sensor takes KIND=KEY, not '\(pin)'.") }
            guard let kind = SensorKind.allCases.first(where: { $0.id == parts[0] }) else {
                let kinds = SensorKind.allCases.map(\.id)
                let hint = suggestion(for: parts[0], among: kinds).map { " Did you mean '\($0)'?" } ?? ""
                throw Failure(
                    .usage, "--sensor knows no kind '\(parts[0])'; it takes \(kinds.joined(separator: ", ")).\(hint)")
            }
            pins[kind] = parts[1]
        }
        return pins
    }

    /// An empty licence is more often an empty variable of a script than meant.
    private static func licence(_ names: String, _ rules: Rules) throws -> ServiceSet {
        let words = names.split(separator: ",", omittingEmptySubsequences: false)
        guard !words.contains("") else { throw Failure(.usage, "--licence takes services separated by commas.") }
        let services = try words.map { try service(named: String($0)) }
        if let stray = services.first(where: { !rules.services.contains($0) }) {
            throw Failure(
                .usage, "rules \(rules.version) have no \(stray.id) (since \(Rules.firstVersion(with: stray))).")
        }
        return services.reduce(into: []) { $0.formUnion(ServiceSet($1)) }
    }
}
