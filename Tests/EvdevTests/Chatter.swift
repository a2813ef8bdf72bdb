import DriverKit
import Synchronization
@testable import Evdev

/// A clock that reads advance.
final class Clock: Sendable {
    let began = Instant(nanoseconds: 1_000_000_000_000)
    private let elapsed = Mutex(0.0)

    var now: Instant { began.advanced(bySeconds: elapsed.withLock(\.self)) }
    func advance() { elapsed.withLock { $0 += 0.01 } }
}

/// A device that reports the acceleration along x again and again.
final class Chatter: Channel {
    private let clock: Clock
    private let asked = Mutex<[UInt8]>([])

    init(_ clock: Clock) { self.clock = clock }

    func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) { asked.withLock { $0 += frame } }

    func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        if asked.withLock({ $0.popLast() }) != nil { return [UInt8](repeating: 0, count: 24) }
        clock.advance()
        return InputNode.report([.x: 1])
    }

    func cancel() {}
}
