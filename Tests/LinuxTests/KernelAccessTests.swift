import CUdev
import DriverKit
import Foundation
import Support
import SystemPackage
import Testing
import Linux

/// The computed access compared with the kernel's own answer, for files and folders of random owners, modes and lists.
@Suite struct KernelAccessTests {
    private static let accounts = [
        Account(user: 54_321, groups: [54_321, 54_322]), Account(user: 54_321, groups: [54_323]),
        Account(user: 54_325, groups: [54_321]),
    ]

    @Test func `the arithmetic agrees with the kernel`() throws {
        guard geteuid() == 0, FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv") else {
            try Test.cancel("needs root, to give files away and to ask as another user")
        }
        let folder = URL(filePath: "/tmp/rigready-access-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try #require(unsafe chmod(folder.path, 0o755) == 0)
        var random = Random(state: 11)
        var paths: [String] = []
        for number in 0..<400 {
            let inner = folder.appending(path: "\(number)")
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
            let file = inner.appending(path: "node").path
            try Data("x".utf8).write(to: URL(filePath: file))
            try random.dress(file)
            // Most folders are accessible to everyone, so that the files decide.
            if number.isMultiple(of: 4) {
                try random.dress(inner.path)
            } else {
                try #require(unsafe chmod(inner.path, 0o755) == 0)
            }
            paths.append(file)
        }
        for account in Self.accounts {
            let world = LiveWorld(as: account, drivers: [])
            let told = try paths.map { try world.status(of: FilePath($0)).readable }
            let opened = try Self.open(paths.count, in: folder, as: account)
            try #require(opened.count == paths.count)
            for (index, path) in paths.enumerated() where told[index] != opened[index] {
                let node = try world.status(of: FilePath(path))
                let above = try world.status(of: FilePath(path).removingLastComponent())
                Issue.record("\(account): \(node) below \(above): the kernel says \(opened[index])")
            }
            #expect(told.contains(true) && told.contains(false))
        }
    }

    @Test func `the superuser may read regardless of the mode`() throws {
        guard geteuid() == 0 else { try Test.cancel("needs root") }
        let file = "/tmp/rigready-access-\(UUID().uuidString)"
        try Data("x".utf8).write(to: URL(filePath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        try #require(unsafe chown(file, 54_321, 54_321) == 0)
        try #require(unsafe chmod(file, 0) == 0)
        let world = LiveWorld(drivers: [])
        #expect(try world.status(of: FilePath(file)).right == .capability)
    }

    /// Which of the files another user can open, found by opening them.
    private static func open(_ count: Int, in folder: URL, as account: Account) throws -> [Bool] {
        let groups = account.groups.map(String.init).joined(separator: ",")
        let output = folder.appending(path: "opened").path
        let words = [
            "/usr/bin/setpriv", "--reuid=\(account.user)", "--regid=\(account.groups.min() ?? 0)", "--groups=\(groups)",
            "--inh-caps=-all", "--bounding-set=-all", "/bin/sh", "-c",
            "i=0; while [ $i -lt \(count) ]; do if true <\(folder.path)/$i/node; then echo 1; else echo 0; fi; i=$((i+1)); done",
        ]
        try #require(ChildProcess(words, output: .file(output)).wait(60) == .exit(0))
        return try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n").map { $0 == "1" }
    }
}

/// Seeded owners, modes and lists.
private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }

    private mutating func id() -> UInt32 { [0, 54_321, 54_322, 54_323, 54_325].randomElement(using: &self) ?? 0 }
    private mutating func bits() -> UInt8 { UInt8.random(in: 0...7, using: &self) }

    /// Gives a node an owner, a group, a mode, and in two of three cases a list.
    mutating func dress(_ path: String) throws {
        let (mode, owner, group) = (mode_t.random(in: 0...0o777, using: &self), id(), id())
        try #require(unsafe chmod(path, mode) == 0)
        try #require(unsafe chown(path, owner, group) == 0)
        guard !Int.random(in: 0..<3, using: &self).isMultiple(of: 3) else { return }
        // Source: include/uapi/linux/posix_acl_xattr.h; the kernel requires tags in order, numbers ascending.
        var bytes: [UInt8] = [2, 0, 0, 0]
        func add(_ tag: UInt8, _ permissions: UInt8, _ id: UInt32 = .max) {
            bytes += [tag, 0, permissions, 0] + (0..<4).map { UInt8(truncatingIfNeeded: id >> (8 * UInt32($0))) }
        }
        add(0x01, bits())
        for user in [54_321, 54_325] as [UInt32] where Bool.random(using: &self) { add(0x02, bits(), user) }
        add(0x04, bits())
        for group in [54_321, 54_322, 54_323] as [UInt32] where Bool.random(using: &self) { add(0x08, bits(), group) }
        add(0x10, Bool.random(using: &self) ? bits() : 0)
        add(0x20, bits())
        try #require(unsafe setxattr(path, "system.posix_acl_access", bytes, bytes.count, 0) == 0)
    }
}
