import ArgumentParser
import LocalRig
import Permissions

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

    /// The options of a rig with these files alone.
    var options: LocalRig.Options {
        var options = LocalRig.Options()
        options.grantFile = permissions
        options.policyFile = policy
        return options
    }

    /// The grant file: the one named, else the user's own; nil where the user has no home.
    var grantFile: GrantFile? { LocalRig.grantFile(options) }
}
