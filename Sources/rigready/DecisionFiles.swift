import ArgumentParser
import Configuration
import DriverKit
import Permissions
import SystemPackage

/// The files that say what the user and the system's owner have decided.
struct DecisionFiles: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The user's grants (default: permissions.yaml in the user's configuration folder for rigready).",
            valueName: "file"))
    var permissions: String?

    @Option(
        help: ArgumentHelp("The system's policy (default: /etc/rigready/policy.yaml).", valueName: "file"))
    var policy: String?

    /// The grant file: the one named, else the user's own; nil where the user has no home.
    func grantFile(of account: Account? = nil) -> GrantFile? {
        if let permissions { return GrantFile(FilePath(permissions)) }
        return GrantFile(
            home: account == nil ? Environment.value("HOME") ?? Account.current.home : account?.home,
            configurations: account == nil ? Environment.value("XDG_CONFIG_HOME") : nil)
    }

    /// What the user has decided; a file that does not exist is an empty one, a pipe's writer is waited for.
    func grants(in file: GrantFile) throws(Failure) -> Grants {
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
    var permissionsOption: String? { permissions.flatMap(ShellWord.quoted).map { "--permissions \($0)" } }

    /// The policy: the one named, else the system's own.
    func decidedPolicy() throws(Failure) -> Policy {
        let name = policy ?? Policy.defaultFile
        // One that does not exist is an empty one; one that is there and unreadable is not passed over.
        guard Files.exists(name) else { return Policy() }
        let bytes = try Files.read(name, limit: 1 << 20, expecting: "a policy in YAML or JSON")
        do {
            return try Policy(parsing: bytes, file: name)
        } catch {
            throw Failure(.badFile, error.description)
        }
    }
}
