import Configuration
import Glibc
import Permissions
import Readiness
import SystemPackage
import Testing

/// The grant file on disk: whole or not at all, one writer after the other.
@Suite struct GrantFileTests {
    @Test func aFileThatIsNotThereHoldsNoRecordAndIsMadeWithItsFolder() throws {
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

    @Test func aChangeKeepsTheOtherRecordsAndTheMode() throws {
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

    @Test func whatChangesNothingIsNotWritten() throws {
        try withFolder { folder in
            let path = folder + "/g.yaml"
            try write("# by hand\nmotion: denied\n", to: path)
            try GrantFile(FilePath(path)).update { $0.motion = .denied }
            #expect(try text(of: path) == "# by hand\nmotion: denied\n")
        }
    }

    @Test(arguments: ["motion: alowed\n", "\u{0}", "{", "motion: denied\nmotion: denied\n"])
    func whatIsNotValidIsNeverOverwritten(content: String) throws {
        try withFolder { folder in
            let path = folder + "/g.yaml"
            try write(content, to: path)
            let file = GrantFile(FilePath(path))
            #expect(throws: GrantFile.Failure.self) { try file.read() }
            let failure = #expect(throws: GrantFile.Failure.self) {
                try file.update { grants in grants = Grants(motion: .allowed) }
            }
            guard case .invalid(let error) = failure else { throw Unexpected() }
            #expect(error.description.hasPrefix(path + ":"))
            #expect(try text(of: path) == content)
        }
    }

    @Test func whatIsTooLargeIsRefusedAndNotWritten() throws {
        try withFolder { folder in
            let path = folder + "/g.yaml"
            try write("#" + String(repeating: "x", count: GrantFile.limit), to: path)
            #expect(throws: GrantFile.Failure.self) { try GrantFile(FilePath(path)).read() }
            let other = GrantFile(FilePath(folder + "/h.yaml"))
            try other.update { $0.motion = .denied }
            #expect(throws: GrantFile.Failure.unwritable(.fileTooLarge)) {
                try other.update { grants in
                    grants.location = LocationGrant(.always)
                    grants.location?.provisional = Validity(boot: String(repeating: "x", count: GrantFile.limit))
                }
            }
            #expect(try other.read().motion == .denied)
        }
    }

