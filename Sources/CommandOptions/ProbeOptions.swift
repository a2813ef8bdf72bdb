public import ArgumentParser
public import DriverKit
package import LocalRig
internal import SystemPackage

/// The time limits of a probe, and the peers that it queries.
package struct ProbeOptions: RigOptionGroup {
    @Option(
        parsing: .unconditional,
        help: .value("seconds", "The deadline of the probe (default: 2; a recording keeps its own)."))
    package var timeout: Double?

    @Option(
        parsing: .unconditional,
        help: .value("seconds", "Additional time for the location driver (default: 0; a recording keeps its own)."))
    package var waitFix: Double?

    @Option(help: .value("host:port", "Where gpsd listens (default: \(BundledDrivers.gpsd))."))
    package var gpsd: HostPort?

    @Option(
        help: .value(
            "uri",
            "Also probe this libiio context: ip:HOST, usb:…, serial:NODE, xml:FILE; repeatable. A recording has only its own."
        ))
    package var iio: [String] = []

    package init() {}

    package func validate() throws {
        try checkSeconds("timeout", timeout, in: 0.05...3600)
        try checkSeconds("wait-fix", waitFix, in: 0...86_400)
    }

    package func configure(_ options: inout LocalRig.Options) throws(LocalRigError) {
        options.timeout = timeout.map { .seconds($0) }
        options.waitForFix = waitFix.map { .seconds($0) }
        options.gpsd = gpsd ?? options.gpsd
        try LocalRig.Options.checkContexts(iio)
        options.iio = iio
    }
}

/// The depth of a probe, and the sysfs that it reads.
package struct ReadingOptions: RigOptionGroup {
    @Option(
        help: .value("depth", "How far to probe: presence, state or sample (default: sample, or the recording's own)."))
    package var depth: Depth?

    @Option(
        help: .value("folder", "Read this sysfs instead of /sys, such as the host's in a container."),
        completion: .directory)
    package var sysfs: String?

    package init() {}

    package func configure(_ options: inout LocalRig.Options) throws(LocalRigError) {
        options.depth = depth
        guard let sysfs else { return }
        if case .recording = options.source {
            throw LocalRigError(
                .invalidRequest, "--sysfs is a folder of this machine, so it cannot be used with --rig.")
        }
        // Without a slash at its end.
        options.sysfs = FilePath(sysfs).string
    }
}

/// The user whose access is evaluated.
package struct UserOptions: RigOptionGroup {
    @Option(
        name: .customLong("as"),
        help: .value("user", "Evaluate the access of this user; for another user only as root."))
    package var user: String?

    @Option(
        help: .value(
            "unit",
            "Evaluate the access of this systemd unit, such as gpsd.service, or of its sandbox if it does not run; only as root."
        ))
    package var asUnit: String?

    @Option(help: .value("number", "Evaluate the access of this process; only as root."))
    package var asPid: Int32?

    @Option(
        help: .value(
            "name",
            "Evaluate the access of this container of systemd, Podman, Docker or Kubernetes, by its name, its identifier or one of its processes; only as root."
        ))
    package var asContainer: String?

    package init() {}

    /// Whether one of the options is given.
    package var isGiven: Bool { user != nil || asUnit != nil || asPid != nil || asContainer != nil }

    package func configure(_ options: inout LocalRig.Options) throws(LocalRigError) {
        try configureSubject(&options)
        guard let user else { return }
        if case .recording = options.source {
            throw LocalRigError(
                .invalidRequest, "--as names an account of this machine, so it cannot be used with --rig.")
        }
        guard let account = Account(named: user) else {
            throw LocalRigError(
                .invalidRequest, "--as: there is no user '\(user)' on this machine; see 'getent passwd'.")
        }
        let current = Account.current
        if account.user == current.user { return }
        guard current.user == 0 else {
            throw LocalRigError(.invalidRequest, "--as \(user) needs root.")
        }
        options.account = account
    }

    private func configureSubject(_ options: inout LocalRig.Options) throws(LocalRigError) {
        let subjects: [(option: String, subject: AccessSubject)] = [
            asUnit.map { ("--as-unit", .unit($0.contains(".") ? $0 : "\($0).service")) },
            asPid.map { ("--as-pid", .process($0)) }, asContainer.map { ("--as-container", .container($0)) },
        ].compactMap(\.self)
        guard let (option, subject) = subjects.first else { return }
        if subjects.count > 1 || user != nil {
            throw LocalRigError(
                .invalidRequest, "use one of --as, --as-unit, --as-pid and --as-container.")
        }
        if case .recording = options.source {
            throw LocalRigError(
                .invalidRequest, "\(option) names a subject of this machine, so it cannot be used with --rig.")
        }
        guard Account.current.user == 0 else {
            throw LocalRigError(.invalidRequest, "\(option) needs root; try: sudo rigready …")
        }
        options.subject = subject
    }
}

/// The files of the user's and the system's decisions.
package struct DecisionOptions: RigOptionGroup {
    @Option(
        help: .value(
            "file",
            "The user's grants (default: permissions.yaml in the user's configuration folder for rigready; for a recording its own)."
        ),
        completion: .file())
    package var permissions: String?

    @Option(
        help: .value("file", "The system's policy (default: /etc/rigready/policy.yaml; for a recording its own)."),
        completion: .file())
    package var policy: String?

    package init() {}

    package func configure(_ options: inout LocalRig.Options) {
        options.grantFile = permissions ?? options.grantFile
        options.policyFile = policy ?? options.policyFile
        // It is an empty one, which a typing mistake would be too.
        if let policy, !InputFile.exists(policy) {
            options.remarks.append("\(policy.singleLine): there is no such policy, so nothing is restricted")
        }
    }
}

extension Depth: ExpressibleByArgument {}

extension HostPort: ExpressibleByArgument {
    /// Parses an argument; the default port is gpsd's.
    public init?(argument: String) { self.init(argument, defaultPort: BundledDrivers.gpsd.port) }
}
