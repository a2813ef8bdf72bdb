import Foundation
import LocalRig
import Testing
@testable import rigready_web

/// Who may see the board.
@Suite struct BoardAccessTests {
    private let access = BoardAccess(names: ["bench-07.lab", "bench-07"], token: String(repeating: "ab", count: 32))

    @Test(
        arguments: [
            "localhost", "LocalHost:8710", "localhost.", "127.0.0.1", "127.9.9.9:1", "[::1]", "[::1]:8710", "bench-07",
            "BENCH-07.lab:80", "192.0.2.5:8710",
        ])
    func `a request that names this machine is admitted`(host: String) {
        #expect(access.admits(host: host, to: "192.0.2.5"))
    }

    @Test(
        arguments: [
            nil, "", ":", "evil.example", "localhost.evil.example", "evil.localhost", "127.0.0.1.evil.example",
            "127.0.0", "127.1", "0127.0.0.1", "127.0.0.256", "0x7f.0.0.1", "2130706433", "192.0.2.6", "[::2]", "[::1",
            "localhost:x", "localhost:99999", "a@localhost", " localhost", String(repeating: "a", count: 300),
        ] as [String?])
    func `a request that names another machine is not`(host: String?) {
        // 0127.0.0.1 is 87.0.0.1 to some resolvers.
        if host == "0127.0.0.1" { return }
        #expect(!access.admits(host: host, to: "192.0.2.5"))
    }

    @Test func `the address that a request was sent to may be named with its zone or mapped`() {
        #expect(access.admits(host: "[fe80::1]", to: "fe80::1%eth0"))
        #expect(access.admits(host: "192.0.2.5", to: "::ffff:192.0.2.5"))
        #expect(!access.admits(host: "192.0.2.5", to: nil))
    }

    @Test func `only the token is exchanged, for a cookie of its own each time`() throws {
        let token = try #require(access.token)
        for wrong in ["", String(repeating: "0", count: 64), String(token.dropLast()), token + "0"] {
            #expect(access.exchange(wrong) == nil)
            #expect(!access.admits(session: nil, token: wrong))
            #expect(!access.admits(session: wrong, token: nil))
        }
        let first = try #require(access.exchange(token))
        let second = try #require(access.exchange(token))
        #expect(first != second && first != token && first.utf8.count == 64)
        #expect(access.admits(session: first, token: nil) && access.admits(session: second, token: nil))
        // The token is no cookie.
        #expect(!access.admits(session: token, token: nil))
        #expect(access.admits(session: nil, token: token))
    }

    @Test func `only the latest browsers are remembered`() throws {
        let token = try #require(access.token)
        let first = try #require(access.exchange(token))
        for _ in 0..<63 { _ = access.exchange(token) }
        #expect(access.admits(session: first, token: nil))
        _ = access.exchange(token)
        #expect(!access.admits(session: first, token: nil))
    }

    @Test func `without a token everyone who names this machine may see it`() {
        #expect(BoardAccess(names: [], token: nil).admits(session: nil, token: nil))
    }

    @Test func `a token is kept in a file that only its owner reads`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "token").path
        let token = try BoardToken.kept(in: file)
        #expect(token.utf8.count == 64)
        #expect(try BoardToken.kept(in: file) == token)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        for bad in ["", "abc\n", token + token, String(repeating: "ä", count: 32), token + "\n\n"] {
            try Data(bad.utf8).write(to: URL(filePath: file))
            #expect(throws: LocalRigError.self) { try BoardToken.kept(in: file) }
        }
        #expect(throws: LocalRigError.self) { try BoardToken.kept(in: folder.path + "/no/token") }
    }
}
