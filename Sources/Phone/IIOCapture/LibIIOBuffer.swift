internal import DriverKit
internal import Glibc
internal import IIO
internal import SystemPackage

/// A local device's buffer, enabled and read through libiio.
///
/// libiio disables a running buffer before it opens the node, so the caller must have claimed the node before. Used
/// only by the capture's thread: libiio guarantees no more.
@safe
final class LibIIOBuffer: CaptureBuffer {
    private let device: String
    private let library: LibIIO
    private let buffers: LibIIOBuffers
    private let context: OpaquePointer
    private var buffer: OpaquePointer?
    private let descriptor: CInt
    let scanSize: Int
    private let room: Int

    /// Enables the channels, disables all others, and enables the buffer.
    init(of device: String, channels: Set<String>, scans: Int) throws(DriverError) {
        let library = try LibIIO()
        let buffers = try LibIIOBuffers()
        library.silenceParser()
        func failure(_ fallback: Errno) -> DriverError {
            let errno = Errno.current
            return DriverError(errno: errno.rawValue == 0 ? fallback : errno, subject: "/dev/\(device)")
        }
        Glibc.errno = 0
        guard let context = unsafe library.create("local:") else { throw failure(.ioError) }
        var made: OpaquePointer?
        var step = 0
        var descriptor: CInt = -1
        do throws(DriverError) {
            guard let handle = unsafe library.findDevice(context, device) else {
                throw DriverError(errno: .operationNotSupportedByDevice, subject: "/dev/\(device)")
            }
            var wanted = channels
            for number in 0..<(unsafe buffers.channelCount(handle)) {
                guard let channel = unsafe buffers.channel(handle, number) else { continue }
                unsafe buffers.disable(channel)
            }
            for name in channels {
                // `in_accel_x` is libiio's input channel `accel_x`.
                guard let channel = unsafe library.findChannel(handle, String(name.dropFirst(3)), false) else {
                    continue
                }
                unsafe buffers.enable(channel)
                wanted.remove(name)
            }
            guard wanted.isEmpty else {
                throw DriverError(
                    .unsupported, subject: "/dev/\(device)",
                    detail: "libiio knows no channel \(wanted.sorted().joined(separator: ", "))")
            }
            Glibc.errno = 0
            guard let buffer = unsafe buffers.create(handle, scans, false) else { throw failure(.ioError) }
            unsafe made = buffer
            let status = unsafe buffers.setBlocking(buffer, false)
            guard status == 0 else { throw DriverError(errno: Errno(rawValue: -status), subject: "/dev/\(device)") }
            descriptor = unsafe buffers.descriptor(buffer)
            step = unsafe buffers.step(buffer)
            guard descriptor >= 0, step > 0 else {
                throw DriverError(.malformed, subject: "/dev/\(device)", detail: "libiio gives scans of \(step) bytes")
            }
        } catch {
            if let made = unsafe made { unsafe buffers.destroy(made) }
            unsafe library.destroy(context)
            throw error
        }
        self.device = device
        self.library = library
        self.buffers = buffers
        unsafe self.context = context
        unsafe buffer = made
        self.descriptor = descriptor
        scanSize = step
        room = scans * step
    }

    deinit { close() }

    func scans(until deadline: Instant, _ halt: Waker) throws(DriverError) -> [UInt8] {
        // A removed device never becomes ready, so the read is tried at the deadline too.
        if (try? halt.wait(for: descriptor, until: deadline)) == .woken {
            throw DriverError(.cancelled, subject: "/dev/\(device)")
        }
        guard let buffer = unsafe buffer else { throw DriverError(.closed, subject: "/dev/\(device)") }
        let count = unsafe buffers.refill(buffer)
        guard count >= 0 else {
            let errno = Errno(rawValue: CInt(clamping: -count))
            if errno == .wouldBlock { return [] }
            throw DriverError(errno: errno, subject: "/dev/\(device)")
        }
        guard let start = unsafe buffers.start(buffer) else { return [] }
        let whole = min(count, room) / scanSize * scanSize
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: whole))
    }

    func close() {
        guard let open = unsafe buffer else { return }
        unsafe buffer = nil
        unsafe buffers.destroy(open)
        unsafe library.destroy(context)
    }
}
