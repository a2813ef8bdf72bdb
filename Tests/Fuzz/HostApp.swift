import rigready
import Readiness

/// Parses bytes as a property list, and audits what was read.
func fuzzPropertyList(_ bytes: [UInt8]) {
    do {
        let list = try PropertyList(parsing: bytes, file: "fuzz")
        let app = AppDeclarations(information: list.entries, entitlements: list.entries)
        guard let evaluator = try? Evaluator() else { return }
        let audit = Audit(of: app, for: evaluator.rows, version: evaluator.rules.version, purposes: ["way"])
        for finding in audit.findings { precondition(!finding.reason.isEmpty && !finding.source.isEmpty) }
    } catch {
        precondition(!error.description.contains("\n"), "an error of several lines")
    }
}
