import Readiness
import DriverKit
import Glibc
import LocalRig
import SystemPackage
import Support
import Testing

/// The two files of decisions, read together.
@Suite struct DecisionFilesTests {
    private func files(_ folder: String) -> DecisionFiles {
        DecisionFiles(grants: FilePath(folder + "/g.yaml"), policy: FilePath(folder + "/p.yaml"))
    }

    @Test func `files that do not exist decide nothing`() throws {
        try withFolder { folder in
            let decisions = try files(folder).read()
            #expect(decisions.grants == Grants(file: folder + "/g.yaml"))
            #expect(decisions.policy == Policy())
        }
    }

    @Test func `both files are used and named as evidence`() throws {
        try withFolder { folder in
            try write("motion: denied\n", to: folder + "/g.yaml")
            try write("health: restricted\n", to: folder + "/p.yaml")
            let decisions = try files(folder).read()
            #expect(decisions.grants.motion == .denied && decisions.grants.file == folder + "/g.yaml")
            #expect(decisions.policy == Policy(file: folder + "/p.yaml", restricted: [.health]))
        }
    }

    @Test(arguments: ["g.yaml", "p.yaml"])
    func `an invalid file is an error with its place`(name: String) throws {
        try withFolder { folder in
            try write("motion: perhaps\n", to: "\(folder)/\(name)")
            let error = #expect(throws: DecisionFileError.self) { try files(folder).read() }
            #expect(error?.description.hasPrefix("\(folder)/\(name):1:9: expected") == true)
            #expect(error?.isOfWriting == false)
        }
    }

    @Test func `a file that cannot be read is an error that says what was expected`() throws {
        try withFolder { folder in
            try #require(unsafe mkdir(folder + "/p.yaml", 0o700) == 0)
            let error = #expect(throws: DecisionFileError.self) { try files(folder).read() }
            #expect(error?.code == .unreadable(.isDirectory))
            #expect(error?.description.hasSuffix("(EISDIR); expected a policy in YAML or JSON") == true)
        }
    }

    @Test func `a dangling link is not a policy that allows everything`() throws {
        try withFolder { folder in
            try #require(unsafe symlink(folder + "/none", folder + "/p.yaml") == 0)
            #expect(throws: DecisionFileError.self) { try files(folder).read() }
            // The grants behind a dangling link can still be written.
            try #require(unsafe symlink(folder + "/none", folder + "/g.yaml") == 0)
            #expect(try files(folder).readGrants().isEmpty)
        }
    }

    @Test(arguments: [
        (0o644, 0o755, false), (0o664, 0o775, false), (0o646, 0o755, true), (0o644, 0o777, true),
        (0o644, 0o1777, false),
    ])
    func `a policy that others may write is obeyed and told`(file: UInt32, folder mode: UInt32, told: Bool) throws {
        try withFolder { folder in
            try write("motion: restricted\n", to: folder + "/p.yaml")
            try #require(unsafe chmod(folder + "/p.yaml", file) == 0 && chmod(folder, mode) == 0)
            let decisions = try files(folder).read()
            #expect(decisions.policy.restricted == [.motion] && decisions.policy.isWritableByOthers == told)
            let nothing = Inventory(depth: .presence, drivers: [], sensors: [], obstacles: [], notices: [])
            let authorizations = Authorizations(access: nothing).narrowed(by: decisions)
            #expect(authorizations.notices.map(\.id) == (told ? [.writablePolicy] : []))
        }
    }

    @Test(arguments: [(0o664, true), (0o644, false)])
    func `a policy that another group may write is told`(mode: UInt32, told: Bool) throws {
        if geteuid() != 0 { try Test.cancel("needs root, to give a file to a group") }
        try withFolder { folder in
            try write("motion: restricted\n", to: folder + "/p.yaml")
            try #require(unsafe chown(folder + "/p.yaml", 0, 65534) == 0 && chmod(folder + "/p.yaml", mode) == 0)
            #expect(try files(folder).read().policy.isWritableByOthers == told)
        }
    }

    @Test(arguments: ["", "/p.yaml"])
    func `a policy of another user is refused`(name: String) throws {
        if geteuid() != 0 { try Test.cancel("needs root, to give a file away") }
        try withFolder { folder in
            try write("motion: restricted\n", to: folder + "/p.yaml")
            try #require(unsafe chown(folder + name, 65534, 65534) == 0)
            let error = #expect(throws: DecisionFileError.self) { try files(folder).read() }
            #expect(error?.code == .foreign(FilePath(folder + name), owner: 65534))
            #expect(error?.isOfWriting == false)
        }
    }

    @Test func `files that are not named are in their default places`() {
        let account = Account.current
        let files = DecisionFiles(of: account)
        #expect(files.policy.path == "/etc/rigready/policy.yaml")
        let home = account.home.flatMap { $0.hasPrefix("/") ? FilePath($0) : nil }
        #expect(files.grants?.path == home?.appending(".config/rigready/permissions.yaml"))
        #expect(UserFolder.state.path(of: account) == home?.appending(".local/state/rigready"))
    }
}
