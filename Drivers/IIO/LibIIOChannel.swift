internal import DriverKit
internal import CIIO
internal import Glibc
internal import Linux
internal import Synchronization
internal import SystemPackage

/// A context that libiio serves, such as `usb:` or `serial:`; requests and answers are those of `RemoteRequest`.
///
/// One request is answered at a time, by the thread that waits for its answer.
@safe
final class LibIIOChannel: Channel, @unchecked Sendable {
    private struct State {
        var request: RemoteRequest?
        var isCancelled = false
    }

    private let uri: String
    private let library: LibIIO
    private let context: OpaquePointer
    private let state = Mutex(State())
    /// libiio's timeout in seconds; held while libiio works, since its results are valid until the next call.
    private let timeout = Mutex(0.0)

    init(_ uri: String, _ library: LibIIO) throws(DriverError) {
        library.silenceParser()
        Glibc.errno = 0
        let (created, failure) = unsafe withoutBrokenPipes { (unsafe library.create(uri), Errno.current) }
        guard let context = unsafe created else {
            guard failure == .noFunction else { throw DriverError(errno: failure, subject: uri) }
            let kind = uri.prefix { $0 != ":" }
            throw DriverError(
                .unsupported, errno: failure, subject: uri, detail: "the installed libiio serves no \(kind): contexts")
        }
        self.uri = uri
        self.library = library
        unsafe self.context = context
    }

    deinit { withoutBrokenPipes { unsafe library.destroy(context) } }

    func send(_ frame: [UInt8], until deadline: Instant) throws(DriverError) {
        let request = try RemoteRequest(frame, to: uri)
        state.withLock { $0.request = request }
    }

    func receive(limit: Int, until deadline: Instant) throws(DriverError) -> [UInt8] {
        let (request, isCancelled) = state.withLock { (exchange(&$0.request, with: nil), $0.isCancelled) }
        if isCancelled { throw DriverError(.cancelled, subject: uri) }
        guard let request else { throw DriverError(.timedOut, subject: uri, detail: "nothing was asked") }
        let left = Instant.now.seconds(to: deadline)
        guard left > 0 else { throw DriverError(.timedOut, subject: uri) }
        let (outcome, elapsed, allowed) = timeout.withLock { timeout in
            withoutBrokenPipes {
                set(&timeout, for: left)
                let began = Instant.now
                let outcome = answer(request, limit)
                return (outcome, began.seconds(to: .now), timeout)
            }
        }
        // libiio's own timeout is returned as an ordinary error.
        if case .failure(let error) = outcome, elapsed >= allowed * 0.9 {
            throw DriverError(.timedOut, errno: error.errno, subject: error.subject)
        }
        return try outcome.get()
    }

    func cancel() { state.withLock { $0.isCancelled = true } }

    /// Sets libiio's timeout; setting it is a round trip, so small changes are skipped.
    private func set(_ timeout: inout Double, for seconds: Double) {
        guard timeout < seconds * 0.5 || timeout > seconds * 2 else { return }
        timeout = seconds
        _ = unsafe library.setTimeout(context, CUnsignedInt(min(max(seconds * 1000, 1), 1e8)))
    }

    private func answer(_ request: RemoteRequest, _ limit: Int) -> Result<[UInt8], DriverError> {
        switch request {
        case .description:
            guard let text = unsafe library.xml(context) else { return fail(.noData, uri) }
            let length = unsafe strlen(text)
            guard length <= limit else {
                return .failure(DriverError(.malformed, subject: uri, detail: "a description of \(length) bytes"))
            }
            return .success(unsafe Array(UnsafeRawBufferPointer(start: text, count: length)))
        case .read(let id, let attribute):
            let subject = "\(uri) \(id) \(attribute.channel.map { "\($0) " } ?? "")\(attribute.name)"
            guard let device = unsafe library.findDevice(context, id) else {
                return fail(.noSuchFileOrDirectory, subject)
            }
            var channel: OpaquePointer?
            if let name = attribute.channel {
                unsafe channel = unsafe library.findChannel(device, name, attribute.isOutput)
                guard unsafe channel != nil else { return fail(.noSuchFileOrDirectory, subject) }
            }
            var status = 0
            // libiio counts the terminator of the string too.
            let room = min(limit, 4096) + 1
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                let text = unsafe UnsafeMutableRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: CChar.self)
                status =
                    unsafe channel == nil
                    ? library.readDevice(device, attribute.name, text, room)
                    : library.readChannel(channel, attribute.name, text, room)
                count = max(0, min(status, room))
            }
            guard status >= 0 else { return fail(Errno(rawValue: CInt(clamping: -status)), subject) }
            return .success(Array(bytes.prefix { $0 != 0 }))
        }
    }

    private func fail(_ errno: Errno, _ subject: String) -> Result<[UInt8], DriverError> {
        .failure(DriverError(errno == .timedOut ? .timedOut : .refused, errno: errno, subject: subject))
    }
}

