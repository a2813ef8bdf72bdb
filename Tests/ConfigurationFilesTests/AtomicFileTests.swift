import ConfigurationFiles
import Foundation
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

    @Test func `as many links are followed as the kernel follows`() throws {
        try withFolder { folder in
            for number in 1...41 {
                let target = number == 1 ? "file" : "link\(number - 1)"
                try FileManager.default.createSymbolicLink(
                    atPath: folder.appending(path: "link\(number)").path, withDestinationPath: target)
            }
            func path(_ name: String) -> FilePath { FilePath(folder.appending(path: name).path) }
            #expect(AtomicFile.target(of: path("link40")) == path("file"))
            #expect(AtomicFile.target(of: path("link41")) == path("link1"))
            #expect(AtomicFile.target(of: path("none")) == path("none"))
        }
    }
}
