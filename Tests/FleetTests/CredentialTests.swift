import LocalRig
import Foundation
import Glibc
import Testing
@testable import Fleet

/// What a client proves itself with, in files.
@Suite("A broker's credentials")
struct CredentialTests {
    private func credentials(_ text: String, mode: Int = 0o600) throws -> BrokerCredentials {
        let file = FileManager.default.temporaryDirectory.appending(path: "rigready-\(UUID()).secret")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        var configuration = BrokerConfiguration()
        configuration.passwordFile = file.path
        return try BrokerCredentials(configuration)
    }

    @Test(arguments: ["rig\nhorse", "rig\nhorse\n", "rig\r\nhorse\r\n"])
    func `a password file has the user's name and the password`(text: String) throws {
        let user = try #require(try credentials(text).user)
        #expect(user == ("rig", "horse"))
    }

    @Test(arguments: ["", "rig", "rig\n", "\nhorse", "rig\nhorse\nmore", "rig\nhorse\n\n", "rig\nho\u{0}rse"])
    func `a file of other lines is refused, and nothing of it is repeated`(text: String) {
        let error = #expect(throws: BrokerError.self) { try credentials(text) }
        #expect(error?.code == .unusableFile)
        #expect(error?.description.hasSuffix("expected two lines, the user's name and the password") == true)
    }

    @Test func `a secret that is too large, or that others may read, is refused`() {
        let large = #expect(throws: BrokerError.self) {
            try credentials("rig\n" + String(repeating: "h", count: 1 << 20))
        }
        #expect(large?.description.contains("larger than 1 MiB") == true)
        let open = #expect(throws: BrokerError.self) { try credentials("rig\nhorse\n", mode: 0o604) }
        #expect(open?.description.contains("every user may use this secret") == true)
    }

    @Test(
        .enabled(if: geteuid() == 0, "needs root"),
        arguments: [(0, 0o640, true), (1234, 0o600, false)] as [(uid_t, mode_t, Bool)])
    func `a secret belongs to this user or root`(owner: uid_t, mode: mode_t, isAccepted: Bool) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "rigready-\(UUID()).secret")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("rig\nhorse\n".utf8).write(to: file)
        #expect(unsafe chmod(file.path, mode) == 0)
        #expect(unsafe chown(file.path, owner, 0) == 0)
        var configuration = BrokerConfiguration()
        configuration.passwordFile = file.path
        let credentials = try? BrokerCredentials(configuration)
        #expect((credentials != nil) == isAccepted)
    }

    /// The brokers, whether they are taken with a password, and whether its way is warned of.
    @Test(arguments: [
        (["mqtts://a"], true, false), (["mqtt://a"], true, true), (["mqtt://127.0.0.1"], true, false),
        (["mqtts://a", "mqtt://b"], false, true), (["mqtt://a", "mqtts://b"], false, true),
        (["mqtts://a", "mqtt://localhost"], true, false),
    ])
    func `a password for TLS never goes out without it`(urls: [String], isAccepted: Bool, isWarned: Bool) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "rigready-\(UUID()).secret")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("rig\nhorse\n".utf8).write(to: file)
        #expect(unsafe chmod(file.path, 0o600) == 0)
        var configuration = BrokerConfiguration()
        configuration.urls = urls.compactMap(BrokerURL.init)
        // Without a password there is nothing to keep.
        let without = try? BrokerCredentials(configuration)
        #expect(without != nil && configuration.passwordWarning == nil)
        configuration.passwordFile = file.path
        let credentials = try? BrokerCredentials(configuration)
        #expect((credentials != nil) == isAccepted)
        #expect((configuration.passwordWarning != nil) == isWarned)
    }
}
