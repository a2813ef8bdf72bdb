import Linux
import Foundation
import SystemPackage
import Testing
@testable import LocalRig

/// Files that the caller names, and the lock that tells whether somebody writes one.
@Suite("Files of the caller")
struct InputFileTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rigready-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path)
    }

    @Test func `a link that leads nowhere is there, unless it is followed`() throws {
        try withFolder { folder in
            let (file, link, dangling) = ("\(folder)/file", "\(folder)/link", "\(folder)/dangling")
            try Data("x".utf8).write(to: URL(filePath: file))
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
            try FileManager.default.createSymbolicLink(atPath: dangling, withDestinationPath: "\(folder)/gone")
            for (name, isThere, isThereFollowed) in [
                (file, true, true), (link, true, true), (dangling, true, false), ("\(folder)/gone", false, false),
                // That it is not a folder does not say that nothing is there.
                ("\(file)/x", true, true),
            ] {
                #expect(InputFile.exists(name) == isThere, "\(name)")
                #expect(InputFile.exists(name, following: true) == isThereFollowed, "\(name)")
            }
        }
    }

    @Test func `a service's report that a dangling link names is published by no service`() throws {
        try withFolder { folder in
            let link = "\(folder)/report.json"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "\(folder)/gone")
            let read = try CachedReport.read(link, maximumAge: .seconds(10))
            guard case .failure(let unusable) = read else {
                Issue.record("\(read)")
                return
            }
            #expect(unusable.reason == "\(link): no service publishes a report here")
        }
    }

    @Test func `a writer's lock is seen while its file is open, and held by one alone`() throws {
        try withFolder { folder in
            let name = FilePath("\(folder)/report.json")
            let writer = try FileDescriptor.open(
                name, .readWrite, options: .create, permissions: [.ownerReadWrite])
            let reader = try FileDescriptor.open(name, .readOnly)
            defer { try? reader.close() }
            #expect(try !WriterLock.isHeld(reader))
            try WriterLock.take(writer)
            #expect(try WriterLock.isHeld(reader))
            let other = try FileDescriptor.open(name, .readWrite)
            defer { try? other.close() }
            #expect(throws: Errno.self) { try WriterLock.take(other) }
            try writer.close()
            #expect(try !WriterLock.isHeld(reader))
            try WriterLock.take(other)
        }
    }
}
