#if Web

    import Fleet
    import HTTPTypes
    import HummingbirdCore
    import LocalRig
    import NIOCore
    import Readiness
    import Rendering

    /// Answers each request: who may not ask is refused first, and what is not there last.
    struct BoardResponder: Sendable {
        static let eventStream = "text/event-stream"
        /// How often a stream without news shows a sign of life.
        private static let beat = TimeAmount.seconds(15)

        let feed: BoardFeed
        /// Nil without a broker.
        let fleet: FleetFeed?
        let access: BoardAccess
        let isSecure: Bool

        /// The name of the cookie; a browser keeps the longer one from being set by anything but this address over TLS.
        private var cookie: String { isSecure ? "__Host-rigready" : "rigready" }

        func respond(
            to request: Request, _ writer: consuming ResponseWriter, on channel: any Channel
        ) async throws {
            let path = request.uri.path
            if let refusal = refusal(of: request, on: channel) { return try await send(refusal, to: request, writer) }
            if path == "/events" {
                return try await stream(
                    to: request, writer, on: channel, { feed.addViewer(isGuarded: access.isGuarded) }, feed.remove)
            }
            guard path == "/fleet" || path.hasPrefix("/fleet/") else {
                return try await send(try answer(path), to: request, writer)
            }
            guard let fleet else {
                let answer = Answer(.notFound, "No broker is known: rigready-web --broker mqtt://HOST.\n")
                return try await send(answer, to: request, writer)
            }
            try await respond(to: request, below: path.dropFirst("/fleet".count), of: fleet, writer, on: channel)
        }

        /// Answers for `/fleet/`, the page of all rigs, and `/fleet/NAME/`, that of one; each has its events and its files.
        private func respond(
            to request: Request, below path: Substring, of fleet: FleetFeed, _ writer: consuming ResponseWriter,
            on channel: any Channel
        ) async throws {
            var parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            guard let last = parts.popLast(), parts.count <= 1 else {
                let answer =
                    parts.isEmpty
                    ? Answer(.permanentRedirect, "", [.location: "/fleet/"])
                    : Answer(.notFound, "There are /fleet/ and /fleet/NAME/.\n")
                return try await send(answer, to: request, writer)
            }
            let name = parts.first.map { RigName(String($0)) }
            guard name != .some(nil) else {
                return try await send(Answer(.notFound, "No rig can have this name.\n"), to: request, writer)
            }
            let subject = name.flatMap(\.self).map(FleetFeed.FleetView.rig) ?? .fleet
            switch last {
            case "":
                // Nothing is read for who asks for the head alone.
                let page = request.method == .head ? "" : await fleet.page(of: subject)
                try await send(Answer(.ok, page, type: "text/html; charset=utf-8"), to: request, writer)
            case "events":
                try await stream(
                    to: request, writer, on: channel,
                    { fleet.addViewer(of: subject, isGuarded: access.isGuarded) }, fleet.remove)
            case "board.css", "board.js": try await send(try answer("/\(last)"), to: request, writer)
            default: try await send(Answer(.notFound, "There are /fleet/ and /fleet/NAME/.\n"), to: request, writer)
            }
        }

        /// Why a request is not answered; nil if it may be.
        private func refusal(of request: Request, on channel: any Channel) -> Answer? {
            let host = HTTPField.Name("Host").map { request.headers[values: $0].isEmpty } ?? true
            guard host, access.admits(host: request.head.authority, to: channel.localAddress?.ipAddress) else {
                return Answer(.misdirectedRequest, "This is not the machine that the request names.\n")
            }
            guard request.method == .get || request.method == .head else {
                return Answer(
                    .methodNotAllowed, "Nothing can be changed here: GET and HEAD only.\n", [.allow: "GET, HEAD"])
            }
            if request.uri.path == "/", let token = request.uri.queryParameters["token"] {
                return exchange(String(token))
            }
            let bearer = request.headers[.authorization].flatMap { value in
                value.lowercased().hasPrefix("bearer ") ? String(value.dropFirst(7)) : nil
            }
            guard access.admits(session: session(of: request), token: bearer) else {
                return Answer(
                    .unauthorized, "Open the address that rigready-web has printed: it has the token.\n",
                    [.wwwAuthenticate: "Bearer"])
            }
            return nil
        }

        /// The value of our cookie.
        private func session(of request: Request) -> String? {
            let pairs = request.headers[values: .cookie].flatMap { $0.split(separator: ";") }
            let own = pairs.map { $0.drop { $0 == " " } }.first { $0.hasPrefix(cookie + "=") }
            return own.map { String($0.dropFirst(cookie.count + 1)) }
        }

        /// Exchanges the token for a cookie, and leads to the address without it.
        ///
        /// By a page, and not by a redirect: a browser that followed a link from elsewhere would not send the cookie.
        private func exchange(_ token: String) -> Answer {
            if access.token == nil { return Answer(.seeOther, "", [.location: "/"]) }
            guard let session = access.exchange(token) else {
                return Answer(.forbidden, "The token is not right: open the address that rigready-web has printed.\n")
            }
            let page = """
                <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"/><title>RigReady</title>
                <meta http-equiv="refresh" content="0;url=/"/></head>
                <body><main><h1>RigReady</h1><p><a href="/">Open the board</a></p></main></body></html>

                """
            let attributes = "Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000" + (isSecure ? "; Secure" : "")
            return Answer(
                .ok, page, [.setCookie: "\(cookie)=\(session); \(attributes)"], type: "text/html; charset=utf-8")
        }

        private func answer(_ path: String) throws -> Answer {
            if path == "/board.css" { return Answer(.ok, BoardFiles.style, file: "text/css; charset=utf-8") }
            if path == "/board.js" { return Answer(.ok, BoardFiles.script, file: "text/javascript; charset=utf-8") }
            guard let snapshot = feed.snapshot else {
                return Answer(.serviceUnavailable, "The rig is being probed.\n", [.retryAfter: "2"])
            }
            switch path {
            case "/": return Answer(.ok, snapshot.page, type: "text/html; charset=utf-8")
            case "/report.json": return Answer(.ok, try snapshot.report, type: "application/json")
            case "/metrics": return Answer(.ok, snapshot.metrics, type: PrometheusMetrics.mediaType)
            default: return Answer(.notFound, "There are /, /report.json, /events, /metrics and /fleet/.\n")
            }
        }

        private func send(
            _ answer: Answer, to request: Request, _ writer: consuming ResponseWriter
        ) async throws {
            var answer = answer
            if let tag = answer.tag, request.headers[.ifNoneMatch] == tag {
                answer = Answer(.notModified, "", answer.fields)
            }
            let head = HTTPResponse(status: answer.status, headerFields: answer.headers)
            if request.method == .head || answer.text.isEmpty { return try await writer.writeResponse(head) }
            try await writer.write(response: head, body: ResponseBody(byteBuffer: ByteBuffer(string: answer.text)))
        }

        // MARK: Events

        /// Sends the state of the rig at each change, and its signals, until the reader is gone.
        private func stream(
            to request: Request, _ writer: consuming ResponseWriter, on channel: any Channel,
            _ addViewer: () -> BoardViewer?, _ remove: (BoardViewer) -> Void
        ) async throws {
            let head = HTTPResponse(
                status: .ok, headerFields: Answer(.ok, "", type: Self.eventStream).headersWithoutLength)
            if request.method == .head { return try await writer.writeResponse(head) }
            guard let viewer = addViewer() else {
                let answer = Answer(
                    .serviceUnavailable, "There are \(BoardFeed.viewerLimit) viewers already.\n", [.retryAfter: "10"])
                return try await send(answer, to: request, writer)
            }
            defer { remove(viewer) }
            channel.closeFuture.whenComplete { _ in viewer.end() }
            let beats = channel.eventLoop.scheduleRepeatedTask(initialDelay: Self.beat, delay: Self.beat) { _ in
                if !viewer.beat() { channel.close(promise: nil) }
            }
            defer { beats.cancel() }
            var body = try await writer.writeHead(head)
            for await _ in viewer.wakes {
                let text = viewer.take()
                if text.isEmpty { continue }
                try await body.write(ByteBuffer(string: text))
                viewer.finishSending()
            }
            try await body.finish(nil)
        }
    }
#endif
