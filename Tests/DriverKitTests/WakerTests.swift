import SystemPackage
import Testing
@testable import DriverKit

@Suite struct WakerTests {
    private static let far = Instant.now.advanced(bySeconds: 60)

    @Test func `a wake ends every wait until it is drained`() throws {
        let waker = try Waker()
        #expect(!waker.isWoken)
        waker.wake()
        waker.wake()
        #expect(waker.wait(until: Self.far))
        #expect(waker.wait(until: Self.far) && waker.isWoken)
        waker.drain()
        #expect(!waker.wait(until: .now))
    }

    @Test func `a wake from another thread ends a wait that has begun`() throws {
        let waker = try Waker()
        let other = try Waker()
        #expect(
            Worker.start {
                other.wait(until: .now.advanced(bySeconds: 0.02))
                waker.wake()
            })
        #expect(waker.wait(until: Self.far))
    }

    @Test func `a descriptor that can be read ends the wait, and a wake comes before it`() throws {
        let waker = try Waker()
        let (readEnd, writeEnd) = try FileDescriptor.pipe()
        defer {
            try? readEnd.close()
            try? writeEnd.close()
        }
        #expect(try waker.wait(for: readEnd.rawValue, until: .now) == .timedOut)
        #expect(try waker.wait(for: writeEnd.rawValue, toRead: false, toWrite: true, until: Self.far) == .ready)
        try writeEnd.writeAll([1])
        #expect(try waker.wait(for: readEnd.rawValue, until: Self.far) == .ready)
        waker.wake()
        #expect(try waker.wait(for: readEnd.rawValue, until: Self.far) == .woken)
    }
}
