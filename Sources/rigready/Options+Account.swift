import SystemPackage
import DriverKit

/// The account whose access is evaluated.
extension ProbeOptions {
    /// The account of `--as`; nil for that of this process.
    func account() throws(CommandFailure) -> Account? {
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
