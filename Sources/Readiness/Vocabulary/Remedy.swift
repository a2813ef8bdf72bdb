/// Something that would fix an unmet requirement, for a face to put into words.
///
/// A value and not a sentence, since a program that uses a library has no command line: `words` says it to anybody, and the
/// command spells its own options.
public enum Remedy: Sendable, Hashable, Codable {
    /// A shell command that works as typed on the rig; `note` says what to do besides, or when.
    case command(String, note: String?)
    /// Probe differently.
    case option(ProbeOption)
    /// Have a permission decided otherwise; `file` is the grant file, nil for the one in its default place.
    case permission(PermissionChange, file: String?)
    /// Something to do by hand.
    case advice(String)

    /// A shell command without a note.
    public static func command(_ line: String) -> Remedy { .command(line, note: nil) }
}

/// How to probe differently.
public enum ProbeOption: Sendable, Hashable, Codable {
    /// Bound the probe by so many seconds.
    case timeout(Int)
    /// Give the location driver so many seconds for a fix.
    case waitForFix(Int)
    /// Accept a fix of so many seconds.
    case maximumAge(Int)
    /// Accept a simulated fix.
    case allowSimulated
    /// Probe as deep as this.
    case depth(Depth)
    /// Ask another gpsd.
    case gpsd
    /// Name the libiio context that serves the sensor.
    case context
    /// Probe once more.
    case again
    /// Record the rig once more.
    case recordAgain
    /// Probe as root.
    case asRoot
    /// Probe in the network namespace of the host, outside the container.
    case onHost
    /// Probe with the rights of a group.
    case inGroup(String)
    /// Look for itself instead of taking what the service published.
    case withoutCache
}

/// A change of what is decided about a permission.
public struct PermissionChange: Sendable, Hashable, Codable {
    /// How it is changed.
    public enum Action: String, Sendable, Hashable, Codable {
        /// Record that the user allows it.
        case grant
        /// Ask the user.
        case request
    }

    /// How it is changed.
    public var action: Action
    /// The permission.
    public var permission: Permission
    /// For location, `true` for Always and `false` for while in use; nil where the permission has no levels.
    public var always: Bool?
    /// For location, whether full accuracy is to be allowed.
    public var fullAccuracy: Bool

    /// Makes a change.
    public init(_ action: Action, _ permission: Permission, always: Bool? = nil, fullAccuracy: Bool = false) {
        self.action = action
        self.permission = permission
        self.always = always
        self.fullAccuracy = fullAccuracy
    }
}

extension Remedy {
    /// The remedy in words that need no command line; a shell command as it is typed.
    public var words: String {
        switch self {
        case .command(let line, let note): line + (note.map { "    # \($0)" } ?? "")
        case .advice(let text): text
        case .option(let option): option.words
        case .permission(let change, _):
            switch change.action {
            case .grant: "allow \(change.permission.rawValue) in the grant file"
            case .request: "ask the user for \(change.permission.rawValue)"
            }
        }
    }

    /// What a command needs beside its words: `root`, and Debian packages as `package:NAME`.
    ///
    /// Source: the packages that ship these programs in Debian 12.
    public var needs: [String] {
        guard case .command(let line, _) = self else { return [] }
        var words = line.split(separator: " ").map(String.init)
        var needs: [String] = []
        if words.contains("sudo") { needs.append("root") }
        words.removeAll { $0 == "sudo" || $0 == "&&" }
        var isNew = true
        for word in words where isNew || Self.packages[word] != nil {
            isNew = false
            if let package = Self.packages[word], !needs.contains("package:\(package)") {
                needs.append("package:\(package)")
            }
        }
        return needs
    }

    private static let packages = [
        "bluetoothctl": "bluez", "btmgmt": "bluez", "gpsd": "gpsd", "gpsdctl": "gpsd", "iio_attr": "libiio-utils",
        "iio_info": "libiio-utils", "modprobe": "kmod", "nft": "nftables", "rfkill": "rfkill", "setfacl": "acl",
        "ssh": "openssh-client", "udevadm": "udev",
    ]
}

extension [Remedy] {
    /// All of them in words that need no command line, in order; nil where there is none.
    public var words: String? { isEmpty ? nil : map(\.words).joined(separator: "; ") }
}

extension ProbeOption {
    fileprivate var words: String {
        switch self {
        case .timeout(let seconds): "give the probe \(seconds) s"
        case .waitForFix(let seconds): "give the receiver \(seconds) s for a fix"
        case .maximumAge(let seconds): "accept a fix that is \(seconds) s old"
        case .allowSimulated: "accept a simulated fix"
        case .depth(let depth): "probe at depth \(depth.rawValue)"
        case .gpsd: "ask another gpsd"
        case .context: "name the libiio context that serves it"
        case .again: "probe again"
        case .recordAgain: "record the rig again"
        case .asRoot: "probe as root"
        case .onHost: "probe on the host, outside the container"
        case .inGroup(let group): "probe with the rights of the group \(group)"
        case .withoutCache: "probe without the service's report"
        }
    }
}
