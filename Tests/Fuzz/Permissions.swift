import LocalRig
import DriverKit
import Glibc
import SystemPackage

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

/// A line typed as the answer to a question: the choice is one that was offered, by its number or its beginning.
func fuzzConsentAnswer(_ bytes: [UInt8]) {
    let answers = PermissionAnswer.allCases
    let offered = Array(answers.prefix(Int(bytes.first ?? 0) % (answers.count + 1)))
    let line = Array(bytes.dropFirst())
    switch TerminalPrompter.choice(in: line, among: offered) {
    case .answered(let answer):
        precondition(offered.contains(answer), "an answer that was not offered")
        precondition(line.contains { $0 > 0x20 }, "an answer that nobody gave")
    case .dismissed: precondition(line.allSatisfy { $0 <= 0x20 }, "words that dismiss a question")
    case .unattended: fatalError("a line from nobody")
    case nil: break
    }
}

/// A file of systemd-logind: a session is active only if a line says so.
func fuzzLoginSession(_ bytes: [UInt8]) {
    guard let folder = sessions else { fatalError("no folder for sessions") }
    let file = FileDescriptor(rawValue: unsafe open("\(folder)/c1", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600))
    guard (try? file.closeAfter { try file.writeAll(bytes) }) != nil else { fatalError("no session") }
    let session = LoginSession("c1", in: FilePath(folder))
    guard session.isActive else { return }
    precondition(session.names.contains("c1"))
    precondition(bytes.split(separator: UInt8(ascii: "\n")).contains(Array("ACTIVE=1".utf8)[...]), "active by itself")
}

/// A folder of this process, in memory.
private let sessions: String? = {
    var name = Array("/dev/shm/rigready-fuzz-XXXXXX".utf8CString)
    return unsafe mkdtemp(&name).map { unsafe String(cString: $0) }
}()