/// libiio's functions, opened at first use, so that a probe whose contexts do not need them does not pay for them.
@safe
struct LibIIO: @unchecked Sendable {
    private typealias Handler = @convention(c) (OpaquePointer?, OpaquePointer?) -> Void

    let create: opened_iio_create_context_from_uri
    let destroy: opened_iio_context_destroy
    let xml: opened_iio_context_get_xml
    let setTimeout: opened_iio_context_set_timeout
    let findDevice: opened_iio_context_find_device
    let findChannel: opened_iio_device_find_channel
    let readDevice: opened_iio_device_attr_read
    let readChannel: opened_iio_channel_attr_read
    // Those of a capture.
    let channelCount: opened_iio_device_get_channels_count
    let channel: opened_iio_device_get_channel
    let enable: opened_iio_channel_enable
    let disable: opened_iio_channel_disable
    let setBlockCount: opened_iio_device_set_kernel_buffers_count
    let createBuffer: opened_iio_device_create_buffer
    let destroyBuffer: opened_iio_buffer_destroy
    let setBlocking: opened_iio_buffer_set_blocking_mode
    let pollDescriptor: opened_iio_buffer_get_poll_fd
    let scanSize: opened_iio_buffer_step
    let refill: opened_iio_buffer_refill
    let firstScan: opened_iio_buffer_start
    private let setErrorHandler: (@convention(c) (OpaquePointer?, Handler?) -> Void)?

    /// Opens the library; `unsupported` if it is missing.
    init() throws(DriverError) {
        let library = try DynamicLibrary("libiio.so.0")
        unsafe create = try unsafe library.function("iio_create_context_from_uri")
        unsafe destroy = try unsafe library.function("iio_context_destroy")
        unsafe xml = try unsafe library.function("iio_context_get_xml")
        unsafe setTimeout = try unsafe library.function("iio_context_set_timeout")
        unsafe findDevice = try unsafe library.function("iio_context_find_device")
        unsafe findChannel = try unsafe library.function("iio_device_find_channel")
        unsafe readDevice = try unsafe library.function("iio_device_attr_read")
        unsafe readChannel = try unsafe library.function("iio_channel_attr_read")
        unsafe channelCount = try unsafe library.function("iio_device_get_channels_count")
        unsafe channel = try unsafe library.function("iio_device_get_channel")
        unsafe enable = try unsafe library.function("iio_channel_enable")
        unsafe disable = try unsafe library.function("iio_channel_disable")
        unsafe setBlockCount = try unsafe library.function("iio_device_set_kernel_buffers_count")
        unsafe createBuffer = try unsafe library.function("iio_device_create_buffer")
        unsafe destroyBuffer = try unsafe library.function("iio_buffer_destroy")
        unsafe setBlocking = try unsafe library.function("iio_buffer_set_blocking_mode")
        unsafe pollDescriptor = try unsafe library.function("iio_buffer_get_poll_fd")
        unsafe scanSize = try unsafe library.function("iio_buffer_step")
        unsafe refill = try unsafe library.function("iio_buffer_refill")
        unsafe firstScan = try unsafe library.function("iio_buffer_start")
        // libxml2 is a dependency of libiio, so it is found through libiio.
        unsafe setErrorHandler = try? unsafe library.function("xmlSetStructuredErrorFunc")
    }

    /// Keeps libxml2 from writing to standard error on this thread.
    func silenceParser() {
        if let setErrorHandler = unsafe setErrorHandler { unsafe setErrorHandler(nil, { _, _ in }) }
    }
}

/// Runs code that may write to a closed connection, and keeps SIGPIPE from ending the process.
///
/// libiio 0.24 writes to its sockets without MSG_NOSIGNAL. The signal goes to the writing thread, so it is blocked on
/// this thread only, and removed before it is delivered.
func withoutBrokenPipes<Value>(_ body: () -> Value) -> Value {
    var pipe = sigset_t()
    var before = sigset_t()
    var pending = sigset_t()
    unsafe sigemptyset(&pipe)
    unsafe sigaddset(&pipe, SIGPIPE)
    unsafe sigpending(&pending)
    let wasPending = unsafe sigismember(&pending, SIGPIPE) == 1
    guard unsafe pthread_sigmask(SIG_BLOCK, &pipe, &before) == 0 else { return body() }
    let value = body()
    if !wasPending {
        var atOnce = timespec()
        while unsafe sigtimedwait(&pipe, nil, &atOnce) == -1 && errno == EINTR {}
    }
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    return value
}
