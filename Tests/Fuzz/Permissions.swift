import Configuration
import DriverKit
import Permissions

/// Parses bytes as a grant file; writing and reading it again gives an equal one.
func fuzzGrants(_ bytes: [UInt8]) {
    do {
        let grants = try Grants(parsing: bytes, file: "fuzz")
        guard let again = try? Grants(parsing: Array(grants.text.utf8), file: "fuzz") else {
            // A file near the bounds may exceed them when it is written out.
            return precondition(bytes.count > 10_000, "grants that cannot be read again")
        }
        precondition(again == grants)
    } catch {
        precondition(!error.description.contains("\n"), "an error of several lines")
    }
}

/// Parses bytes as a policy file.
func fuzzPolicy(_ bytes: [UInt8]) {
    do {
        _ = try Policy(parsing: bytes, file: "fuzz")
    } catch {
        precondition(!error.description.contains("\n"), "an error of several lines")
    }
}

/// Parses bytes as an access control list, and evaluates access by it.
func fuzzAccessControlList(_ bytes: [UInt8]) {
    let entries = AccessEntry.entries(parsing: bytes)
    let node = NodeStatus(owner: 0, group: 0, mode: 0o664, entries: entries, readable: false)
    _ = node.right(of: Account(user: 1000, groups: [44]))
    _ = node.clause
}
