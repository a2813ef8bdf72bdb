internal import DriverKit
internal import Linux

/// libiio's functions for buffers, which a probe does not need.
@safe
struct LibIIOBuffers: @unchecked Sendable {
    // Signatures as in iio.h 0.24, whose handles are opaque.
    typealias Count = @convention(c) (OpaquePointer?) -> CUnsignedInt
    typealias BufferChannel = @convention(c) (OpaquePointer?, CUnsignedInt) -> OpaquePointer?
    typealias Test = @convention(c) (OpaquePointer?) -> Bool
    typealias Act = @convention(c) (OpaquePointer?) -> Void
    typealias CreateBuffer = @convention(c) (OpaquePointer?, Int, Bool) -> OpaquePointer?
    typealias Set = @convention(c) (OpaquePointer?, Bool) -> CInt
    typealias Number = @convention(c) (OpaquePointer?) -> CInt
    typealias Size = @convention(c) (OpaquePointer?) -> Int
    typealias Start = @convention(c) (OpaquePointer?) -> UnsafeMutableRawPointer?

    let channelCount: Count
    let channel: BufferChannel
    let isOutput: Test
    let enable: Act
    let disable: Act
    let create: CreateBuffer
    let destroy: Act
    let setBlocking: Set
    let descriptor: Number
    let refill: Size
    let step: Size
    let start: Start

    /// Opens the library; throws `unsupported` if it is missing.
    init() throws(DriverError) {
        let library = try DynamicLibrary("libiio.so.0")
        unsafe channelCount = try unsafe library.function("iio_device_get_channels_count")
        unsafe channel = try unsafe library.function("iio_device_get_channel")
        unsafe isOutput = try unsafe library.function("iio_channel_is_output")
        unsafe enable = try unsafe library.function("iio_channel_enable")
        unsafe disable = try unsafe library.function("iio_channel_disable")
        unsafe create = try unsafe library.function("iio_device_create_buffer")
        unsafe destroy = try unsafe library.function("iio_buffer_destroy")
        unsafe setBlocking = try unsafe library.function("iio_buffer_set_blocking_mode")
        unsafe descriptor = try unsafe library.function("iio_buffer_get_poll_fd")
        unsafe refill = try unsafe library.function("iio_buffer_refill")
        unsafe step = try unsafe library.function("iio_buffer_step")
        unsafe start = try unsafe library.function("iio_buffer_start")
    }
}
