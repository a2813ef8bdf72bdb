internal import CMosquitto
internal import DriverKit
internal import Linux

/// The functions of libmosquitto, opened at first use: only publishing and reading a fleet need it.
@safe
struct LibMosquitto: @unchecked Sendable {
    /// The shared library, and the Debian package that has it.
    static let library = "libmosquitto.so.1"
    static let package = "libmosquitto1"

    typealias Client = OpaquePointer
    typealias Text = UnsafePointer<CChar>
    typealias Context = UnsafeMutableRawPointer
    /// A function that is called with a number: the answer to CONNECT, or the identifier of a packet.
    typealias NumberHandler = @convention(c) (Client?, Context?, CInt) -> Void
    /// A function that is called with a SUBACK: the identifier, and each filter's granted quality of service.
    typealias GrantHandler = @convention(c) (Client?, Context?, CInt, CInt, UnsafePointer<CInt>?) -> Void
    /// A function that is called with a `struct mosquitto_message`.
    typealias MessageHandler = @convention(c) (Client?, Context?, UnsafePointer<mosquitto_message>?) -> Void
    /// A function that is called with a level and a line of the library's log.
    typealias LogHandler = @convention(c) (Client?, Context?, CInt, Text?) -> Void

    let create: opened_mosquitto_new
    let destroy: opened_mosquitto_destroy
    let setWill: opened_mosquitto_will_set
    let setUser: opened_mosquitto_username_pw_set
    let setTLS: opened_mosquitto_tls_set
    let setOption: opened_mosquitto_int_option
    let connect: opened_mosquitto_connect
    /// Connects with the properties of MQTT 5.
    let connectWithProperties: opened_mosquitto_connect_bind_v5
    let addProperty: opened_mosquitto_property_add_int32
    let freeProperties: opened_mosquitto_property_free_all
    let disconnect: opened_mosquitto_disconnect
    let publish: opened_mosquitto_publish
    let subscribe: opened_mosquitto_subscribe
    let unsubscribe: opened_mosquitto_unsubscribe
    let socket: opened_mosquitto_socket
    let wantsToWrite: opened_mosquitto_want_write
    let read: opened_mosquitto_loop_read
    let write: opened_mosquitto_loop_write
    let keepAlive: opened_mosquitto_loop_misc
    let words: opened_mosquitto_strerror
    let refusal: opened_mosquitto_connack_string
    /// The words of a reason code of MQTT 5.
    let reason: opened_mosquitto_reason_string
    let onConnect: opened_mosquitto_connect_callback_set
    let onPublish: opened_mosquitto_publish_callback_set
    let onSubscribe: opened_mosquitto_subscribe_callback_set
    let onUnsubscribe: opened_mosquitto_unsubscribe_callback_set
    let onMessage: opened_mosquitto_message_callback_set
    let onLog: opened_mosquitto_log_callback_set

    /// Opens the library; `unsupported` if it is missing.
    init() throws(DriverError) {
        let library = try DynamicLibrary(Self.library)
        let initialize: opened_mosquitto_lib_init = try unsafe library.function("mosquitto_lib_init")
        _ = initialize()
        unsafe create = try unsafe library.function("mosquitto_new")
        unsafe destroy = try unsafe library.function("mosquitto_destroy")
        unsafe setWill = try unsafe library.function("mosquitto_will_set")
        unsafe setUser = try unsafe library.function("mosquitto_username_pw_set")
        unsafe setTLS = try unsafe library.function("mosquitto_tls_set")
        unsafe setOption = try unsafe library.function("mosquitto_int_option")
        unsafe connect = try unsafe library.function("mosquitto_connect")
        unsafe connectWithProperties = try unsafe library.function("mosquitto_connect_bind_v5")
        unsafe addProperty = try unsafe library.function("mosquitto_property_add_int32")
        unsafe freeProperties = try unsafe library.function("mosquitto_property_free_all")
        unsafe disconnect = try unsafe library.function("mosquitto_disconnect")
        unsafe publish = try unsafe library.function("mosquitto_publish")
        unsafe subscribe = try unsafe library.function("mosquitto_subscribe")
        unsafe unsubscribe = try unsafe library.function("mosquitto_unsubscribe")
        unsafe socket = try unsafe library.function("mosquitto_socket")
        unsafe wantsToWrite = try unsafe library.function("mosquitto_want_write")
        unsafe read = try unsafe library.function("mosquitto_loop_read")
        unsafe write = try unsafe library.function("mosquitto_loop_write")
        unsafe keepAlive = try unsafe library.function("mosquitto_loop_misc")
        unsafe words = try unsafe library.function("mosquitto_strerror")
        unsafe refusal = try unsafe library.function("mosquitto_connack_string")
        unsafe reason = try unsafe library.function("mosquitto_reason_string")
        unsafe onConnect = try unsafe library.function("mosquitto_connect_callback_set")
        unsafe onPublish = try unsafe library.function("mosquitto_publish_callback_set")
        unsafe onSubscribe = try unsafe library.function("mosquitto_subscribe_callback_set")
        unsafe onUnsubscribe = try unsafe library.function("mosquitto_unsubscribe_callback_set")
        unsafe onMessage = try unsafe library.function("mosquitto_message_callback_set")
        unsafe onLog = try unsafe library.function("mosquitto_log_callback_set")
    }
}

/// A result of libmosquitto, `enum mosq_err_t`.
struct MosquittoStatus: RawRepresentable, Hashable {
    let rawValue: CInt

    init(rawValue: CInt) { self.rawValue = rawValue }
    private init(_ status: mosq_err_t) { rawValue = CInt(status.rawValue) }

    static let success = Self(MOSQ_ERR_SUCCESS)
    static let connectionRefused = Self(MOSQ_ERR_CONN_REFUSED)
    static let connectionLost = Self(MOSQ_ERR_CONN_LOST)
    static let tls = Self(MOSQ_ERR_TLS)
    static let systemError = Self(MOSQ_ERR_ERRNO)
    static let nameLookup = Self(MOSQ_ERR_EAI)
    static let keepAlive = Self(MOSQ_ERR_KEEPALIVE)
}
