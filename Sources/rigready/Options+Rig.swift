import ConfigurationFiles
import DriverKit
import LocalRig
import Recording

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
        var options = rigOptions
        if let rig { options.read(.recording(rig)) }
        if cached {
            options.source = .cached(
                file: cachedFrom ?? CachedReport.defaultFile, maximumAge: .seconds(maxAge ?? 10))
        }
        try add(to: &options, only: service)
        // An empty licence is usually an empty variable of a script, and not intended.
        if let licence { options.licence = ServiceSet(try Service.all(named: [licence], by: "--licence")) }
        options.pins = try LocalRig.Options.pins(sensor)
        options.strict = strict
        options.depth = depth
        options.timeout = timeout.map { .seconds($0) }
        options.waitForFix = waitFix.map { .seconds($0) }
        options.minimumFix = minFix
        options.maximumAge = maxAge.map { .seconds($0) }
        options.allowsSimulated = noSimulated ? false : nil
        options.maximumError = maxError
        options.allowsEstimated = allowEstimated ? true : nil
        options.gpsd = gpsd ?? options.gpsd
        try LocalRig.Options.checkContexts(iio)
        options.iio = iio
        options.account = try account()
        options.sysfs = try hostSysfs(or: options.sysfs)
        return options
    }

    /// The folder of `--sysfs`, else that of the environment, without a slash at its end; nil for this machine's own.
    private func hostSysfs(or environment: String?) throws(CommandFailure) -> String? {
        if sysfs != nil, rig != nil {
            throw CommandFailure(.usage, "--sysfs is a folder of this machine, so it cannot be used with --rig.")
        }
        guard let folder = sysfs ?? environment, !Command.refused.contains(.sysfs) else { return nil }
        let path = String(folder.reversed().drop { $0 == "/" }.reversed())
        return path.isEmpty ? "/" : path
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

extension LocalRig {
    /// The exit status of what is shown and not evaluated: 2 if nothing could be probed.
    var statusWhenShown: Int32 { isBlind ? 2 : 0 }
}
