internal import CMosquitto
internal import LocalRig
internal import DriverKit
internal import Glibc
internal import SystemPackage

/// One connection to a broker by MQTT 5 or 3.1.1, through libmosquitto.
///
/// libmosquitto keeps a whole packet before anything here sees its length, so only MQTT 5 bounds what a message takes: the
/// client states a maximum packet size, and the broker discards what is larger. With MQTT 3.1.1 the broker's own limit is
/// all there is (mosquitto: `max_packet_size`; NATS: `max_payload`, 1 MiB by default).
///
/// One thread at a time uses it, and every wait has a deadline. It is never opened a second time, so that nothing which a
/// broken connection had not delivered is sent after what the next one sends.
///
/// Source: MQTT Version 5.0 and 3.1.1, OASIS Standards. NATS 2.9 closes connections that use QoS 2 or MQTT 5.
@safe
final class MQTTConnection: @unchecked Sendable {
    /// A protocol level of CONNECT.
    enum Version: CInt { case three = 4, five = 5 }

    enum Packet: Sendable {
        case message(MQTTMessage)
        /// A PUBACK, with the identifier that `publish` returned.
        case acknowledged(CInt)
        case subscribed(CInt, isGranted: Bool)
        case unsubscribed(CInt)
    }

    /// Seconds without traffic after which the broker is asked, and one and a half times of which it waits for us.
    static let keepAlive: CInt = 20

    let url: BrokerURL
    private let library: LibMosquitto
    private let client: OpaquePointer
    private let inbox = Inbox()
    private let version: Version
    private var isClosed = false

    /// Connects, and returns when the broker has accepted the client: by MQTT 5, or by MQTT 3.1.1 where it refuses that.
    static func open(
        _ url: BrokerURL, _ credentials: BrokerCredentials, id: String, will: MQTTMessage? = nil,
        messageLimit: Int, waker: Waker, until deadline: Instant
    ) throws(BrokerError) -> MQTTConnection {
        func connect(_ version: Version) throws(BrokerError) -> MQTTConnection {
            try MQTTConnection(
                url, credentials, id: id, will: will, messageLimit: messageLimit, version, waker: waker,
                until: deadline)
        }
        do throws(BrokerError) {
            return try connect(.five)
        } catch {
            guard error.isOfVersion else { throw error }
            return try connect(.three)
        }
    }

    private init(
        _ url: BrokerURL, _ credentials: BrokerCredentials, id: String, will: MQTTMessage?, messageLimit: Int,
        _ version: Version, waker: Waker, until deadline: Instant
    ) throws(BrokerError) {
        do throws(DriverError) {
            library = try LibMosquitto()
        } catch {
            throw BrokerError(.unsupported, nil, "\(error.reason); apt-get install \(LibMosquitto.package)")
        }
        self.url = url
        self.version = version
        inbox.messageLimit = messageLimit
        let context = unsafe Unmanaged.passUnretained(inbox).toOpaque()
        // It sets SIGPIPE to be ignored, without which a write through OpenSSL could end the process.
        guard let client = unsafe library.create(id, true, context) else {
            throw BrokerError(.unsupported, url, "libmosquitto cannot create a client: \(Errno.current.clause)")
        }
        unsafe self.client = client
        unsafe library.onLog(client, Inbox.log)
        unsafe library.onConnect(client, Inbox.connected)
        unsafe library.onPublish(client, Inbox.acknowledged)
        unsafe library.onSubscribe(client, Inbox.subscribed)
        unsafe library.onUnsubscribe(client, Inbox.unsubscribed)
        unsafe library.onMessage(client, Inbox.received)
        _ = unsafe library.setOption(client, MOSQ_OPT_PROTOCOL_VERSION, version.rawValue)
        // A packet is sent at once, not after the answer to the one before.
        _ = unsafe library.setOption(client, MOSQ_OPT_TCP_NODELAY, 1)
        if let will {
            _ = unsafe library.setWill(client, will.topic, CInt(will.payload.count), will.payload, 1, true)
        }
        if let user = credentials.user { _ = unsafe library.setUser(client, user.name, user.password) }
        if url.isSecure { try secure(with: credentials) }
        try open(waker, until: deadline)
    }

    deinit {
        if !isClosed { discardUnsent() }
        unsafe library.destroy(client)
    }

