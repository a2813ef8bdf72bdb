internal import DriverKit
internal import Linux

/// The functions of libmosquitto, opened at first use: only publishing and reading a fleet need it.
///
/// Signatures as in `mosquitto.h` 2.0, whose handles are opaque.
@safe
struct LibMosquitto: @unchecked Sendable {
    /// The shared library, and the Debian package that has it.
    static let library = "libmosquitto.so.1"
    static let package = "libmosquitto1"
    /// Options of a client, `enum mosq_opt_t`.
    static let (protocolVersion, noDelay) = (1 as CInt, 11 as CInt)
    /// The identifier of the property Maximum Packet Size, MQTT 5.0, 3.1.2.11.4.
    static let maximumPacketSize: CInt = 39

    typealias Client = OpaquePointer
    typealias Text = UnsafePointer<CChar>
    typealias Bytes = UnsafeRawPointer
    typealias Context = UnsafeMutableRawPointer
    /// A function that is called with a number: the answer to CONNECT, or the identifier of a packet.
    typealias NumberHandler = @convention(c) (Client?, Context?, CInt) -> Void
    /// A function that is called with a SUBACK: the identifier, and each filter's granted quality of service.
    typealias GrantHandler = @convention(c) (Client?, Context?, CInt, CInt, UnsafePointer<CInt>?) -> Void
    /// A function that is called with a `struct mosquitto_message`.
    typealias MessageHandler = @convention(c) (Client?, Context?, Bytes?) -> Void
    /// A function that is asked for the passphrase of a key, as OpenSSL's `pem_password_cb`.
    typealias PassphraseHandler = @convention(c) (UnsafeMutablePointer<CChar>?, CInt, CInt, Context?) -> CInt
    /// A function that is called with a level and a line of the library's log.
    typealias LogHandler = @convention(c) (Client?, Context?, CInt, Text?) -> Void

    let create: @convention(c) (Text?, Bool, Context?) -> Client?
    let destroy: @convention(c) (Client?) -> Void
    let setWill: @convention(c) (Client?, Text?, CInt, Bytes?, CInt, Bool) -> CInt
    let setUser: @convention(c) (Client?, Text?, Text?) -> CInt
    let setTLS: @convention(c) (Client?, Text?, Text?, Text?, Text?, PassphraseHandler?) -> CInt
    let setOption: @convention(c) (Client?, CInt, CInt) -> CInt
    let connect: @convention(c) (Client?, Text?, CInt, CInt) -> CInt
    /// Connects with the properties of MQTT 5.
    let connectWithProperties: @convention(c) (Client?, Text?, CInt, CInt, Text?, OpaquePointer?) -> CInt
    let addProperty: @convention(c) (UnsafeMutablePointer<OpaquePointer?>?, CInt, UInt32) -> CInt
    let freeProperties: @convention(c) (UnsafeMutablePointer<OpaquePointer?>?) -> Void
    let disconnect: @convention(c) (Client?) -> CInt
    let publish: @convention(c) (Client?, UnsafeMutablePointer<CInt>?, Text?, CInt, Bytes?, CInt, Bool) -> CInt
    let subscribe: @convention(c) (Client?, UnsafeMutablePointer<CInt>?, Text?, CInt) -> CInt
    let unsubscribe: @convention(c) (Client?, UnsafeMutablePointer<CInt>?, Text?) -> CInt
    let socket: @convention(c) (Client?) -> CInt
    let wantsToWrite: @convention(c) (Client?) -> Bool
    let read: @convention(c) (Client?, CInt) -> CInt
    let write: @convention(c) (Client?, CInt) -> CInt
    let keepAlive: @convention(c) (Client?) -> CInt
    let words: @convention(c) (CInt) -> Text?
    let refusal: @convention(c) (CInt) -> Text?
    /// The words of a reason code of MQTT 5.
    let reason: @convention(c) (CInt) -> Text?
    let onConnect: @convention(c) (Client?, NumberHandler?) -> Void
    let onPublish: @convention(c) (Client?, NumberHandler?) -> Void
    let onSubscribe: @convention(c) (Client?, GrantHandler?) -> Void
    let onUnsubscribe: @convention(c) (Client?, NumberHandler?) -> Void
    let onMessage: @convention(c) (Client?, MessageHandler?) -> Void
    let onLog: @convention(c) (Client?, LogHandler?) -> Void

    /// Opens the library; `unsupported` if it is missing.
    init() throws(DriverError) {
        let library = try DynamicLibrary(Self.library)
        let initialize: @convention(c) () -> CInt = try unsafe library.function("mosquitto_lib_init")
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

    static let success = Self(rawValue: 0)
    static let connectionRefused = Self(rawValue: 5)
    static let connectionLost = Self(rawValue: 7)
    static let tls = Self(rawValue: 8)
    static let systemError = Self(rawValue: 14)
    static let nameLookup = Self(rawValue: 15)
    static let keepAlive = Self(rawValue: 19)
}
