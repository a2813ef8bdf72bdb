import SystemPackage
import Configuration
import DriverKit
import Permissions

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
}

extension Failure {
    /// A file of decisions that cannot be used, with its status of the contract.
    init<RecordCommand>(_ failure: LockedFileError, of file: LockedFile<RecordCommand>) {
        let name = file.path.string
        switch failure {
        case .invalid(let error): self.init(.badFile, error.description)
        case .unreadable(let errno):
            self.init(.badFile, "\(name): \(errno.clause); expected a record in YAML or JSON")
        case .irregular: self.init(.badFile, "\(name): expected a regular file, found a folder, device or pipe")
        case .unwritable(let errno): self.init(.cannotWrite, "\(name): \(errno.clause)")
        case .busy: self.init(.cannotWrite, "\(name): another writer has kept it locked for five seconds")
        }
    }
}
