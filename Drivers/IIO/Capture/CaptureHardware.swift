package import DriverKit
internal import Glibc
internal import Linux
internal import Synchronization
package import SystemPackage

/// Every write of a capture to a rig, from its start to its stop; a probe never writes.
package protocol CaptureHardware: Sendable {
    func write(_ value: String, to attribute: FilePath) throws(DriverError)
    func mayWrite(_ attribute: FilePath) -> Bool
    /// Throws EBUSY if another program holds a device's node, EACCES if this user may not open it.
    func claim(_ node: FilePath) throws(DriverError)
    /// Enables a device's buffer with these channels (`in_accel_x`, `in_timestamp`), with room for that many scans.
    func buffer(of device: String, channels: Set<String>, scans: Int) throws(DriverError) -> any CaptureBuffer
}

/// A buffer that is enabled until it is closed.
package protocol CaptureBuffer: AnyObject {
    /// The size of one scan in bytes, as computed by the buffer's owner.
    var scanSize: Int { get }
    /// All complete scans; none at the deadline. Throws `cancelled` when the capture is stopped, and ENODEV when the
    /// device was removed.
    func scans(until deadline: Instant, _ halt: Waker) throws(DriverError) -> [UInt8]
    /// Disables the buffer and its channels.
    func close()
}

package struct LiveCaptureHardware: CaptureHardware {
    private let contexts = SharedContext()

    package init() {}

    /// Uses a single `write`, as attributes require.
    package func write(_ value: String, to attribute: FilePath) throws(DriverError) {
        try Self.open(attribute, .writeOnly) { file in _ = try file.writeAll(value.utf8) }
    }

    /// Uses `faccessat` with the effective ids.
    package func mayWrite(_ attribute: FilePath) -> Bool {
        unsafe faccessat(AT_FDCWD, attribute.string, W_OK, AT_EACCESS) == 0
    }

    /// Opens the node as libiio does, and closes it again; fails if another capture holds it.
    package func claim(_ node: FilePath) throws(DriverError) {
        try Self.open(node, .readWrite, .nonBlocking) { _ in }
    }

    package func buffer(
        of device: String, channels: Set<String>, scans: Int
    ) throws(DriverError) -> any CaptureBuffer {
        try LibIIOBuffer(of: device, channels: channels, scans: scans, sharing: contexts)
    }

    private static func open(
        _ path: FilePath, _ mode: FileDescriptor.AccessMode, _ options: FileDescriptor.OpenOptions = [],
        _ body: (FileDescriptor) throws -> Void
    ) throws(DriverError) {
        do {
            let file = try FileDescriptor.open(path, mode, options: options.union(.closeOnExec))
            try file.closeAfter { try body(file) }
        } catch {
            throw DriverError(errno: (error as? Errno) ?? .ioError, subject: path.string)
        }
    }
}

/// libiio's description of this machine, which holds every device with all its attributes.
@safe
private final class LocalContext: @unchecked Sendable {
    let library: LibIIO
    let handle: OpaquePointer

    init(_ subject: String) throws(DriverError) {
        library = try LibIIO()
        library.silenceParser()
        Glibc.errno = 0
        guard let handle = unsafe library.create("local:") else {
            let errno = Errno.current
            throw DriverError(errno: errno.rawValue == 0 ? .ioError : errno, subject: subject)
        }
        unsafe self.handle = handle
    }

    deinit { unsafe library.destroy(handle) }
}

/// One context for all buffers that are open at a time, since a context per buffer grows with the square of the devices.
///
/// Buffers of different devices may be used by different threads, as iiod does, which serves all clients from one context.
private final class SharedContext: Sendable {
    private struct Current { weak var context: LocalContext? }
    private let current = Mutex(Current())

