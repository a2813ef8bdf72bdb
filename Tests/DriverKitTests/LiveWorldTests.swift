import Linux
import DriverKit
import Glibc
import Readiness
import SystemPackage
import Testing

@Suite struct LiveWorldTests {
    private let world = LiveWorld(drivers: [])

    @Test func `a file is read whole`() throws {
        let bytes = try world.contents(of: "/proc/self/comm", limit: 64)
        #expect(bytes.last == UInt8(ascii: "\n"))
    }

    @Test func `a file longer than its bound is refused`() {
        let error = #expect(throws: DriverError.self) { try world.contents(of: "/etc/passwd", limit: 3) }
        #expect(error?.code == .malformed)
        #expect(error?.subject == "/etc/passwd")
    }

    @Test func `a file of many blocks is read to its exact bound`() throws {
        let path = "/tmp/rigready-test-\(getpid())"
        let bytes = (0..<10_000).map { UInt8($0 & 0xff) }
        let file = try FileDescriptor.open(
            FilePath(path), .writeOnly, options: [.create, .truncate], permissions: [.ownerReadWrite])
        try file.closeAfter { _ = try file.writeAll(bytes) }
        defer { _ = unsafe unlink(path) }
        #expect(try world.contents(of: FilePath(path), limit: 10_000) == bytes)
        #expect(throws: DriverError.self) { try world.contents(of: FilePath(path), limit: 9_999) }
    }

    @Test func `a missing file is reported by errno`() {
        #expect(throws: DriverError(errno: .noSuchFileOrDirectory, subject: "/no/such")) {
            try world.contents(of: "/no/such", limit: 1)
        }
        #expect(throws: DriverError(errno: .noSuchFileOrDirectory, subject: "/no/such")) {
            try world.entries(of: "/no/such")
        }
        #expect(throws: DriverError(errno: .noSuchFileOrDirectory, subject: "/no/such")) {
            try world.status(of: "/no/such")
        }
    }

    @Test func `a folder is listed`() throws {
        let names = try world.entries(of: "/proc/self")
        #expect(names.contains("comm"))
        #expect(!names.contains("."))
        #expect(names == names.sorted())
    }

    @Test func `a folder of more names than the kernel returns at once is listed whole`() throws {
        let folder = "/tmp/rigready-folder-\(getpid())"
        let names = (1000..<2000).map { "in_a_long_name_of_an_attribute_\($0)" }
        #expect(unsafe mkdir(folder, 0o700) == 0)
        defer {
            for name in names { _ = unsafe unlink("\(folder)/\(name)") }
            _ = unsafe rmdir(folder)
        }
        for name in names {
            try FileDescriptor.open(
                FilePath("\(folder)/\(name)"), .writeOnly, options: [.create], permissions: [.ownerReadWrite]
            ).close()
        }
        #expect(try world.entries(of: FilePath(folder)) == names)
    }

    @Test func `the time of an inode's change is returned`() throws {
        let path = "/tmp/rigready-changed-\(getpid())"
        let file = try FileDescriptor.open(
            FilePath(path), .writeOnly, options: [.create, .truncate], permissions: [.ownerReadWrite])
        try file.close()
        defer { _ = unsafe unlink(path) }
        var record = stat()
        #expect(unsafe stat(path, &record) == 0)
        let changed = try #require(try world.status(of: FilePath(path)).changed)
        #expect(changed / 1_000_000_000 == Int64(record.st_ctim.tv_sec))
        #expect(changed % 1_000_000_000 == Int64(record.st_ctim.tv_nsec))
    }

    @Test func `the account that access is evaluated for is returned`() throws {
        let account = world.account()
        #expect(account.user == geteuid())
        #expect(account.groups == Account.current.groups)
        #expect(account.loginGroups == Account(named: "\(geteuid())")?.groups)
        let other = LiveWorld(as: Account(user: 1, groups: [7]), drivers: []).account()
        #expect(other.groups == [7])
        #expect(other.loginGroups == Account(named: "1")?.groups)
        #expect(LiveWorldTests.unknown.withLoginGroups.loginGroups == nil)
    }

    /// A user that is in no database.
    private static let unknown = Account(user: 4_000_000_000, groups: [1])

    @Test func `the owner of a node is returned`() throws {
        let status = try world.status(of: "/dev/null")
        #expect(status.readable)
        #expect(status.owner == 0)
        #expect(status.clause.hasPrefix("rw-rw-rw-"))
    }
}

