internal import CBluetooth
internal import DriverKit
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// Asks the kernel's HCI socket about its controllers: the fallback if the management interface does not answer.
///
/// The frames of the endpoint `hci`: a frame sent is the number of an ioctl (4 bytes, little-endian) followed by its
/// argument as laid out in memory; the frame received is the argument as the kernel left it. Only HCIGETDEVLIST and
/// HCIGETDEVINFO exist. An error of the ioctl is thrown by `send`.
struct HCIClient {
    /// The number of controllers that one list is asked for; the kernel refuses more than two pages.
    static let maximumCount: UInt16 = 256

    private let channel: any Channel

    init(_ channel: any Channel) { self.channel = channel }

    /// Every controller of the kernel, including those that another process owns.
    func controllers(until deadline: Instant) throws(DriverError) -> [UInt16] {
        let room = [UInt8](repeating: 0, count: 2 + 8 * Int(Self.maximumCount))
        let request = bluetooth_ioctl_device_list.littleEndianBytes + Self.maximumCount.littleEndianBytes + room
        try channel.send(request, until: deadline)
        return try Self.parse(list: try channel.receive(limit: request.count, until: deadline))
    }

    /// Parses a `struct hci_dev_list_req`: a count (2 bytes), two bytes of padding, then index (2 bytes), padding and
    /// flags (4) of each controller.
    static func parse(list bytes: [UInt8]) throws(DriverError) -> [UInt16] {
        guard let count = bytes.uint16(at: 0), bytes.count >= 4 + 8 * Int(count) else {
            throw .malformed("a list of \(bytes.count) bytes, which its count does not match", from: .hci)
        }
        let indices = (0..<Int(count)).compactMap { bytes.uint16(at: 4 + 8 * $0) }
        return Set(indices).sorted()
    }

    /// Asks one controller; never throws, so that an error affects that controller only.
    func information(of index: UInt16, until deadline: Instant) -> ControllerAnswer {
        let room = [UInt8](repeating: 0, count: 90)
        let request = bluetooth_ioctl_device_information.littleEndianBytes + index.littleEndianBytes + room
        do throws(DriverError) {
            try channel.send(request, until: deadline)
            let bytes = try channel.receive(limit: 256, until: deadline)
            guard bytes.uint16(at: 0) == index else {
                throw .malformed("information of another controller", from: .hci)
            }
            return .information(try ControllerInformation(hci: bytes))
        } catch {
            return .failed(error)
        }
    }
}

/// The live HCI socket: each frame sent is one ioctl, whose answer is the next frame received (see `HCIClient`).
///
/// The kernel answers an ioctl at once from memory, so nothing here waits.
final class HCIChannel: Channel {
    private let descriptor: FileDescriptor
    private let state = Mutex<(answers: [[UInt8]], isCancelled: Bool)>(([], false))

    init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

    deinit { try? descriptor.close() }

    func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {
        if state.withLock(\.isCancelled) { throw DriverError(.cancelled, subject: Endpoint.hci.description) }
        var argument = Array(frame.dropFirst(4))
        guard let number = frame.uint32(at: 0), Self.isHarmless(number, argument) else {
            throw DriverError(.unsupported, subject: Endpoint.hci.description)
        }
        let outcome = unsafe argument.withUnsafeMutableBytes { bytes in
            unsafe bytes.baseAddress.map { unsafe ioctl(descriptor.rawValue, UInt(number), $0) } ?? -1
        }
        guard outcome >= 0 else { throw DriverError(errno: .current, subject: Endpoint.hci.description) }
        state.withLock { $0.answers.append(argument) }
    }

    /// The answer to the oldest ioctl that was not fetched yet; `timedOut` at once if there is none.
    func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        let (answer, isCancelled) = state.withLock { state in
            (state.answers.isEmpty ? nil : state.answers.removeFirst(), state.isCancelled)
        }
        if isCancelled { throw DriverError(.cancelled, subject: Endpoint.hci.description) }
        guard let answer else { throw DriverError(.timedOut, subject: Endpoint.hci.description) }
        return Array(answer.prefix(limit))
    }

    func cancel() { state.withLock { $0.isCancelled = true } }

    /// Whether a request changes nothing, and the kernel stays within its argument: it writes as many list entries as the
    /// argument's own count says, or one `struct hci_dev_info`.
    private static func isHarmless(_ number: UInt32, _ argument: [UInt8]) -> Bool {
        switch number {
        case bluetooth_ioctl_device_list: argument.uint16(at: 0).map { argument.count >= 4 + 8 * Int($0) } ?? false
        case bluetooth_ioctl_device_information: argument.count >= MemoryLayout<hci_dev_info>.size
        default: false
        }
    }
}
