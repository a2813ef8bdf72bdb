internal import DriverKit

/// The functions of libsystemd's sd-bus, opened at first use, so that only a probe that needs the system bus pays for it.
@safe
struct LibSystemd: @unchecked Sendable {
    // Signatures as in sd-bus.h since version 240, whose handles are opaque.
    typealias Handle = OpaquePointer
    typealias CString = UnsafePointer<CChar>

    let open: @convention(c) (UnsafeMutablePointer<Handle?>?) -> CInt
    let close: @convention(c) (Handle?) -> Void
    let release: @convention(c) (Handle?) -> Handle?
    let descriptor: @convention(c) (Handle?) -> CInt
    let events: @convention(c) (Handle?) -> CInt
    let timeout: @convention(c) (Handle?, UnsafeMutablePointer<UInt64>?) -> CInt
    let process: @convention(c) (Handle?, UnsafeMutablePointer<Handle?>?) -> CInt
    let send: @convention(c) (Handle?, Handle?, UnsafeMutablePointer<UInt64>?) -> CInt
    let newCall:
        @convention(c) (Handle?, UnsafeMutablePointer<Handle?>?, CString?, CString?, CString?, CString?) -> CInt
    let setAutoStart: @convention(c) (Handle?, CInt) -> CInt
    let append: @convention(c) (Handle?, CChar, UnsafeRawPointer?) -> CInt
    let releaseMessage: @convention(c) (Handle?) -> Handle?
    let error: @convention(c) (Handle?) -> UnsafeRawPointer?
    let isSignal: @convention(c) (Handle?, CString?, CString?) -> CInt
    let peek: @convention(c) (Handle?, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CString?>?) -> CInt
    let enter: @convention(c) (Handle?, CChar, CString?) -> CInt
    let exit: @convention(c) (Handle?) -> CInt
    let skip: @convention(c) (Handle?, CString?) -> CInt
    let readBasic: @convention(c) (Handle?, CChar, UnsafeMutableRawPointer?) -> CInt
    private let replyCookie: @convention(c) (Handle?, UnsafeMutablePointer<UInt64>?) -> CInt

    /// Opens the library; `unsupported` if it is missing.
    init() throws(DriverError) {
        let library = try DynamicLibrary("libsystemd.so.0")
        unsafe open = try unsafe library.function("sd_bus_open_system")
        unsafe close = try unsafe library.function("sd_bus_close")
        unsafe release = try unsafe library.function("sd_bus_unref")
        unsafe descriptor = try unsafe library.function("sd_bus_get_fd")
        unsafe events = try unsafe library.function("sd_bus_get_events")
        unsafe timeout = try unsafe library.function("sd_bus_get_timeout")
        unsafe process = try unsafe library.function("sd_bus_process")
        unsafe send = try unsafe library.function("sd_bus_send")
        unsafe newCall = try unsafe library.function("sd_bus_message_new_method_call")
        unsafe setAutoStart = try unsafe library.function("sd_bus_message_set_auto_start")
        unsafe append = try unsafe library.function("sd_bus_message_append_basic")
        unsafe releaseMessage = try unsafe library.function("sd_bus_message_unref")
        unsafe error = try unsafe library.function("sd_bus_message_get_error")
        unsafe isSignal = try unsafe library.function("sd_bus_message_is_signal")
        unsafe peek = try unsafe library.function("sd_bus_message_peek_type")
        unsafe enter = try unsafe library.function("sd_bus_message_enter_container")
        unsafe exit = try unsafe library.function("sd_bus_message_exit_container")
        unsafe skip = try unsafe library.function("sd_bus_message_skip")
        unsafe readBasic = try unsafe library.function("sd_bus_message_read_basic")
        unsafe replyCookie = try unsafe library.function("sd_bus_message_get_reply_cookie")
    }

    /// The number of the call that a message answers; nil if it answers none.
    func cookie(answeredBy message: BusMessage) -> UInt64? {
        var cookie: UInt64 = 0
        return unsafe replyCookie(message.handle, &cookie) >= 0 ? cookie : nil
    }
}
