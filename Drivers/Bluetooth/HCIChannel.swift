internal import CBluetooth
package import DriverKit
internal import Glibc
package import SystemPackage
internal import Synchronization

/// The live HCI socket: each frame sent is one ioctl, whose answer is the next frame received (see `HCIClient`).
///
/// The kernel answers an ioctl at once from memory, so nothing here waits.
package final class HCIChannel: Channel {
    private let descriptor: FileDescriptor
    private let state = Mutex<(answers: [[UInt8]], isCancelled: Bool)>(([], false))

    /// Takes over an HCI socket.
    package init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

    deinit { try? descriptor.close() }

    /// Makes the ioctl and keeps its answer; `unsupported` for any request other than the two of `HCIRequest`.
    package func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {
        if state.withLock(\.isCancelled) { throw DriverError(.cancelled, subject: Endpoint.hci.description) }
        var argument = Array(frame.dropFirst(4))
        guard let number = frame.uint32(at: 0), HCIRequest(rawValue: number).fits(argument) else {
            throw DriverError(.unsupported, subject: Endpoint.hci.description)
        }
        let outcome = unsafe argument.withUnsafeMutableBytes { bytes in
            unsafe bytes.baseAddress.map { unsafe ioctl(descriptor.rawValue, UInt(number), $0) } ?? -1
        }
        guard outcome >= 0 else { throw DriverError(errno: .current, subject: Endpoint.hci.description) }
        state.withLock { $0.answers.append(argument) }
    }

    /// The answer to the oldest ioctl that was not fetched yet; `timedOut` at once if there is none.
    package func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        let (answer, isCancelled) = state.withLock { state in
            (state.answers.isEmpty ? nil : state.answers.removeFirst(), state.isCancelled)
        }
        if isCancelled { throw DriverError(.cancelled, subject: Endpoint.hci.description) }
        guard let answer else { throw DriverError(.timedOut, subject: Endpoint.hci.description) }
        return Array(answer.prefix(limit))
    }

    /// Makes every later call throw.
    package func cancel() { state.withLock { $0.isCancelled = true } }
}
