#if Web
    import HTTPTypes
    import NIOCore
    import NIOHTTPTypes
    import Synchronization

    /// The connections of a server, in bounds.
    ///
    /// When there are too many, the one that has waited longest for a request is closed in favour of the new one, so that
    /// clients that send nothing, or slowly, keep nobody out; if all are being answered, the new one is closed.
    final class ConnectionLimit: Sendable {
        /// The most connections at a time.
        static let most = 32

        private struct State {
            var channels: [ObjectIdentifier: any Channel] = [:]
            /// Those that wait for a request, the one that does so longest first.
            var waiting: [ObjectIdentifier] = []
        }
        private let state = Mutex(State())

        /// Adds a connection, which waits for a request; returns the one to close, if there are too many.
        func add(_ channel: any Channel) -> (any Channel)? {
            state.withLock { state in
                let name = ObjectIdentifier(channel)
                var closed: (any Channel)?
                if state.channels.count >= Self.most {
                    guard let oldest = state.waiting.first else { return channel }
                    state.waiting.removeFirst()
                    closed = state.channels.removeValue(forKey: oldest)
                }
                state.channels[name] = channel
                state.waiting.append(name)
                return closed
            }
        }

        /// Notes whether a connection waits for a request.
        func set(_ channel: any Channel, isWaiting: Bool) {
            state.withLock { state in
                let name = ObjectIdentifier(channel)
                state.waiting.removeAll { $0 == name }
                if isWaiting, state.channels[name] != nil { state.waiting.append(name) }
            }
        }

        func remove(_ channel: any Channel) {
            state.withLock { state in
                let name = ObjectIdentifier(channel)
                state.channels[name] = nil
                state.waiting.removeAll { $0 == name }
            }
        }
    }

    /// Bounds one connection in time: for a request to arrive, and for its answer to be received.
    ///
    /// What a client sends beside the head of a request is passed over: nothing can be sent to the board. A stream of
    /// events has no end; its own signs of life bound it.
    final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPRequestPart
        typealias InboundOut = HTTPRequestPart
        typealias OutboundIn = HTTPResponsePart
        typealias OutboundOut = HTTPResponsePart

        /// Time for the head of a request, from the start of the connection or the end of the answer before it.
        private static let patience = (request: TimeAmount.seconds(10), answer: TimeAmount.seconds(30))

        private let limit: ConnectionLimit
        private var deadline: Scheduled<Void>?
        private var isAdded = false
        private var isStream = false

        init(_ limit: ConnectionLimit) { self.limit = limit }

        func handlerAdded(context: ChannelHandlerContext) { if context.channel.isActive { begin(context) } }

        func channelActive(context: ChannelHandlerContext) {
            begin(context)
            context.fireChannelActive()
        }

        func channelInactive(context: ChannelHandlerContext) {
            deadline?.cancel()
            limit.remove(context.channel)
            context.fireChannelInactive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head:
                limit.set(context.channel, isWaiting: false)
                close(context, after: Self.patience.answer)
                context.fireChannelRead(data)
            case .body: break
            case .end: context.fireChannelRead(data)
            }
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            switch unwrapOutboundIn(data) {
            case .head(let head):
                isStream = head.headerFields[.contentType] == BoardResponder.eventStream
                if isStream { deadline?.cancel() }
            case .body: break
            case .end:
                isStream = false
                limit.set(context.channel, isWaiting: true)
                close(context, after: Self.patience.request)
            }
            context.write(data, promise: promise)
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            // A reader of events that sends no more is gone; any other client may still wait for its answer.
            if isStream, event as? ChannelEvent == .inputClosed { context.close(promise: nil) }
            context.fireUserInboundEventTriggered(event)
        }

        private func begin(_ context: ChannelHandlerContext) {
            guard !isAdded else { return }
            isAdded = true
            close(context, after: Self.patience.request)
            limit.add(context.channel)?.close(promise: nil)
        }

        private func close(_ context: ChannelHandlerContext, after time: TimeAmount) {
            deadline?.cancel()
            let channel = context.channel
            deadline = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
        }
    }
#endif
