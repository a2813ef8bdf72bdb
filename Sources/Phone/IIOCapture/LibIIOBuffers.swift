internal import Glibc

/// libiio's functions for buffers, which a probe never needs.
@safe
struct LibIIOBuffers: @unchecked Sendable {
    // Signatures as in iio.h 0.24, whose handles are opaque.
    typealias Count = @convention(c) (OpaquePointer?) -> CUnsignedInt
    typealias Channel = @convention(c) (OpaquePointer?, CUnsignedInt) -> OpaquePointer?
    typealias Test = @convention(c) (OpaquePointer?) -> Bool
    typealias Act = @convention(c) (OpaquePointer?) -> Void
    typealias Create = @convention(c) (OpaquePointer?, Int, Bool) -> OpaquePointer?
    typealias Set = @convention(c) (OpaquePointer?, Bool) -> CInt
    typealias Number = @convention(c) (OpaquePointer?) -> CInt
    typealias Size = @convention(c) (OpaquePointer?) -> Int
    typealias Start = @convention(c) (OpaquePointer?) -> UnsafeMutableRawPointer?

    let channelCount: Count
    let channel: Channel
    let isOutput: Test
    let enable: Act
    let disable: Act
    let create: Create
    let destroy: Act
    let setBlocking: Set
    let descriptor: Number
    let refill: Size
    let step: Size
    let start: Start

    /// Opens the library; nil where it is missing.
    init?() {
        // Never closed again: the next call finds it open.
        guard let library = unsafe dlopen("libiio.so.0", RTLD_NOW | RTLD_LOCAL) else { return nil }
        func function<Function>(_ name: String, _: Function.Type) -> Function? {
            guard let symbol = unsafe dlsym(library, name) else { return nil }
            return unsafe unsafeBitCast(symbol, to: Function.self)
        }
        guard let channelCount = unsafe function("iio_device_get_channels_count", Count.self),
            let channel = unsafe function("iio_device_get_channel", Channel.self),
            let isOutput = unsafe function("iio_channel_is_output", Test.self),
            let enable = unsafe function("iio_channel_enable", Act.self),
            let disable = unsafe function("iio_channel_disable", Act.self),
            let create = unsafe function("iio_device_create_buffer", Create.self),
            let destroy = unsafe function("iio_buffer_destroy", Act.self),
            let setBlocking = unsafe function("iio_buffer_set_blocking_mode", Set.self),
            let descriptor = unsafe function("iio_buffer_get_poll_fd", Number.self),
            let refill = unsafe function("iio_buffer_refill", Size.self),
            let step = unsafe function("iio_buffer_step", Size.self),
            let start = unsafe function("iio_buffer_start", Start.self)
        else { return nil }
        unsafe self.channelCount = channelCount
        unsafe self.channel = channel
        unsafe self.isOutput = isOutput
        unsafe self.enable = enable
        unsafe self.disable = disable
        unsafe self.create = create
        unsafe self.destroy = destroy
        unsafe self.setBlocking = setBlocking
        unsafe self.descriptor = descriptor
        unsafe self.refill = refill
        unsafe self.step = step
        unsafe self.start = start
    }
}
