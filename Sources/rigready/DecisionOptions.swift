import ArgumentParser
import DriverKit
import LocalRig
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

    /// The options of a rig with only these files.
    var options: LocalRig.Options {
        var options = LocalRig.Options()
        options.grantFile = permissions
        options.policyFile = policy
        return options
    }

    /// The grant file; nil if the user has no home folder.
    var grantFile: GrantFile? { options.decisionFiles.grants }
}

extension LocalRig {
    /// Returns a closure that reads the current decisions: the grants of a file, under the policy of the rig.
    func currentDecisions(in file: GrantFile) -> @Sendable () throws(DecisionFileError) -> Decisions {
        let (policy, name) = (decisions.policy, decisions.grants.namedFile)
        return { () throws(DecisionFileError) in
            var grants = try file.read()
            grants.namedFile = name
            return Decisions(grants, policy, at: .live)
        }
    }
}

extension CommandFailure {
    /// Creates the failure of an unusable file of decisions, with its exit status of the contract.
    init(_ error: DecisionFileError) { self.init(error.isOfWriting ? .cannotWrite : .badFile, error.description) }
}