    /// The context that other buffers use, or a new one if none does or that one is older than the device.
    func context(with device: String, for subject: String) throws(DriverError) -> LocalContext {
        try current.withLock { (current) throws(DriverError) -> LocalContext in
            if let context = current.context, unsafe context.library.findDevice(context.handle, device) != nil {
                return context
            }
            let context = try LocalContext(subject)
            current.context = context
            return context
        }
    }
}

/// A local device's buffer, enabled and read through libiio.
///
/// libiio disables a running buffer before it opens the node, so the caller must have claimed the node before. Used
/// only by the capture's thread: libiio guarantees no more.
@safe
final class LibIIOBuffer: CaptureBuffer {
    private let subject: String
    private var context: LocalContext?
    private var buffer: OpaquePointer?
    private var descriptor: CInt = -1
    private(set) var scanSize = 0
    private var room = 0

    /// Enables the channels, disables all others, and enables the buffer; throws `unsupported` without libiio.
    fileprivate init(
        of device: String, channels: Set<String>, scans: Int, sharing contexts: SharedContext
    ) throws(DriverError) {
        let subject = "/dev/\(device)"
        self.subject = subject
        // From here on, an error ends in `deinit`, which closes what is open.
        let context = try contexts.context(with: device, for: subject)
        self.context = context
        let library = context.library
        guard let handle = unsafe library.findDevice(context.handle, device) else {
            throw DriverError(errno: .operationNotSupportedByDevice, subject: subject)
        }
        for number in 0..<(unsafe library.channelCount(handle)) {
            if let other = unsafe library.channel(handle, number) { unsafe library.disable(other) }
        }
        var unknown = channels
        for name in channels {
            // `in_accel_x` is libiio's input channel `accel_x`.
            guard let known = unsafe library.findChannel(handle, String(name.dropFirst(3)), false) else { continue }
            unsafe library.enable(known)
            unknown.remove(name)
        }
        guard unknown.isEmpty else {
            let names = unknown.sorted().joined(separator: ", ")
            throw DriverError(.unsupported, subject: subject, detail: "libiio knows no channel \(names)")
        }
        // The kernel keeps that many times the scans: on a busy rig this program may be late by more than its default of four.
        _ = unsafe library.setBlockCount(handle, 16)
        Glibc.errno = 0
        unsafe buffer = unsafe library.createBuffer(handle, scans, false)
        guard let buffer = unsafe buffer else {
            let errno = Errno.current
            throw DriverError(errno: errno.rawValue == 0 ? .ioError : errno, subject: subject)
        }
        let status = unsafe library.setBlocking(buffer, false)
        guard status == 0 else { throw DriverError(errno: Errno(rawValue: -status), subject: subject) }
        descriptor = unsafe library.pollDescriptor(buffer)
        scanSize = unsafe library.scanSize(buffer)
        room = scans * scanSize
        guard descriptor >= 0, scanSize > 0 else {
            throw DriverError(.malformed, subject: subject, detail: "libiio gives scans of \(scanSize) bytes")
        }
    }

    deinit { close() }

    func scans(until deadline: Instant, _ halt: Waker) throws(DriverError) -> [UInt8] {
        // A removed device never becomes ready, so the read is tried at the deadline too.
        if (try? halt.wait(for: descriptor, until: deadline)) == .woken {
            throw DriverError(.cancelled, subject: subject)
        }
        guard let library = context?.library, let buffer = unsafe buffer else {
            throw DriverError(.closed, subject: subject)
        }
        let count = unsafe library.refill(buffer)
        guard count >= 0 else {
            let errno = Errno(rawValue: CInt(clamping: -count))
            if errno == .wouldBlock { return [] }
            throw DriverError(errno: errno, subject: subject)
        }
        guard let start = unsafe library.firstScan(buffer) else { return [] }
        let whole = min(count, room) / scanSize * scanSize
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: whole))
    }

    func close() {
        if let open = unsafe buffer { unsafe context?.library.destroyBuffer(open) }
        unsafe buffer = nil
        context = nil
    }
}
