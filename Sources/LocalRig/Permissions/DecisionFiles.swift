internal import Linux
package import DriverKit
internal import Glibc
package import SystemPackage

/// The files with the decisions of the user and the system's owner.
package struct DecisionFiles: Sendable {
    /// The user's grants; nil if the user has no home folder.
    package var grants: GrantFile?
    /// The system's policy.
    package var policy: LockedFile<Policy>

    /// Names the files; the default is their default places.
    ///
    /// `account` is the owner of the grants if that is not this process's user.
    package init(grants: FilePath? = nil, policy: FilePath? = nil, of account: Account? = nil) {
        let grants = grants ?? UserFolder.configuration.path(of: account)?.appending("permissions.yaml")
        self.grants = grants.map { GrantFile($0) }
        self.policy = LockedFile(policy ?? FilePath(Policy.defaultFile))
    }

    /// Reads the current decisions; a missing file is an empty one.
    package func read(in login: LoginSession = .current) throws(DecisionFileError) -> Decisions {
        Decisions(try readGrants(), try readPolicy(), at: GrantContext(in: login))
    }

    /// Reads the user's decisions.
    package func readGrants() throws(DecisionFileError) -> Grants {
        try grants?.read() ?? Grants()
    }

    /// Reads the decisions of the system's owner.
    ///
    /// A dangling link is an error, and not a policy that allows everything; so is a file, or a file in a folder, that
    /// belongs to neither root nor this user.
    package func readPolicy() throws(DecisionFileError) -> Policy {
        var read = try policy.read()
        if read.file != nil {
            read.isWritableByOthers = try isPolicyWritableByOthers()
        } else if (try? Stat(policy.path, followTargetSymlink: false)) != nil {
            throw policy.failure(.unreadable(.noSuchFileOrDirectory))
        }
        return read
    }

    /// Whether anyone but root, this user and this user's own group may write the policy, or put another in its place.
    private func isPolicyWritableByOthers() throws(DecisionFileError) -> Bool {
        let file = try rethrowing(
            as: { (error: ForeignFileError) in policy.failure(.foreign(error.path, owner: error.owner)) },
            try AtomicFile.target(of: policy.path))
        let folder = file.removingLastComponent()
        var isWritable = false
        for place in [file, folder.isEmpty ? "." : folder] {
            guard let status = try? Stat(place) else { continue }
            let (owner, group) = (status.userID.rawValue, status.groupID.rawValue)
            guard [0, geteuid()].contains(owner) else { throw policy.failure(.foreign(place, owner: owner)) }
            let isOwnGroup = group == 0 || owner == geteuid() && group == getegid()
            let permissions = status.permissions
            // In a folder such as /tmp others cannot replace a file.
            guard place == file || !permissions.contains(.saveText) else { continue }
            isWritable =
                isWritable || permissions.contains(.otherWrite) || !isOwnGroup && permissions.contains(.groupWrite)
        }
        return isWritable
    }
}

/// A folder of the user for rigready's files, by the XDG Base Directory Specification.
package enum UserFolder: Sendable {
    case configuration, state

    /// Returns its path; nil for a user without a home folder.
    ///
    /// `account` is the user if that is not this process's; the environment is then ignored.
    package func path(of account: Account? = nil) -> FilePath? {
        let (variable, fallback) =
            self == .configuration ? ("XDG_CONFIG_HOME", ".config") : ("XDG_STATE_HOME", ".local/state")
        let home = account.map(\.home) ?? Environment.value("HOME") ?? Account.current.home
        let named = account == nil ? Environment.value(variable) : nil
        let base = named.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home.map { "\($0)/\(fallback)" }
        guard let base, base.hasPrefix("/") else { return nil }
        return FilePath(base).appending("rigready")
    }
}

/// The decisions of the user and the system's owner, and the time at which they are evaluated.
package struct Decisions: Sendable, Equatable {
    /// The user's grants.
    package var grants: Grants
    /// The system's policy.
    package var policy: Policy
    /// The time and the login session.
    package var now: GrantContext
    /// Whether location is coarse until the user allows full accuracy (`NSLocationDefaultAccuracyReduced`).
    package var isReducedByDefault = false

    /// Creates decisions; without arguments nothing is decided.
    package init(
        _ grants: Grants = Grants(), _ policy: Policy = Policy(),
        at now: GrantContext = GrantContext(boot: "", uptime: 0)
    ) {
        self.grants = grants
        self.policy = policy
        self.now = now
    }
}
