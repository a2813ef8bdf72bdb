import LocalRig
import Readiness

/// Parses bytes as a document, and as a configuration under the rules of every profile.
func fuzzConfiguration(_ bytes: [UInt8]) {
    _ = try? ConfigurationNode(parsing: bytes, file: "fuzz")
    for rules in Rules.profiles {
        do {
            let configuration = try RigConfiguration(parsing: bytes, file: "fuzz", rules: rules)
            guard let services = configuration.services else { continue }
            precondition(services.withParents == services, "a sub-service without its parent")
        } catch {
            precondition(!error.description.contains("\n"), "an error of several lines")
        }
    }
}
