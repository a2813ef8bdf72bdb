/// An action that fixes an unmet requirement, for each front end to express.
///
/// It is a value and not a sentence, since a program that uses a library has no command line: `words` describes it
/// without one, and the command prints its own options.
public enum Remedy: Sendable, Hashable {
    /// A shell command that works on the rig as printed; `note` says what else to do, or when.
    case command(ShellCommand, note: String?)
    /// Probe with a different option.
    case option(ProbeOption)
    /// Change a permission; `file` is the grant file, nil for the default one.
    case permission(PermissionChange, file: String?)
    /// A manual action.
    case advice(String)

    /// A shell command without a note.
    public static func command(_ command: ShellCommand) -> Remedy { .command(command, note: nil) }
}

/// A different way to probe.
public enum ProbeOption: Sendable, Hashable {
    /// Set the deadline of the probe, in seconds.
    case timeout(Int)
    /// Set the time for a fix, in seconds.
    case waitForFix(Int)
    /// Accept a fix up to this age, in seconds.
    case maximumAge(Int)
    /// Accept a simulated fix.
    case allowSimulated
    /// Accept a position that is extrapolated or assumed.
    case allowEstimated
    /// Accept a horizontal error up to this one, in metres.
    case maximumError(Int)
    case depth(Depth)
    /// Use another gpsd.
    case gpsd
    /// Add the libiio context of the board that has the sensor.
    case context
    /// Probe or record the rig again, or probe as root.
    case again, recordAgain, asRoot
    /// Probe in the network namespace of the host, outside the container.
    case onHost
    /// Probe with the rights of a group.
    case inGroup(String)
    /// Probe directly instead of using the report that the service published.
    case withoutCache
}

/// A change of a permission.
public struct PermissionChange: Sendable, Hashable {
    /// The kind of change.
    public enum Action: String, Sendable, Hashable {
        /// Record that the user allows it.
        case grant
        /// Ask the user.
        case request
    }

    /// The kind of change.
    public var action: Action
    /// The permission.
    public var permission: Permission
    /// For location, `true` for Always and `false` for while in use; nil if the permission has no levels.
    public var always: Bool?
    /// For location, whether full accuracy is allowed too.
    public var fullAccuracy: Bool
    /// For a request, the configuration with its purposes, as a word of a command; nil for the default one.
    public var configuration: String?

    /// Creates a change.
    public init(
        _ action: Action, _ permission: Permission, always: Bool? = nil, fullAccuracy: Bool = false,
        configuration: String? = nil
    ) {
        self.configuration = configuration
        self.action = action
        self.permission = permission
        self.always = always
        self.fullAccuracy = fullAccuracy
    }
}

extension Remedy {
    /// The remedy in words without a command line; a shell command as printed.
    public var words: String {
        switch self {
        case .command(let command, let note): command.line + (note.map { "    # \($0)" } ?? "")
        case .advice(let text): text
        case .option(let option): option.words
        case .permission(let change, _):
            switch change.action {
            case .grant: "allow \(change.permission.rawValue) in the grant file"
            case .request: "ask the user for \(change.permission.rawValue)"
            }
        }
    }

    /// What a command needs: `root`, and Debian packages as `package:NAME`.
    ///
    /// Source: the packages that ship these programs in Debian 12.
    public var needs: [String] {
        guard case .command(let command, _) = self else { return [] }
        let words = command.line.split(separator: " ").map(String.init)
        let packages = words.compactMap { Self.packages[$0] }.unique.map { "package:\($0)" }
        return (command.needsRoot ? ["root"] : []) + packages
    }

    private static let packages = [
        "ausearch": "auditd", "bluetoothctl": "bluez", "btmgmt": "bluez", "gpsd": "gpsd", "gpsdctl": "gpsd",
        "iio_attr": "libiio-utils", "iio_info": "libiio-utils", "ip": "iproute2", "mmcli": "modemmanager",
        "modprobe": "kmod", "nft": "nftables", "rfkill": "rfkill", "setfacl": "acl", "ss": "iproute2",
        "ssh": "openssh-client", "udevadm": "udev",
    ]
}

extension [Remedy] {
    /// All of them in words without a command line, in order; nil if there are none.
    public var words: String? { isEmpty ? nil : map(\.words).joined(separator: "; ") }
}

extension ProbeOption {
    fileprivate var words: String {
        switch self {
        case .timeout(let seconds): "give the probe \(seconds) s"
        case .waitForFix(let seconds): "give the receiver \(seconds) s for a fix"
        case .maximumAge(let seconds): "accept a fix that is \(seconds) s old"
        case .allowSimulated: "accept a simulated fix"
        case .allowEstimated: "accept an estimated position"
        case .maximumError(let metres): "accept a horizontal error of \(metres) m"
        case .depth(let depth): "probe at depth \(depth.rawValue)"
        case .gpsd: "use another gpsd"
        case .context: "if the sensor is on another board, add the libiio context of that board"
        case .again: "probe again"
        case .recordAgain: "record the rig again"
        case .asRoot: "probe as root"
        case .onHost: "probe on the host, outside the container"
        case .inGroup(let group): "probe with the rights of the group \(group)"
        case .withoutCache: "probe without the service's report"
        }
    }
}
