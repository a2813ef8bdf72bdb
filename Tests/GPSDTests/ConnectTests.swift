import Linux
import DriverKit
import Glibc
import Support
import Synchronization
import SystemPackage
import Testing

/// Connecting to a name with several addresses.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ConnectTests {
    /// A listener with a full queue: new connections get no answer.
    private final class BlackHole {
        let address: [UInt8]
        private var sockets: [CInt]

        init() throws {
            let (listener, port) = try RunningGPSD.bound()
            sockets = [listener]
            address = ConnectTests.address(port)
            #expect(listen(listener, 0) == 0)
            // Fills the queue: the first connection that is not accepted at once finds it full.
            for _ in 0..<64 {
                let number = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
                sockets.append(number)
                var target = ConnectTests.loopback(port)
                _ = unsafe withUnsafePointer(to: &target) { pointer in
                    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                        unsafe connect(number, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
                    }
                }
                var set = pollfd(fd: number, events: CShort(POLLOUT), revents: 0)
                if unsafe poll(&set, 1, 100) == 0 { return }
            }
            throw RunningGPSD.Failed(description: "the queue never fills")
        }

        deinit { sockets.forEach { _ = close($0) } }
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        address.sin_port = port.bigEndian
        return address
    }

    private static func address(_ port: UInt16) -> [UInt8] {
        unsafe withUnsafeBytes(of: loopback(port)) { unsafe Array($0) }
    }

    @Test func `an address that never answers leaves time for the next`() throws {
        let hole = try BlackHole()
        let (listener, port) = try RunningGPSD.bound()
        defer { close(listener) }
        #expect(listen(listener, 4) == 0)
        _ = try DescriptorChannel.connect(
            to: [hole.address, hole.address, Self.address(port)], subject: "peer", until: .now.advanced(bySeconds: 1))
    }

    @Test func `if no address answers, the last error is reported`() throws {
        let hole = try BlackHole()
        let closed = Self.address(try RunningGPSD.freePort())
        func error(_ addresses: [[UInt8]]) -> DriverError? {
            #expect(throws: DriverError.self) {
                try DescriptorChannel.connect(to: addresses, subject: "peer", until: .now.advanced(bySeconds: 0.2))
            }
        }
        #expect(error([hole.address, closed])?.errno == .connectionRefused)
        #expect(error([closed, hole.address])?.code == .timedOut)
        #expect(error([])?.code == .timedOut)
    }

    @Test func `a signal does not end the wait`() throws {
        let hole = try BlackHole()
        let address = hole.address
        signal(SIGUSR1) { _ in }
        let shared = Shared()
        try withExtendedLifetime(hole) {
            let deadline = Instant.now.advanced(bySeconds: 1)
            detach {
                var signals = sigset_t()
                unsafe sigemptyset(&signals)
                unsafe sigaddset(&signals, SIGUSR1)
                unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
                shared.thread.withLock { $0 = pthread_self() }
                _ = try? DescriptorChannel.connect(to: [address], subject: "peer", until: deadline)
                shared.ended.withLock { $0 = .now }
            }
            try #require(RunningGPSD.wait(1) { shared.thread.withLock { $0 != nil } })
            usleep(100_000)
            shared.thread.withLock { thread in _ = thread.map { pthread_kill($0, SIGUSR1) } }
            try #require(RunningGPSD.wait(20) { shared.ended.withLock { $0 != nil } })
            #expect(shared.ended.withLock { $0 }.map { $0 >= deadline } == true)
        }
    }

    private final class Shared: Sendable {
        let thread = Mutex<pthread_t?>(nil)
        let ended = Mutex<Instant?>(nil)
    }
}
