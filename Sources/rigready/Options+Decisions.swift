import Configuration
import DriverKit
import Glibc
import Permissions
import Readiness
import Recording
import SystemPackage

/// Whose access counts, and what was decided about it.
extension ProbeOptions {
    static let defaultPolicy = "/etc/rigready/policy.yaml"

    /// The account of `--as`; nil for this process's own.
    func account() throws(Failure) -> Account? {
        guard let user else { return nil }
        guard rig == nil else {
            throw Failure(.usage, "--as asks for an account of this machine; it does not go with --rig.")
        }
        guard let account = Account(named: user) else {
            throw Failure(.usage, "--as: there is no user '\(user)' on this machine; see 'getent passwd'.")
        }
        let current = Account.current
        if account.user == current.user { return nil }
        guard current.user == 0 else { throw Failure(.usage, "--as \(user) needs root: try it with sudo.") }
        return account
    }

    /// The grant file of the call.
    func grantFile(of account: Account? = nil) -> GrantFile? { Self.grantFile(named: permissions, of: account) }

    /// The grant file: the one named, else the user's own; nil where the user has no home.
    static func grantFile(named name: String?, of account: Account? = nil) -> GrantFile? {
        if let name { return GrantFile(FilePath(name)) }
        let folder =
            account == nil ? environment("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } : nil
        let home = account == nil ? environment("HOME") ?? Account.current.home : account?.home
        guard let base = folder ?? home.map({ $0 + "/.config" }), base.hasPrefix("/") else { return nil }
        return GrantFile(FilePath(base + "/rigready/permissions.yaml"))
    }

    /// What the user and the owner have decided, by their files.
    func decisions(of account: Account?, on recording: Recording?) throws(Failure) -> Decisions {
        var decisions = try recording?.decisions(named: rig ?? "") ?? Decisions(at: .live)
        // A recorded rig has its own, unless a file is named.
        if recording == nil || permissions != nil, let file = grantFile(of: account) {
            decisions.grants = try Self.grants(in: file)
            decisions.grants.option = permissionsOption
            decisions.now = .live
        }
        if recording == nil || policy != nil {
            decisions.policy = try Self.policy(named: policy)
        }
        return decisions
    }

    /// What the user has decided; a file that does not exist is an empty one, a pipe's writer is waited for.
    private static func grants(in file: GrantFile) throws(Failure) -> Grants {
        let name = file.path.string
        guard Files.exists(name, following: true) else { return Grants(file: name) }
        let bytes = try Files.read(name, limit: GrantFile.limit, expecting: "grants in YAML or JSON")
        do {
            return try Grants(parsing: bytes, file: name)
        } catch {
            throw Failure(.badFile, error.description)
        }
    }

    /// The words that name the grant file in a call that a remedy suggests.
    var permissionsOption: String? { permissions.map { "--permissions \($0.asShellWord)" } }

    /// The policy: the one named, else the system's own.
    static func policy(named name: String?) throws(Failure) -> Policy {
        let name = name ?? defaultPolicy
        // One that does not exist is an empty one; one that is there and unreadable is not passed over.
        guard Files.exists(name) else { return Policy() }
        let bytes = try Files.read(name, limit: 1 << 20, expecting: "a policy in YAML or JSON")
        do {
            return try Policy(parsing: bytes, file: name)
        } catch {
            throw Failure(.badFile, error.description)
        }
    }

    private static func environment(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}

extension Recording.Header {
    /// Keeps what was decided, as far as anything was.
    mutating func keep(_ decisions: Decisions) {
        if let file = decisions.grants.file, !decisions.grants.isEmpty {
            grants = Recording.File(file: file, text: decisions.grants.text, option: decisions.grants.option)
        }
        if let file = decisions.policy.file, !decisions.policy.text.isEmpty {
            policy = Recording.File(file: file, text: decisions.policy.text)
        }
        guard grants != nil else { return }
        circumstances = Recording.Circumstances(
            uptime: decisions.now.uptime, session: decisions.now.session, sessions: decisions.now.sessions.sorted())
    }
}

extension Recording {
    /// What was decided on the recorded rig; throws where the recording's own words are no grants or no policy.
    fileprivate func decisions(named name: String) throws(Failure) -> Decisions {
        let circumstances = header.circumstances
        var decisions = Decisions(
            at: Permissions.Circumstances(
                boot: header.boot, uptime: circumstances?.uptime ?? 0, session: circumstances?.session,
                sessions: Set(circumstances?.sessions ?? [])))
        do throws(ConfigurationError) {
            if let grants = header.grants {
                decisions.grants = try Grants(parsing: Array(grants.text.utf8), file: grants.file)
                decisions.grants.option = grants.option
            }
            if let policy = header.policy {
                decisions.policy = try Policy(parsing: Array(policy.text.utf8), file: policy.file)
            }
        } catch {
            throw Failure(.badFile, "\(name):1: expected what was decided on the recorded rig: \(error)")
        }
        return decisions
    }
}

extension Failure {
    /// A grant file that cannot be used, with its status of the contract.
    init(_ failure: GrantFile.Failure, of file: GrantFile) {
        let name = file.path.string
        switch failure {
        case .invalid(let error): self.init(.badFile, error.description)
        case .unreadable(let errno):
            self.init(.badFile, "\(name): \(errno.clause); expected grants in YAML or JSON")
        case .irregular: self.init(.badFile, "\(name): expected a regular file, found a folder, device or pipe")
        case .unwritable(let errno): self.init(.cannotWrite, "\(name): \(errno.clause)")
        case .busy: self.init(.cannotWrite, "\(name): another writer has kept it locked for five seconds")
        }
    }
}

extension String {
    /// The text as one word of a command.
    fileprivate var asShellWord: String {
        let isPlain = utf8.allSatisfy {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "._-/:@+,=%".utf8.contains($0)
        }
        return isPlain && !isEmpty
            ? self : "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
