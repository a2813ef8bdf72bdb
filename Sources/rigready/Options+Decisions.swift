import Configuration
import DriverKit
import Permissions
import Readiness
import Recording
import SystemPackage

/// Whose access counts, and what was decided about it.
extension ProbeOptions {
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

    /// What the user and the owner have decided, by their files.
    func decisions(of account: Account?, on recording: Recording?) throws(Failure) -> Decisions {
        var decisions = try recording?.decisions(named: rig ?? "") ?? Decisions(at: .live)
        // A recorded rig has its own, unless a file is named.
        if recording == nil || files.permissions != nil, let file = files.grantFile(of: account) {
            decisions.grants = try files.grants(in: file)
            decisions.grants.option = files.permissionsOption
            decisions.now = .live
        }
        if recording == nil || files.policy != nil {
            decisions.policy = try files.decidedPolicy()
        }
        return decisions
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
        circumstances = Recording.RecordedContext(
            uptime: decisions.now.uptime, session: decisions.now.session, sessions: decisions.now.sessions.sorted())
    }
}

extension Recording {
    /// What was decided on the recorded rig; throws where the recording's own words are no grants or no policy.
    fileprivate func decisions(named name: String) throws(Failure) -> Decisions {
        let circumstances = header.circumstances
        var decisions = Decisions(
            at: GrantContext(
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
