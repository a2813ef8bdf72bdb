import Linux
import LocalRig
import Foundation
import Glibc
import SystemPackage
import Testing

/// The replacement of files.
@Suite struct AtomicFileTests {
    /// Passes an empty folder to the body, which is removed afterwards.
    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "rigready-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test func `what a killed writer left does not prevent the next`() throws {
        try withFolder { folder in
            try Data("half".utf8).write(to: folder.appending(path: ".a.yaml.new"))
            let file = folder.appending(path: "a.yaml")
            try AtomicFile.replace(FilePath(file.path), with: Array("whole".utf8), mark: "new")
            #expect(try String(contentsOf: file, encoding: .utf8) == "whole")
            #expect(try names(in: folder) == ["a.yaml"])
        }
    }

    @Test func `what cannot be prepared leaves the file and its folder as they were`() throws {
        try withFolder { folder in
            let file = folder.appending(path: "a.yaml")
            try Data("before".utf8).write(to: file)
            #expect(throws: Errno.notPermitted) {
                try AtomicFile.replace(FilePath(file.path), with: [1]) { _ in throw Errno.notPermitted }
            }
            #expect(try String(contentsOf: file, encoding: .utf8) == "before")
            #expect(try names(in: folder) == ["a.yaml"])
        }
    }

    @Test func `a file that must be new takes the place of no other`() throws {
        try withFolder { folder in
            let file = folder.appending(path: "a.yaml")
            try AtomicFile.replace(FilePath(file.path), with: Array("first".utf8), overwrites: false)
            #expect(throws: Errno.fileExists) {
                try AtomicFile.replace(FilePath(file.path), with: Array("second".utf8), overwrites: false)
            }
            #expect(try String(contentsOf: file, encoding: .utf8) == "first")
            // A link to no file is one, too.
            let link = folder.appending(path: "link")
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "nowhere")
            #expect(throws: Errno.fileExists) {
                try AtomicFile.replace(FilePath(link.path), with: [1], overwrites: false)
            }
            #expect(try names(in: folder) == ["a.yaml", "link"])
        }
    }

    @Test func `as many links are followed as the kernel follows`() throws {
        try withFolder { folder in
            for number in 1...41 {
                let target = number == 1 ? "file" : "link\(number - 1)"
                try FileManager.default.createSymbolicLink(
                    atPath: folder.appending(path: "link\(number)").path, withDestinationPath: target)
            }
            func path(_ name: String) -> FilePath { FilePath(folder.appending(path: name).path) }
            #expect(try AtomicFile.target(of: path("link40")) == path("file"))
            #expect(try AtomicFile.target(of: path("link41")) == path("link1"))
            #expect(try AtomicFile.target(of: path("none")) == path("none"))
        }
    }

    private func mode(_ file: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    }

    @Test(arguments: [0o644, 0o664, 0o640, 0o600, 0o604] as [mode_t])
    func `a file that is replaced keeps its mode, a new one has what the umask leaves`(before: mode_t) throws {
        try withFolder { folder in
            let file = folder.appending(path: "a")
            try Data("before".utf8).write(to: file)
            #expect(unsafe chmod(file.path, before) == 0)
            let access = AtomicFile.FileAccess.asBefore(new: FilePermissions(rawValue: 0o666))
            try AtomicFile.replace(FilePath(file.path), with: [1], access: access)
            #expect(try mode(file) == Int(before))
            try AtomicFile.replace(FilePath(file.path), with: [2], access: .only(FilePermissions(rawValue: 0o600)))
            #expect(try mode(file) == 0o600)
            // What this process' umask leaves of a file that any program creates.
            let (other, new) = (folder.appending(path: "b"), folder.appending(path: "c"))
            close(unsafe open(other.path, O_CREAT | O_WRONLY, 0o666))
            try AtomicFile.replace(FilePath(new.path), with: [3], access: access)
            #expect(try mode(new) == mode(other))
            #expect(try names(in: folder) == ["a", "b", "c"])
        }
    }

    @Test(.enabled(if: geteuid() == 0, "needs root")) func `a file that is replaced keeps its owner`() throws {
        try withFolder { folder in
            let file = folder.appending(path: "a")
            try Data("before".utf8).write(to: file)
            #expect(unsafe chown(file.path, 1234, 2345) == 0)
            #expect(unsafe chmod(file.path, 0o640) == 0)
            let access = AtomicFile.FileAccess.asBefore(new: FilePermissions(rawValue: 0o666))
            try AtomicFile.replace(FilePath(file.path), with: [1], access: access)
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.ownerAccountID] as? Int == 1234 && attributes[.groupOwnerAccountID] as? Int == 2345)
            #expect(try mode(file) == 0o640)
        }
    }

    /// The kernel's rule of protected_symlinks, whether or not this system has it on.
    ///
    /// The folder's mode, its owner, the link's owner, and whether root follows it.
    @Test(
        .enabled(if: geteuid() == 0, "needs root"),
        arguments: [
            (0o1777, 0, 65534, false), (0o1777, 0, 0, true), (0o1777, 65534, 65534, true), (0o1777, 1234, 65534, false),
            (0o777, 0, 65534, true), (0o1775, 0, 65534, true), (0o755, 0, 65534, true),
        ] as [(mode_t, uid_t, uid_t, Bool)])
    func `another user's link is not followed out of a folder like tmp`(
        mode: mode_t, owner: uid_t, linkOwner: uid_t, isFollowed: Bool
    ) throws {
        try withFolder { folder in
            let (sticky, victim) = (folder.appending(path: "sticky"), folder.appending(path: "victim"))
            try FileManager.default.createDirectory(at: sticky, withIntermediateDirectories: false)
            try Data("before".utf8).write(to: victim)
            let link = sticky.appending(path: "link")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: victim)
            #expect(unsafe lchown(link.path, linkOwner, 0) == 0)
            #expect(unsafe chown(sticky.path, owner, 0) == 0)
            #expect(unsafe chmod(sticky.path, mode) == 0)
            // The link itself, and one that leads to it.
            let first = folder.appending(path: "first")
            try FileManager.default.createSymbolicLink(at: first, withDestinationURL: link)
            for path in [link, first] {
                let target = try? AtomicFile.target(of: FilePath(path.path))
                #expect(target == (isFollowed ? FilePath(victim.path) : nil))
            }
            if !isFollowed {
                let error = #expect(throws: ForeignFileError.self) {
                    try AtomicFile.target(of: FilePath(link.path))
                }
                #expect(error?.description.contains("EACCES") == true && error?.owner == linkOwner)
            }
        }
    }
}
