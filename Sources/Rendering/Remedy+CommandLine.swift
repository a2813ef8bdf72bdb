public import Readiness

extension Remedy {
    /// The remedy as a command to type, or as advice, for users of `rigready`.
    public var commandLine: String {
        switch self {
        case .command, .advice: words
        case .option(let option): option.commandLine
        case .permission(let change, let file): change.commandLine + (file.map { " --permissions \($0)" } ?? "")
        }
    }

    /// The line to type in a shell; nil for what a person does, or an option of another probe.
    package var shellLine: String? {
        switch self {
        case .command(let command, _): command.line
        case .permission: commandLine
        case .option, .advice: nil
        }
    }

    /// Who must run it, and what must be installed, in words; nil if nothing special is needed.
    package var needsInWords: String? {
        let words = needs.map { $0 == "root" ? "root" : "the package \($0.drop { $0 != ":" }.dropFirst())" }
        return words.isEmpty ? nil : "needs " + words.joined(separator: ", ")
    }
}

extension [Remedy] {
    /// All of them on one line, in order; nil if there are none.
    public var commandLine: String? { isEmpty ? nil : map(\.commandLine).joined(separator: "; ") }
}

extension ProbeOption {
    fileprivate var commandLine: String {
        switch self {
        // The caller's other options must stay, so these are no commands of their own.
        case .timeout(let seconds): "run again with --timeout \(seconds)"
        case .waitForFix(let seconds): "run again with --wait-fix \(seconds)"
        case .maximumAge(let seconds): "run again with --max-age \(seconds)"
        case .allowSimulated: "leave out --no-simulated"
        case .allowEstimated: "run again with --allow-estimated"
        case .maximumError(let metres): "run again with --max-error \(metres)"
        case .depth(let depth): "run again with --depth \(depth.rawValue)"
        case .gpsd: "pass another --gpsd HOST:PORT"
        case .context: "or, if it is on another board: --iio ip:HOST"
        case .again: "run again"
        case .recordAgain: "record the rig again: rigready record FILE"
        case .asRoot: "run again with sudo"
        case .onHost: "run it on the host: sudo nsenter --target 1 --net rigready"
        case .inGroup(let group): "or for one command: sg \(group) -c rigready"
        case .withoutCache: "leave out --cached"
        }
    }
}

extension PermissionChange {
    fileprivate var commandLine: String {
        var line = "rigready permissions \(action.rawValue) \(permission.rawValue)"
        if let always { line += always ? " --always" : " --when-in-use" }
        if fullAccuracy { line += " --accuracy full" }
        if let configuration { line += " --config \(configuration)" }
        return line
    }
}

/// A remedy in the names of the contract.
public struct RemedyLine: Codable, Sendable {
    /// `command`, `option`, `permission` or `advice`.
    public var kind: String
    /// The remedy as text for the command line.
    public var text: String
    /// The shell command.
    @Nullable public var command: String?
    /// `root`, and Debian packages as `package:NAME`.
    public var needs: [String]

    /// Creates the line of a remedy.
    public init(_ remedy: Remedy) {
        text = remedy.commandLine
        command = remedy.shellLine
        needs = remedy.needs
        kind =
            switch remedy {
            case .command: "command"
            case .option: "option"
            case .permission: "permission"
            case .advice: "advice"
            }
    }
}
