internal import CIIO
internal import Glibc
internal import Synchronization

/// libiio's functions, opened at first use, so that a probe without contexts that need them does not pay for them.
@safe
package struct LibIIO: @unchecked Sendable {
    // Signatures as in iio.h 0.24, whose handles are opaque.
    package typealias Create = @convention(c) (UnsafePointer<CChar>?) -> OpaquePointer?
    package typealias Destroy = @convention(c) (OpaquePointer?) -> Void
    typealias Text = @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>?
    typealias SetTimeout = @convention(c) (OpaquePointer?, CUnsignedInt) -> CInt
    package typealias Find = @convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> OpaquePointer?
    package typealias FindChannel = @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, Bool) -> OpaquePointer?
    typealias Read =
        @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, UnsafeMutablePointer<CChar>?, Int) -> Int
    private typealias SetErrorHandler = @convention(c) (OpaquePointer?, Handler?) -> Void
    private typealias Handler = @convention(c) (OpaquePointer?, OpaquePointer?) -> Void

    package let create: Create
    package let destroy: Destroy
    let xml: Text
    let setTimeout: SetTimeout
    package let findDevice: Find
    package let findChannel: FindChannel
    let readDevice: Read
    let readChannel: Read
    private let setErrorHandler: SetErrorHandler?

    /// Opens the library; nil where it is missing.
    package init?() {
        // Never closed again: the next call finds it open.
        guard let library = unsafe dlopen("libiio.so.0", RTLD_NOW | RTLD_LOCAL) else { return nil }
        func function<Function>(_ name: String, _: Function.Type) -> Function? {
            guard let symbol = unsafe dlsym(library, name) else { return nil }
            return unsafe unsafeBitCast(symbol, to: Function.self)
        }
        guard let create = unsafe function("iio_create_context_from_uri", Create.self),
            let destroy = unsafe function("iio_context_destroy", Destroy.self),
            let xml = unsafe function("iio_context_get_xml", Text.self),
            let setTimeout = unsafe function("iio_context_set_timeout", SetTimeout.self),
            let findDevice = unsafe function("iio_context_find_device", Find.self),
            let findChannel = unsafe function("iio_device_find_channel", FindChannel.self),
            let readDevice = unsafe function("iio_device_attr_read", Read.self),
            let readChannel = unsafe function("iio_channel_attr_read", Read.self)
        else { return nil }
        unsafe self.create = create
        unsafe self.destroy = destroy
        unsafe self.xml = xml
        unsafe self.setTimeout = setTimeout
        unsafe self.findDevice = findDevice
        unsafe self.findChannel = findChannel
        unsafe self.readDevice = readDevice
        unsafe self.readChannel = readChannel
        // A library that libiio brings along, so it is found by way of it.
        unsafe setErrorHandler = function("xmlSetStructuredErrorFunc", SetErrorHandler.self)
    }

    /// Keeps libxml2 from writing to standard error on this thread.
    package func silenceParser() {
        if let setErrorHandler = unsafe setErrorHandler { unsafe setErrorHandler(nil, { _, _ in }) }
    }
}
