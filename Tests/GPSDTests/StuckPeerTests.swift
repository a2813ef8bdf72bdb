import Linux
import DriverKit
import GPSD
import Glibc
import Readiness
import Support
import Testing

/// A connection to this machine; a type, since the compiler (6.3.1) crashes on a closure with a typed throw here.
private struct Loopback: Sendable {
    let port: UInt16
    func open() throws(DriverError) -> any Channel {
        try DescriptorChannel.connect(
            host: "127.0.0.1", port: port, subject: "gpsd", until: Instant.now.advanced(bySeconds: 1))
    }
}

/// A TCP peer that accepts connections but never sends anything.
@Suite(.timeLimit(.minutes(10)))
struct StuckPeerTests {
    /// Connects only by the kernel's backlog: accept is never called.
    private func withStuckPeer(_ body: (FakeWorld) throws -> Void) throws {
        let (socket, port) = try RunningGPSD.bound()
        defer { close(socket) }
        #expect(listen(socket, 4) == 0)
        var world = FakeWorld()
        world.channels[local] = Loopback(port: port).open
        try body(world)
    }

    @Test func `it is unreachable by the deadline`() throws {
        try withStuckPeer { world in
            let probe = try DriverHarness(world, seconds: 0.3)
            #expect(probe.enumeration.obstacles.first?.cause == .unreachable)
            #expect(probe.enumeration.obstacles.first?.detail.contains("sends nothing") == true)
        }
    }

    @Test func `cancelling ends the wait and reports nothing`() throws {
        try withStuckPeer { world in
            let deadline = Instant.now.advanced(bySeconds: 60)
            let session = try GPSDDriver().open(world, until: deadline)
            detach {
                usleep(100_000)
                session.cancel()
            }
            let enumeration = try session.enumeration(.sample, until: deadline)
            #expect(enumeration.obstacles.map(\.cause) == [.indeterminate])
            #expect(Instant.now < deadline)
        }
    }
}