@Suite struct DescriptorChannelTests {
    private func pair() throws -> (DescriptorChannel, FileDescriptor) {
        var ends: [CInt] = [0, 0]
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
        try #require(unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0)
        return (
            try DescriptorChannel(FileDescriptor(rawValue: ends[0]), subject: "peer"), FileDescriptor(rawValue: ends[1])
        )
    }

    private func soon(_ seconds: Double) -> Instant { Instant.now.advanced(bySeconds: seconds) }

    @Test func `frames pass in both directions`() throws {
        let (channel, peer) = try pair()
        try peer.writeAll([1, 2, 3])
        #expect(try channel.receive(limit: 2, until: soon(5)) == [1, 2])
        #expect(try channel.receive(limit: 2, until: soon(5)) == [3])
        try channel.send([9], until: soon(5))
        try peer.close()
        let error = #expect(throws: DriverError.self) { try channel.receive(limit: 1, until: soon(5)) }
        #expect(error?.code == .closed || error?.errno == .connectionReset)
    }

    @Test func `a silent peer ends at the deadline`() throws {
        let (channel, peer) = try pair()
        defer { try? peer.close() }
        #expect(throws: DriverError(.timedOut, subject: "peer")) { try channel.receive(limit: 1, until: soon(0.02)) }
    }

    @Test func `a peer that does not read ends at the deadline`() throws {
        let (channel, peer) = try pair()
        defer { try? peer.close() }
        #expect(throws: DriverError(.timedOut, subject: "peer")) {
            try channel.send([UInt8](repeating: 0, count: 8 << 20), until: soon(0.05))
        }
    }

    @Test func `cancelling ends a wait`() throws {
        let (channel, peer) = try pair()
        defer { try? peer.close() }
        channel.cancel()
        #expect(throws: DriverError(.cancelled, subject: "peer")) { try channel.receive(limit: 1, until: soon(60)) }
    }

    @Test func `a closed port is refused`() {
        let error = #expect(throws: DriverError.self) {
            try DescriptorChannel.connect(host: "127.0.0.1", port: 1, subject: "p", until: soon(5))
        }
        #expect(error?.errno == .connectionRefused)
    }

    @Test func `a name that does not resolve is reported`() {
        let error = #expect(throws: DriverError.self) {
            try DescriptorChannel.connect(host: "no such host", port: 1, subject: "p", until: soon(5))
        }
        #expect(error?.reason.contains("cannot resolve no such host") == true)
    }
}

@Suite struct PropertiesTests {
    @Test func `pairs are read and other lines skipped`() {
        let properties = Properties(parsing: Array("A=1\nB=x=y\nnonsense\n=z\nC=\nA=2\nLAST=3".utf8))
        let told = ["A", "B", "C", "LAST", "nonsense", "", "B=x", "AST"].map { properties[$0] }
        #expect(told == ["2", "x=y", "", "3", nil, nil, nil, nil])
    }

    @Test func `udev records are read by their mark`() {
        let properties = Properties(parsing: Array("S:link\nE:ID_MODEL=u-blox\nI:12\nA=1\n".utf8), prefix: "E:")
        #expect(properties["ID_MODEL"] == "u-blox")
        #expect(properties["A"] == nil && properties["link"] == nil)
    }

    @Test(arguments: [
        (Errno.permissionDenied, "indeterminate"), (.notPermitted, "indeterminate"), (.noFunction, "indeterminate"),
        (.noSuchFileOrDirectory, "absent"), (.noSuchAddressOrDevice, "faulty"),
        (.operationNotSupportedByDevice, "absent"), (.timedOut, "silent"), (.ioError, "faulty"),
        (.invalidArgument, "faulty"), (Errno(rawValue: 121), "faulty"),
    ])
    func `an errno classifies a read`(errno: Errno, availability: String) {
        #expect(DriverError(errno: errno, subject: "x").availability.id == availability)
    }
}
