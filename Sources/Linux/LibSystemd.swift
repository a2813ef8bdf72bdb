internal import CSystemd
internal import DriverKit

/// The functions of libsystemd's sd-bus, opened at first use, so that only a probe that needs the system bus pays for it.
@safe
struct LibSystemd: @unchecked Sendable {
    typealias Handle = OpaquePointer
    typealias CString = UnsafePointer<CChar>

    let open: opened_sd_bus_open_system
    let close: opened_sd_bus_close
    let release: opened_sd_bus_unref
    let descriptor: opened_sd_bus_get_fd
    let events: opened_sd_bus_get_events
    let timeout: opened_sd_bus_get_timeout
    let process: opened_sd_bus_process
    let send: opened_sd_bus_send
    let newCall: opened_sd_bus_message_new_method_call
    let setAutoStart: opened_sd_bus_message_set_auto_start
    let append: opened_sd_bus_message_append_basic
    let releaseMessage: opened_sd_bus_message_unref
    let error: opened_sd_bus_message_get_error
    let isSignal: opened_sd_bus_message_is_signal
    let peek: opened_sd_bus_message_peek_type
    let enter: opened_sd_bus_message_enter_container
    let exit: opened_sd_bus_message_exit_container
    let skip: opened_sd_bus_message_skip
    let readBasic: opened_sd_bus_message_read_basic
    let new: opened_sd_bus_new
    let setAddress: opened_sd_bus_set_address
    let start: opened_sd_bus_start
    let call: opened_sd_bus_call
    let freeError: opened_sd_bus_error_free
    let openContainer: opened_sd_bus_message_open_container
    let closeContainer: opened_sd_bus_message_close_container
    let copy: opened_sd_bus_message_copy
    let rewind: opened_sd_bus_message_rewind
    private let replyCookie: opened_sd_bus_message_get_reply_cookie

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
        unsafe new = try unsafe library.function("sd_bus_new")
        unsafe setAddress = try unsafe library.function("sd_bus_set_address")
        unsafe start = try unsafe library.function("sd_bus_start")
        unsafe call = try unsafe library.function("sd_bus_call")
        unsafe freeError = try unsafe library.function("sd_bus_error_free")
        unsafe openContainer = try unsafe library.function("sd_bus_message_open_container")
        unsafe closeContainer = try unsafe library.function("sd_bus_message_close_container")
        unsafe copy = try unsafe library.function("sd_bus_message_copy")
        unsafe rewind = try unsafe library.function("sd_bus_message_rewind")
        unsafe replyCookie = try unsafe library.function("sd_bus_message_get_reply_cookie")
    }

    /// The number of the call that a message answers; nil if it answers none.
    func cookie(answeredBy message: BusMessage) -> UInt64? {
        var cookie: UInt64 = 0
        return unsafe replyCookie(message.handle, &cookie) >= 0 ? cookie : nil
    }
}
