public import ArgumentParser
public import DriverKit
package import LocalRig
internal import SystemPackage

/// The time limits of a probe, and the peers that it queries.
package struct ProbeOptions: RigOptionGroup {
    @Option(
        parsing: .unconditional,
        help: .value("seconds", "The deadline of the probe (default: 2, or the recording's own)."))
    package var timeout: Double?

    @Option(
        parsing: .unconditional,
        help: .value("seconds", "Additional time for the location driver (default: 0, or the recording's own)."))
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

    package init() {}

    package func configure(_ options: inout LocalRig.Options) throws(LocalRigError) {
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
}

/// The files of the user's and the system's decisions.
package struct DecisionOptions: RigOptionGroup {
    @Option(
        help: .value(
            "file", "The user's grants (default: permissions.yaml in the user's configuration folder for rigready)."),
        completion: .file())
    package var permissions: String?

    @Option(
        help: .value("file", "The system's policy (default: /etc/rigready/policy.yaml)."), completion: .file())
    package var policy: String?

    package init() {}

    package func configure(_ options: inout LocalRig.Options) {
        options.grantFile = permissions ?? options.grantFile
        options.policyFile = policy ?? options.policyFile
    }
}

extension Depth: ExpressibleByArgument {}

extension HostPort: ExpressibleByArgument {
    /// Parses an argument; the default port is gpsd's.
    public init?(argument: String) { self.init(argument, defaultPort: BundledDrivers.gpsd.port) }
}
