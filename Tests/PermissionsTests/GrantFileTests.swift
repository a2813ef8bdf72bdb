import LocalRig
import Glibc
import Readiness
import SystemPackage
import Testing

/// The grant file on disk: written whole or not at all, by one writer at a time.
@Suite struct GrantFileTests {
    @Test func `a missing file holds no record and is created with its folder`() throws {
        try withFolder { folder in
            let path = folder + "/deep/er/permissions.yaml"
            let file = GrantFile(FilePath(path))
            #expect(try file.read() == Grants(file: path))
            #expect(mode(folder + "/deep") == nil)
            try file.update { $0.motion = .denied }
            #expect(try file.read().motion == .denied)
            #expect(mode(path) == 0o600)
            #expect(mode(folder + "/deep/er") == 0o700)
        }
    }

    @Test func `a change keeps the other records and the mode`() throws {
        try withFolder { folder in
            let path = folder + "/g.yaml"
            try write("location: always\nhealth: denied\n", to: path, mode: 0o644)
            let file = GrantFile(FilePath(path))
            let before = try file.update { grants in
                let before = grants
                grants.motion = .allowed
                return before
            }
            #expect(before.motion == nil)
            let after = try file.read()
            #expect(after.location == LocationGrant(.always))
            #expect(after.motion == .allowed && after.health == .denied)
            #expect(mode(path) == 0o600)
        }
    }

    @Test func `a change without effect is not written`() throws {
        try withFolder { folder in
            let path = folder + "/g.yaml"
            try write("# by hand\nmotion: denied\n", to: path)
            try GrantFile(FilePath(path)).update { $0.motion = .denied }
            #expect(try text(of: path) == "# by hand\nmotion: denied\n")
        }
    }

