import ArgumentParser
import DriverKit
import Permissions
import SystemPackage

/// The options that name the files of decisions.
struct DecisionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The user's grants (default: permissions.yaml in the user's configuration folder for rigready).",
            valueName: "file"))
    var permissions: String?

    @Option(
        help: ArgumentHelp("The system's policy (default: /etc/rigready/policy.yaml).", valueName: "file"))
    var policy: String?

    /// The files that are named, else those in their default places.
    func files(of account: Account? = nil) -> DecisionFiles {
        DecisionFiles(grants: permissions.map { FilePath($0) }, policy: policy.map { FilePath($0) }, of: account)
    }

    /// The grant file; nil where the user has no home folder.
    func grantFile(of account: Account? = nil) -> GrantFile? { files(of: account).grants }

    /// What the user has decided.
    func grants(in file: GrantFile) throws(Failure) -> Grants {
        do {
            return try file.read()
        } catch {
            throw Failure(error)
        }
    }

    /// The words that name the grant file in a call that a remedy suggests.
    var permissionsOption: String? { permissions.map { "--permissions \($0.asShellWord)" } }

    /// What the system's owner has decided.
    func decidedPolicy() throws(Failure) -> Policy {
        do {
            return try files().readPolicy()
        } catch {
            throw Failure(error)
        }
    }
}

extension Invocation {
    /// Reads what is decided at present: the grants of a file, under the policy of the call.
    func currentDecisions(in file: GrantFile) -> @Sendable () throws(DecisionFileError) -> Decisions {
        let (policy, option) = (decisions.policy, decisions.grants.option)
        return { () throws(DecisionFileError) in
            var grants = try file.read()
            grants.option = option
            return Decisions(grants, policy, at: .live)
        }
    }
}

extension Failure {
    /// A file of decisions that cannot be used, with its status of the contract.
    init(_ error: DecisionFileError) { self.init(error.isOfWriting ? .cannotWrite : .badFile, error.description) }
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