    @Test func whatIsNoFileIsNotReplaced() throws {
        try withFolder { folder in
            let pipe = folder + "/pipe"
            try #require(unsafe mkfifo(pipe, 0o600) == 0)
            let inner = folder + "/inner"
            try #require(unsafe mkdir(inner, 0o700) == 0)
            for path in [pipe, inner] {
                #expect(throws: GrantFile.Failure.irregular) {
                    try GrantFile(FilePath(path)).update { $0.motion = .denied }
                }
                #expect(throws: GrantFile.Failure.irregular) {
                    _ = try GrantFile(FilePath(path)).claimDialog() == nil
                }
            }
            #expect(kind(pipe) == S_IFIFO && kind(inner) == S_IFDIR)
            #expect(throws: GrantFile.Failure.unreadable(.isDirectory)) { try GrantFile(FilePath(inner)).read() }
        }
    }

    @Test func aLinkIsFollowedAndKept() throws {
        try withFolder { folder in
            let target = folder + "/kept/real.yaml"
            let link = folder + "/link.yaml"
            let chain = folder + "/chain.yaml"
            try #require(unsafe symlink("kept/real.yaml", link) == 0)
            try #require(unsafe symlink(link, chain) == 0)
            // One that leads nowhere yet, and then to a file.
            for decision in [PermissionDecision.denied, .allowed] {
                try GrantFile(FilePath(chain)).update { $0.motion = decision }
                #expect(kind(link) == S_IFLNK && kind(chain) == S_IFLNK && kind(target) == S_IFREG)
                #expect(try GrantFile(FilePath(target)).read().motion == decision)
            }
            // Writers by either name wait for the same lock.
            #expect(entries(of: folder).filter { $0.hasSuffix(".lock") } == [])
            let loop = folder + "/loop"
            try #require(unsafe symlink("loop", loop) == 0)
            #expect(throws: GrantFile.Failure.self) { try GrantFile(FilePath(loop)).update { $0.motion = .denied } }
            #expect(kind(loop) == S_IFLNK)
        }
    }

    @Test func aKeptLockIsWaitedForWithinItsLimit() throws {
        try withFolder { folder in
            let path = folder + "/g.yaml"
            let lock = try FileDescriptor.open(
                FilePath(path + ".lock"), .readWrite, options: .create, permissions: .ownerReadWrite)
            defer { try? lock.close() }
            try #require(flock(lock.rawValue, LOCK_EX) == 0)
            let file = GrantFile(FilePath(path))
            #expect(throws: GrantFile.Failure.busy) { try file.update(waiting: 0.02) { $0.motion = .denied } }
            #expect(kind(path) == nil)
            // Reading waits for nobody.
            #expect(try file.read().motion == nil)
            try #require(flock(lock.rawValue, LOCK_UN) == 0)
            try file.update(waiting: 0.02) { $0.motion = .denied }
            #expect(try file.read().motion == .denied)
        }
    }

    @Test func theRightToAskIsOnePersonsAtATime() throws {
        try withFolder { folder in
            let file = GrantFile(FilePath(folder + "/g.yaml"))
            do {
                let claim = try file.claimDialog()
                let isClaimed = claim != nil
                #expect(isClaimed)
                let second = try file.claimDialog()
                let isRefused = second == nil
                #expect(isRefused)
                // Other writers are not kept out meanwhile.
                try file.update { $0.motion = .denied }
                _ = consume claim
            }
            let third = try file.claimDialog()
            let isFree = third != nil
            #expect(isFree)
        }
    }

    @Test func whatCannotBeWrittenLeavesTheOldFileWhole() throws {
        try withFolder { folder in
            let path = folder + "/g.yaml"
            try write("motion: denied\n", to: path)
            // No file may stand where the temporary one would: a folder that is not empty cannot be taken away.
            try #require(unsafe mkdir(folder + "/.g.yaml.new", 0o700) == 0)
            let failure = #expect(throws: GrantFile.Failure.self) {
                try GrantFile(FilePath(path)).update { $0.motion = .allowed }
            }
            guard case .unwritable = failure else { throw Unexpected() }
            #expect(try text(of: path) == "motion: denied\n")
        }
    }

    @Test func anEmptyPathIsRefused() {
        #expect(throws: GrantFile.Failure.unwritable(.noSuchFileOrDirectory)) {
            try GrantFile("").update { $0.motion = .denied }
        }
    }

    // MARK: Files by hand

    private struct Unexpected: Error {}

    private func withFolder(_ body: (String) throws -> Void) throws {
        var template = Array("/tmp/rigready-grants-XXXXXX".utf8CString)
        let folder = try #require(
            unsafe template.withUnsafeMutableBufferPointer { buffer in
                unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) }.map { unsafe String(cString: $0) }
            })
        defer { remove(folder) }
        try body(folder)
    }

    private func remove(_ path: String) {
        if kind(path) == S_IFDIR { entries(of: path).forEach { remove(path + "/" + $0) } }
        _ = kind(path) == S_IFDIR ? unsafe rmdir(path) : unsafe unlink(path)
    }

    private func entries(of folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            names.append(
                unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
                    unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
                })
        }
        return names.filter { $0 != "." && $0 != ".." }
    }

    private func kind(_ path: String) -> mode_t? {
        var record = stat()
        return unsafe lstat(path, &record) == 0 ? record.st_mode & S_IFMT : nil
    }

    private func mode(_ path: String) -> mode_t? {
        var record = stat()
        return unsafe lstat(path, &record) == 0 ? record.st_mode & 0o7777 : nil
    }

    private func write(_ text: String, to path: String, mode: mode_t = 0o600) throws {
        let file = try FileDescriptor.open(
            FilePath(path), .writeOnly, options: [.create, .truncate], permissions: .init(rawValue: mode))
        try file.closeAfter { _ = try file.writeAll(Array(text.utf8)) }
    }

    private func text(of path: String) throws -> String {
        let file = try FileDescriptor.open(FilePath(path), .readOnly)
        return try file.closeAfter {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = try unsafe bytes.withUnsafeMutableBytes { try unsafe file.read(into: $0) }
            return String(decoding: bytes.prefix(count), as: UTF8.self)
        }
    }
}