    @Test(arguments: ["motion: alowed\n", "\u{0}", "{", "motion: denied\nmotion: denied\n"])
    func `an invalid file is never overwritten`(content: String) throws {
        try withFolder { folder in
            let path = folder + "/g.yaml"
            try write(content, to: path)
            let file = GrantFile(FilePath(path))
            #expect(throws: DecisionFileError.self) { try file.read() }
            let failure = #expect(throws: DecisionFileError.self) {
                try file.update { grants in grants = Grants(motion: .allowed) }
            }
            guard case .invalid(let error) = failure?.code else { throw Unexpected() }
            #expect(error.description.hasPrefix(path + ":"))
            #expect(try text(of: path) == content)
        }
    }

    @Test func `a file that is too large is refused and not written`() throws {
        try withFolder { folder in
            let path = folder + "/g.yaml"
            try write("#" + String(repeating: "x", count: GrantFile.limit), to: path)
            #expect(throws: DecisionFileError.self) { try GrantFile(FilePath(path)).read() }
            let other = GrantFile(FilePath(folder + "/h.yaml"))
            try other.update { $0.motion = .denied }
            expect(.unwritable(.fileTooLarge)) {
                try other.update { grants in
                    grants.location = LocationGrant(.always)
                    grants.location?.provisional = Validity(boot: String(repeating: "x", count: GrantFile.limit))
                }
            }
            #expect(try other.read().motion == .denied)
        }
    }

    @Test func `a path that is not a file is not replaced`() throws {
        try withFolder { folder in
            let pipe = folder + "/pipe"
            try #require(unsafe mkfifo(pipe, 0o600) == 0)
            let inner = folder + "/inner"
            try #require(unsafe mkdir(inner, 0o700) == 0)
            for path in [pipe, inner] {
                expect(.irregular) {
                    try GrantFile(FilePath(path)).update { $0.motion = .denied }
                }
                expect(.irregular) {
                    _ = try GrantFile(FilePath(path)).claimDialog() == nil
                }
            }
            #expect(kind(pipe) == S_IFIFO && kind(inner) == S_IFDIR)
            expect(.unreadable(.isDirectory)) { _ = try GrantFile(FilePath(inner)).read() }
        }
    }

    @Test func `a link is followed and kept`() throws {
        try withFolder { folder in
            let target = folder + "/kept/real.yaml"
            let link = folder + "/link.yaml"
            let chain = folder + "/chain.yaml"
            try #require(unsafe symlink("kept/real.yaml", link) == 0)
            try #require(unsafe symlink(link, chain) == 0)
            // First a dangling link, then one to a file.
            for decision in [PermissionDecision.denied, .allowed] {
                try GrantFile(FilePath(chain)).update { $0.motion = decision }
                #expect(kind(link) == S_IFLNK && kind(chain) == S_IFLNK && kind(target) == S_IFREG)
                #expect(try GrantFile(FilePath(target)).read().motion == decision)
            }
            // Writers by either name use the same lock.
            #expect(entries(of: folder).filter { $0.hasSuffix(".lock") } == [])
            let loop = folder + "/loop"
            try #require(unsafe symlink("loop", loop) == 0)
            #expect(throws: DecisionFileError.self) { try GrantFile(FilePath(loop)).update { $0.motion = .denied } }
            #expect(kind(loop) == S_IFLNK)
        }
    }

    @Test func `a kept lock is waited for within its limit`() throws {
        try withFolder { folder in
            let path = folder + "/g.yaml"
            let lock = try FileDescriptor.open(
                FilePath(path + ".lock"), .readWrite, options: .create, permissions: .ownerReadWrite)
            defer { try? lock.close() }
            try #require(flock(lock.rawValue, LOCK_EX) == 0)
            let file = GrantFile(FilePath(path))
            expect(.busy) { try file.update(waiting: 0.02) { $0.motion = .denied } }
            #expect(kind(path) == nil)
            // Reading does not wait for a lock.
            #expect(try file.read().motion == nil)
            try #require(flock(lock.rawValue, LOCK_UN) == 0)
            try file.update(waiting: 0.02) { $0.motion = .denied }
            #expect(try file.read().motion == .denied)
        }
    }

    @Test func `only one process at a time may ask`() throws {
        try withFolder { folder in
            let file = GrantFile(FilePath(folder + "/g.yaml"))
            do {
                let claim = try file.claimDialog()
                let isClaimed = claim != nil
                #expect(isClaimed)
                let second = try file.claimDialog()
                let isRefused = second == nil
                #expect(isRefused)
                // Other writers are not blocked meanwhile.
                try file.update { $0.motion = .denied }
                _ = consume claim
            }
            let third = try file.claimDialog()
            let isFree = third != nil
            #expect(isFree)
        }
    }

    @Test func `a lock is released although a process that is being started still has its file`() throws {
        try withFolder { folder in
            let file = GrantFile(FilePath(folder + "/g.yaml"))
            // Between fork and exec such a process has every file of this one.
            func inherited(_ name: String) throws -> FileDescriptor {
                let wanted = try Stat(FilePath(folder + name))
                let found = (CInt(0)..<1024).first {
                    guard let open = try? Stat(FileDescriptor(rawValue: $0)) else { return false }
                    return open.inode == wanted.inode && open.deviceID == wanted.deviceID
                }
                let descriptor = try #require(found)
                return try FileDescriptor(rawValue: descriptor).duplicate()
            }
            let dialog: FileDescriptor
            do {
                let claim = try file.claimDialog()
                dialog = try inherited("/g.yaml.dialog")
                _ = consume claim
            }
            defer { try? dialog.close() }
            let second = try file.claimDialog()
            let isFree = second != nil
            #expect(isFree)
            let lock = try file.update { _ in Result { try inherited("/g.yaml.lock") } }.get()
            defer { try? lock.close() }
            try file.update(waiting: 0) { $0.motion = .denied }
            #expect(try file.read().motion == .denied)
        }
    }

    @Test func `what cannot be written leaves the old file whole`() throws {
        try withFolder { folder in
            let path = folder + "/g.yaml"
            try write("motion: denied\n", to: path)
            // No file can be created at the temporary one's path: a folder that is not empty cannot be removed.
            try #require(unsafe mkdir(folder + "/.g.yaml.new", 0o700) == 0)
            let failure = #expect(throws: DecisionFileError.self) {
                try GrantFile(FilePath(path)).update { $0.motion = .allowed }
            }
            guard case .unwritable = failure?.code else { throw Unexpected() }
            #expect(try text(of: path) == "motion: denied\n")
        }
    }

    @Test func `an empty path is refused`() {
        expect(.unwritable(.noSuchFileOrDirectory)) {
            try GrantFile("").update { $0.motion = .denied }
        }
    }

    private struct Unexpected: Error {}

    private func expect(
        _ code: DecisionFileErrorCode, at location: Testing.SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) {
        let error = #expect(throws: DecisionFileError.self, sourceLocation: location, performing: body)
        #expect(error?.code == code, sourceLocation: location)
    }
}
