package import DriverKit
internal import Linux

/// libiio's functions, opened at first use, so that a probe whose contexts do not need them does not pay for them.
@safe
package struct LibIIO: @unchecked Sendable {
    // Signatures as in iio.h 0.24, whose handles are opaque.
    package typealias CreateContext = @convention(c) (UnsafePointer<CChar>?) -> OpaquePointer?
    package typealias Destroy = @convention(c) (OpaquePointer?) -> Void
    typealias Text = @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>?
    typealias SetTimeout = @convention(c) (OpaquePointer?, CUnsignedInt) -> CInt
    package typealias Find = @convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> OpaquePointer?
    package typealias FindChannel = @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, Bool) -> OpaquePointer?
    typealias Read =
        @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, UnsafeMutablePointer<CChar>?, Int) -> Int
    private typealias SetErrorHandler = @convention(c) (OpaquePointer?, Handler?) -> Void
    private typealias Handler = @convention(c) (OpaquePointer?, OpaquePointer?) -> Void

    package let create: CreateContext
    package let destroy: Destroy
    let xml: Text
    let setTimeout: SetTimeout
    package let findDevice: Find
    package let findChannel: FindChannel
    let readDevice: Read
    let readChannel: Read
    private let setErrorHandler: SetErrorHandler?

    /// Opens the library; `unsupported` if it is missing.
    package init() throws(DriverError) {
        let library = try DynamicLibrary("libiio.so.0")
        unsafe create = try unsafe library.function("iio_create_context_from_uri")
        unsafe destroy = try unsafe library.function("iio_context_destroy")
        unsafe xml = try unsafe library.function("iio_context_get_xml")
        unsafe setTimeout = try unsafe library.function("iio_context_set_timeout")
        unsafe findDevice = try unsafe library.function("iio_context_find_device")
        unsafe findChannel = try unsafe library.function("iio_device_find_channel")
        unsafe readDevice = try unsafe library.function("iio_device_attr_read")
        unsafe readChannel = try unsafe library.function("iio_channel_attr_read")
        // libxml2 is a dependency of libiio, so it is found through libiio.
        unsafe setErrorHandler = try? unsafe library.function("xmlSetStructuredErrorFunc")
    }

    /// Keeps libxml2 from writing to standard error on this thread.
    package func silenceParser() {
        if let setErrorHandler = unsafe setErrorHandler { unsafe setErrorHandler(nil, { _, _ in }) }
    }
}
