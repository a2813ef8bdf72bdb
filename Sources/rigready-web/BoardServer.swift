#if Web

    import DriverKit
    import Glibc
    import HummingbirdCore
    import HummingbirdTLS
    import Linux
    import LocalRig
    import Logging
    import NIOCore
    import NIOPosix
    import NIOSSL
    import ServiceLifecycle
    import Synchronization
    import SystemPackage

    extension RigReadyWeb {
        /// The longest head of a request in bytes, and the most fields.
        private static let headLimit = (bytes: 8 << 10, fields: 64)

        /// Probes the rig once, then serves it on other threads; returns once the address can be opened.
        func serve(_ feed: BoardFeed, _ fleet: FleetFeed?, at address: BoardAddress) throws {
            let tls = try tlsConfiguration()
            try follow(feed)
            let token: String? =
                if let tokenFile {
                    try BoardToken.kept(in: tokenFile)
                } else {
                    address.isLoopback ? nil : BoardToken.random()
                }
            let names = BoardAccess.machineNames + [address.host, address.name]
            let access = BoardAccess(names: names, token: token)
            let threads = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            func channel(_ access: BoardAccess, isSecure: Bool) -> HTTP1Channel {
                // Each place has its own: who may not open the socket cannot use up its connections.
                let limit = ConnectionLimit()
                let responder = BoardResponder(feed: feed, fleet: fleet, access: access, isSecure: isSecure)
                return HTTP1Channel(
                    responder: { request, writer, channel in
                        try await responder.respond(to: request, writer, on: channel)
                    },
                    configuration: HTTP1Channel.Configuration(
                        additionalChannelHandlers: [ConnectionGuard(limit)],
                        httpDecoderConfiguration: .init(
                            maxHeaderFieldSize: Self.headLimit.bytes, maxHeaderListSize: Self.headLimit.bytes,
                            maxHeaderFieldCount: Self.headLimit.fields)))
            }
            let place = BindAddress.hostname(address.host, port: Int(address.port))
            do {
                if let tls {
                    let secured = try TLSChannel(channel(access, isSecure: true), tlsConfiguration: tls)
                    try start(secured, at: place, by: threads)
                } else {
                    try start(channel(access, isSecure: false), at: place, by: threads)
                }
            } catch is NIOSSLError {
                throw LocalRigError(.unusableFile, "\(key ?? ""): expected the private key of \(certificate ?? "")")
            } catch let error as IOError {
                let place = HostPort(host: address.host, port: address.port)
                throw LocalRigError(
                    .invalidRequest,
                    "\(place) cannot be used: \(Errno(rawValue: error.errnoCode)). Choose another with --listen.")
            }
            if let socket {
                // Whoever may open it has the kernel's permission, and needs no secret.
                try listen(
                    on: socket, channel(BoardAccess(names: names, token: nil, isSocket: true), isSecure: false),
                    by: threads)
            }
            show(address, access, isSecure: tls != nil)
        }

        /// Listens on a Unix socket too, which its owner and its group may open; one that is left over is replaced.
        ///
        /// Source: unix(7), "Pathname socket ownership and permissions": connecting needs permission to write.
        private func listen(
            on socket: String, _ channel: HTTP1Channel, by threads: MultiThreadedEventLoopGroup
        ) throws {
            do {
                try start(channel, at: .unixDomainSocket(path: socket), by: threads)
            } catch let error as IOError {
                throw LocalRigError(.invalidRequest, "--socket \(socket): \(Errno(rawValue: error.errnoCode)).")
            } catch {
                throw LocalRigError(
                    .invalidRequest, "--socket \(socket): it is not a socket, or its path is longer than 107 bytes.")
            }
            guard unsafe chmod(socket, 0o660) == 0 else {
                throw LocalRigError(.invalidRequest, "--socket \(socket): \(Errno(rawValue: errno)).")
            }
        }

        /// Follows the rig on a thread; returns once it was probed.
        private func follow(_ feed: BoardFeed) throws {
            let start = try StartSignal()
            let isStarted = Worker.start {
                do {
                    try feed.run { start.end() }
                } catch {
                    if start.hasEnded { RigReadyWeb.fail("\(error)", 70) }
                    start.end(error)
                }
            }
            if !isStarted { throw LocalRigError(.internalFault, "the system cannot start a thread") }
            try start.wait()
        }

        private func start<Channel: ServerChildChannel>(
            _ channel: Channel, at place: BindAddress, by threads: MultiThreadedEventLoopGroup
        ) throws {
            let start = try StartSignal()
            let server = Server(
                childChannelSetup: channel,
                configuration: ServerConfiguration(address: place),
                onServerRunning: { _ in start.end() },
                eventLoopGroup: threads,
                logger: Logger(label: "rigready-web") { _ in SwiftLogNoOpLogHandler() })
            Task.detached(executorPreference: EventLoopExecutor(threads.next())) {
                do {
                    try await server.run()
                    RigReadyWeb.fail("the server has ended", 70)
                } catch {
                    if start.hasEnded { RigReadyWeb.fail("the server has ended: \(error)", 70) }
                    start.end(error)
                }
            }
            try start.wait()
        }

        private func tlsConfiguration() throws(LocalRigError) -> TLSConfiguration? {
            guard let certificate, let key else { return nil }
            func read<Value>(
                _ file: String, _ expected: String, _ parse: ([UInt8]) throws -> Value
            ) throws(LocalRigError) -> Value {
                let bytes = try InputFile.read(file, limit: 1 << 20, expecting: expected)
                do {
                    return try parse(bytes)
                } catch {
                    throw LocalRigError(.unusableFile, "\(file): expected \(expected)")
                }
            }
            let chain = try read(certificate, "a certificate in PEM") { bytes in
                let chain = try NIOSSLCertificate.fromPEMBytes(bytes)
                guard !chain.isEmpty else { throw NIOSSLError.failedToLoadCertificate }
                return chain
            }
            let privateKey = try read(key, "a private key in PEM") { try NIOSSLPrivateKey(bytes: $0, format: .pem) }
            var tls = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(privateKey))
            tls.minimumTLSVersion = .tlsv12
            tls.applicationProtocols = ["http/1.1"]
            return tls
        }

        /// Prints the addresses to open, the first as a QR code too if a terminal shows it and it has a token.
        private func show(_ address: BoardAddress, _ access: BoardAccess, isSecure: Bool) {
            // A token that is kept in a file is not printed: the output may be a log.
            let token = tokenFile == nil ? access.token : nil
            let links = address.reachable.map { address.link($0, isSecure: isSecure, token: token) }
            var lines = links
            if token != nil, isatty(STDOUT_FILENO) == 1, let link = links.first {
                lines += QRCode(link)?.lines ?? []
            }
            if let socket { lines.append("The owner and the group of the socket \(socket) need no secret.") }
            if let tokenFile { lines.append("Append ?token= and the contents of \(tokenFile) to the URL.") }
            if access.token != nil, !isSecure, !address.isLoopback {
                lines.append(
                    "The connection is not encrypted: others on the network can read the secret. See --certificate.")
            }
            _ = try? FileDescriptor.standardOutput.writeAll(Array((lines.joined(separator: "\n") + "\n").utf8))
        }
    }

    /// Something that begins on another thread, or fails to.
    private final class StartSignal: Sendable {
        private let waker: Waker
        private let failure = Mutex<(any Error)?>(nil)

        init() throws(DriverError) { waker = try Waker() }

        var hasEnded: Bool { waker.isWoken }

        func end(_ error: (any Error)? = nil) {
            failure.withLock { $0 = error }
            waker.wake()
        }

        func wait() throws {
            while !waker.wait(until: Instant.now.advanced(bySeconds: 3600)) {}
            if let error = failure.withLock({ $0 }) { throw error }
        }
    }
#endif