    private func secure(with credentials: BrokerCredentials) throws(BrokerError) {
        // Where Debian keeps the certificates that the system trusts.
        let files = credentials.files
        let folder = files.caFile == nil ? "/etc/ssl/certs" : nil
        let status = unsafe library.setTLS(
            client, files.caFile, folder, files.certificateFile, files.keyFile,
            // Without it OpenSSL would ask the terminal for the passphrase of a key.
            { _, _, _, _ in 0 })
        guard status == 0 else {
            let names = [files.caFile ?? folder, files.certificateFile, files.keyFile]
            throw BrokerError(
                .unusableFile, url,
                "TLS cannot use \(names.compactMap(\.self).joined(separator: ", ")): \(words(status))")
        }
    }

    // MARK: Connecting

    private func open(_ waker: Waker, until deadline: Instant) throws(BrokerError) {
        // Resolving the name and connecting block; a thread that they hold longer is left behind, with this client.
        let outcome: (status: MosquittoStatus, errno: CInt)?
        do throws(DriverError) {
            outcome = try Worker.answer(until: deadline) { [self] in
                Glibc.errno = 0
                let status = connect()
                return (MosquittoStatus(rawValue: status), Glibc.errno)
            }
        } catch {
            throw BrokerError(.unsupported, url, "no thread can be started: \(error.reason)")
        }
        guard let outcome else { throw BrokerError(.timedOut, url, "no connection before the deadline") }
        if outcome.status != .success { throw failure(outcome.status, outcome.errno) }
        while inbox.answer == nil {
            guard Instant.now < deadline else {
                throw BrokerError(.timedOut, url, "it accepts connections and does not answer: is it an MQTT broker?")
            }
            if try wait(waker, until: deadline) == .woken {
                throw BrokerError(.timedOut, url, "the connection attempt was cancelled")
            }
        }
        guard inbox.answer == 0 else { throw failure(.connectionRefused, 0) }
        // From now on its lines are only those of single packets.
        unsafe library.onLog(client, nil)
    }

    private func connect() -> CInt {
        let (host, port) = (url.address.host, CInt(url.address.port))
        guard version == .five else { return unsafe library.connect(client, host, port, Self.keepAlive) }
        var properties: OpaquePointer?
        defer { unsafe library.freeProperties(&properties) }
        // Twice a report: one that is somewhat too large is reported as such, and not missing.
        let limit = UInt32(2 * inbox.messageLimit)
        let status = unsafe library.addProperty(&properties, CInt(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), limit)
        guard status == 0 else { return status }
        return unsafe library.connectWithProperties(client, host, port, Self.keepAlive, nil, properties)
    }

    // MARK: Packets

    static func waker() throws(BrokerError) -> Waker {
        do throws(DriverError) { return try Waker() } catch { throw BrokerError(.unsupported, nil, "\(error)") }
    }

    /// Publishes with QoS 1, to be kept; returns the identifier of the acknowledgement to come.
    func publish(_ message: MQTTMessage) throws(BrokerError) -> CInt {
        var identifier: CInt = 0
        try check(
            unsafe library.publish(
                client, &identifier, message.topic, CInt(message.payload.count), message.payload, 1, true))
        return identifier
    }

    /// Subscribes to a filter with QoS 0, which for NATS costs no consumer of its own.
    func subscribe(_ filter: String) throws(BrokerError) -> CInt {
        var identifier: CInt = 0
        try check(unsafe library.subscribe(client, &identifier, filter, 0))
        return identifier
    }

    func unsubscribe(_ filter: String) throws(BrokerError) -> CInt {
        var identifier: CInt = 0
        try check(unsafe library.unsubscribe(client, &identifier, filter))
        return identifier
    }

    /// Waits for packets, for the waker, or until the deadline; what came is then in `takePackets()`.
    func wait(_ waker: Waker, until deadline: Instant) throws(BrokerError) -> Waker.Outcome {
        if unsafe library.wantsToWrite(client) { try check(unsafe library.write(client, 1)) }
        let descriptor = unsafe library.socket(client)
        guard descriptor >= 0 else { throw failure(.connectionLost, 0) }
        let wantsToWrite = unsafe library.wantsToWrite(client)
        let outcome = try rethrowing(
            as: { (error: Errno) in BrokerError(.lost, url, error.clause) },
            try waker.wait(for: descriptor, toWrite: wantsToWrite, until: deadline))
        if outcome == .ready { try check(unsafe library.read(client, 1)) }
        try check(unsafe library.keepAlive(client))
        return outcome
    }

