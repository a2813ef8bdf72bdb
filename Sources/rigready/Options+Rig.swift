import ConfigurationFiles
import DriverKit
import LocalRig
import Readiness
import Recording
import SystemPackage

/// The command line in the types of the engine.
extension ProbeOptions {
    /// Runs the rest of a command with the rig of the options, in a child process if probing may block; a baseline's
    /// rules and services apply if the options name none.
    func withRig(
        only service: Service? = nil, expecting baseline: Baseline? = nil, isWatch: Bool = false,
        asService isService: Bool = false, _ rest: @escaping (LocalRig) throws -> Void
    ) throws {
        let rig = try LocalRig(assembly(only: service), expecting: baseline)
        output.checkFiles()
        guard rig.mayBlock(whileWatching: isWatch) else { return try rest(prepared(rig)) }
        try ProbeProcess.run(asService: isService) { try rest(prepared(rig)) }
    }

    private func prepared(_ rig: LocalRig) -> LocalRig {
        var rig = rig
        if !quiet { rig.waiting = ProgressLine.show }
        rig.configuration.remarks.forEach { Output.complain($0) }
        let strange = rig.recording.map { recording in iio.filter { !recording.header.iio.contains($0) } } ?? []
        for uri in strange {
            Output.complain("the recording was made without --iio \(uri); what it serves is unknown")
        }
        return rig
    }

    private func assembly(only service: Service?) throws -> LocalRig.Options {
        var options = files.options
        if let rig { options.source = .recording(rig) }
        if cached {
            options.source = .cached(
                file: cachedFrom ?? CachedReport.defaultFile, maximumAge: .seconds(maxAge ?? 10))
        }
        try add(to: &options, only: service)
        if let licence { options.licence = try Self.licence(licence) }
        options.pins = try pins()
        options.strict = strict
        options.depth = depth
        options.timeout = timeout.map { .seconds($0) }
        options.waitForFix = waitFix.map { .seconds($0) }
        options.minimumFix = minFix
        options.maximumAge = maxAge.map { .seconds($0) }
        options.allowsSimulated = noSimulated ? false : nil
        options.gpsd = gpsd
        options.iio = iio
        options.account = try account()
        return options
    }

    private func pins() throws(CommandFailure) -> [SensorKind: String] {
        var pins: [SensorKind: String] = [:]
        for pin in sensor {
            let parts = pin.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, !parts[1].isEmpty else {
                throw CommandFailure(.usage, "--sensor takes KIND=KEY, not '\(pin)'.")
            }
            guard let kind = SensorKind.allCases.first(where: { $0.id == parts[0] }) else {
                let kinds = SensorKind.allCases.map(\.id)
                let hint = didYouMean(suggestion(for: parts[0], among: kinds))
                throw CommandFailure(
                    .usage, "there is no kind '\(parts[0])'; it is one of \(kinds.joined(separator: ", ")).\(hint)")
            }
            if let other = pins.updateValue(parts[1], forKey: kind) {
                throw CommandFailure(
                    .usage, "--sensor pins one \(kind.id), not both '\(other)' and '\(parts[1])'.")
            }
        }
        return pins
    }

    /// An empty licence is usually an empty variable of a script, and not intended.
    private static func licence(_ names: String) throws(CommandFailure) -> ServiceSet {
        try Service.all(named: [names], by: "--licence").reduce(into: []) { $0.formUnion(ServiceSet($1)) }
    }

    /// The account of `--as`; nil for that of this process.
    private func account() throws(CommandFailure) -> Account? {
        guard let user else { return nil }
        guard rig == nil else {
            throw CommandFailure(.usage, "--as names an account of this machine, so it cannot be used with --rig.")
        }
        guard let account = Account(named: user) else {
            throw CommandFailure(.usage, "--as: there is no user '\(user)' on this machine; see 'getent passwd'.")
        }
        let current = Account.current
        if account.user == current.user { return nil }
        guard current.user == 0 else { throw CommandFailure(.usage, "--as \(user) needs root: try it with sudo.") }
        return account
    }
}

extension Service {
    /// Finds the services of an option, each value of which may name several, separated by commas.
    static func all(named values: [String], by option: String) throws(CommandFailure) -> [Service] {
        var services: [Service] = []
        for word in values.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
            guard !word.isEmpty else { throw CommandFailure(.usage, "\(option) takes services separated by commas.") }
            services.append(try named(String(word)))
        }
        return services
    }

    /// Finds a service by a name of the command line; the error suggests the nearest one.
    static func named(_ name: String) throws(CommandFailure) -> Service {
        if let service = Service(named: name) { return service }
        let hint = didYouMean(Service.suggestion(for: name))
        throw CommandFailure(.usage, "there is no service '\(name)'.\(hint) See 'rigready services'.")
    }
}

extension LocalRig {
    /// The exit status of what is shown and not evaluated: 2 if nothing could be probed.
    var statusWhenShown: Int32 { isBlind ? 2 : 0 }
}
