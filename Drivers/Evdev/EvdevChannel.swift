internal import DriverKit
internal import Glibc
internal import Linux
internal import Synchronization
internal import SystemPackage

/// The node of an input device, opened for reading alone.
///
/// A frame sent is one byte, the code of an absolute axis; its answer, the next frame received, is what `EVIOCGABS`
/// returns: `struct input_absinfo`, 24 bytes. Every other frame received is one read: `InputEvent.events`
/// parses it. A node that this user may not open is `refused` with EACCES, and a device that goes with ENODEV.
final class EvdevChannel: Channel {
    private let descriptor: FileDescriptor
    private let events: DescriptorChannel
    private let subject: String
    private let answers = Mutex<[[UInt8]]>([])

    init(_ endpoint: Endpoint) throws(DriverError) {
        subject = endpoint.address
        // Opening waits for nothing but the device's own driver; not a terminal that could become this process's.
        let number = unsafe open(endpoint.address, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard number >= 0 else { throw DriverError(errno: .current, subject: endpoint.address) }
        descriptor = FileDescriptor(rawValue: number)
        events = try DescriptorChannel(descriptor, subject: endpoint.address)
    }

    func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {
        guard frame.count == 1, let axis = MotionAxis(rawValue: UInt16(frame[0])) else {
            throw DriverError(.unsupported, subject: subject)
        }
        var answer = [UInt8](repeating: 0, count: AxisState.size)
        let outcome = unsafe answer.withUnsafeMutableBytes { bytes in
            unsafe bytes.baseAddress.map { unsafe ioctl(descriptor.rawValue, axis.request, $0) } ?? -1
        }
        guard outcome >= 0 else { throw DriverError(errno: .current, subject: subject) }
        answers.withLock { $0.append(answer) }
    }

    func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        if let answer = answers.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            return Array(answer.prefix(limit))
        }
        return try events.receive(limit: limit, until: deadline)
    }

    func cancel() { events.cancel() }
}

extension MotionAxis {
    /// `EVIOCGABS` of the axis: `_IOR('E', 0x40 + axis, struct input_absinfo)` by the generic layout of ioctl numbers,
    /// which x86 and Arm have.
    fileprivate var request: UInt {
        2 << 30 | UInt(AxisState.size) << 16 | UInt(UInt8(ascii: "E")) << 8 | (0x40 + UInt(rawValue))
    }
}