    func takePackets() -> [Packet] {
        defer { inbox.packets.removeAll(keepingCapacity: true) }
        return inbox.packets
    }

    /// Ends the connection in order: the broker does not send the will.
    func close() {
        isClosed = true
        _ = unsafe library.disconnect(client)
    }

    /// Makes the kernel drop what was not delivered yet: it must not arrive after what the next connection sends.
    private func discardUnsent() {
        let descriptor = unsafe library.socket(client)
        guard descriptor >= 0 else { return }
        var option = linger(l_onoff: 1, l_linger: 0)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    // MARK: Errors

    private func check(_ status: CInt) throws(BrokerError) {
        let errno = Glibc.errno
        if status != 0 { throw failure(MosquittoStatus(rawValue: status), errno) }
    }

    private func failure(_ status: MosquittoStatus, _ errno: CInt) -> BrokerError {
        var error = reason(of: status, errno)
        // The reason code 0x84, "Unsupported Protocol Version", or no answer in MQTT 5 at all.
        let isUnanswered = inbox.answer == nil && [.refused, .notTrusted].contains(error.code)
        let isReset = inbox.answer == nil && status == .systemError && Errno(rawValue: errno) == .connectionReset
        error.isOfVersion = version == .five && (isUnanswered || isReset || inbox.answer == 0x84)
        return error
    }

    private func reason(of status: MosquittoStatus, _ errno: CInt) -> BrokerError {
        let isOpen = inbox.answer == 0
        // libmosquitto takes a reason code of MQTT 5 for a protocol error, after it has passed it on.
        let status = inbox.answer.map { $0 == 0 ? status : .connectionRefused } ?? status
        if let line = inbox.failure, url.isSecure, !isOpen { return failure(ofTLS: line) }
        switch status {
        case .connectionRefused where !isOpen:
            let answer = inbox.answer ?? status.rawValue
            let text = unsafe version == .five ? library.reason(answer) : library.refusal(answer)
            let words = unsafe text.map { unsafe String(cString: $0) } ?? "answer \(answer)"
            let start = version == .five ? "Connection Refused: " : ""
            let end = words.hasSuffix(".") ? "" : "."
            return BrokerError(.refused, url, "\(start)\(words)\(end) Are user and password right (passwordFile)?")
        case .systemError where !isOpen && url.isSecure && Errno(rawValue: errno) == .protocolError:
            return BrokerError(
                .notTrusted, url,
                "TLS failed: the broker rejects this client; it may require a certificate (certificateFile, keyFile)")
        case .systemError where !isOpen: return BrokerError(.unreachable, url, Errno(rawValue: errno).clause)
        case .nameLookup:
            let reason = unsafe String(cString: gai_strerror(errno))
            return BrokerError(.unreachable, url, "cannot resolve \(url.address.host): \(reason)")
        case .connectionLost where !isOpen && url.isSecure, .tls where !isOpen:
            return failure(ofTLS: "unexpected eof")
        case .connectionLost where !isOpen:
            return BrokerError(
                .refused, url,
                "the server closed the connection: it is not an MQTT broker, it requires TLS (mqtts://), or its "
                    + "cluster has no quorum")
        case .keepAlive: return BrokerError(.lost, url, "it did not answer for \(Self.keepAlive) s")
        case .systemError: return BrokerError(.lost, url, Errno(rawValue: errno).clause)
        default: return BrokerError(isOpen ? .lost : .refused, url, words(status.rawValue))
        }
    }

    /// The error that OpenSSL reports, in plain words if the port has no TLS.
    private func failure(ofTLS line: String) -> BrokerError {
        let remedy = "use the TLS port (8883 by default), or mqtt://, which is not encrypted"
        let reason =
            if line.contains("wrong version number") || line.contains("packet length too long") {
                "the server answers, but not with TLS on this port: \(remedy)"
            } else if line.contains("unexpected eof") {
                "the server closed the connection before TLS began; this port probably has no TLS: \(remedy)"
            } else {
                line
            }
        return BrokerError(.notTrusted, url, "TLS failed: \(reason)")
    }

    private func words(_ status: CInt) -> String {
        unsafe library.words(status).map { unsafe String(cString: $0) } ?? "error \(status)"
    }
}
