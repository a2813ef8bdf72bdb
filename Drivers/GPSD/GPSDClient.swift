package import DriverKit

/// A conversation with gpsd that is kept going: connected again whenever it breaks off, for as long as somebody listens.
///
/// Half a second later at first, then twice as long each time up to five seconds, each a little off so that many rigs do
/// not come at once.
package struct GPSDClient: Sendable {
    /// What is heard.
    package enum GPSDEvent: Sendable {
        /// gpsd took the request.
        case connected
        case message(Message)
        /// Nothing more until the turn that was waited for.
        case nothing
        /// The connection ended, or there was none.
        case lost(DriverError)
    }

    /// The request that makes gpsd report what its receivers do, which opens them.
    package static let watch = #"?WATCH={"enable":true,"json":true};"#

    private let endpoint: Endpoint
    private let request: String

    /// Makes one; connects to nothing yet.
    package init(with endpoint: Endpoint, asking request: String) {
        self.endpoint = endpoint
        self.request = request
    }

    /// Keeps it going until the lookout is cancelled; blocks.
    ///
    /// `turn` is the next instant at which to be told that nothing came, nil for none.
    package func keep(
        in world: any World, _ monitor: ChangeMonitor, until turn: () -> Instant? = { nil }, _ hear: (GPSDEvent) -> Void
    ) {
        var pause = 0.5
        while !monitor.isCancelled {
            var isUnderstood = false
            do throws(DriverError) {
                try talk(in: world, monitor, until: turn) { heard in
                    if case .message = heard { isUnderstood = true }
                    hear(heard)
                }
            } catch {
                if monitor.isCancelled { return }
                hear(.lost(error))
            }
            pause = isUnderstood ? 0.5 : min(pause * 2, 5)
            monitor.wait(pause * Double.random(in: 0.8...1.2))
        }
    }

    /// One connection, until it breaks off.
    private func talk(
        in world: any World, _ monitor: ChangeMonitor, until turn: () -> Instant?, _ hear: (GPSDEvent) -> Void
    ) throws(DriverError) {
        let soon = world.now().advanced(bySeconds: 2)
        let channel = try world.channel(to: endpoint, until: soon)
        monitor.keep(channel)
        defer { monitor.drop(channel) }
        var stream = GPSDConnection(channel)
        try stream.ask(request, until: soon)
        hear(.connected)
        while !stream.isForeign {
            let now = world.now()
            do throws(DriverError) {
                let end = turn() ?? now.advanced(bySeconds: 3600)
                for message in try stream.listen(until: max(end, now.advanced(bySeconds: 0.01))) {
                    hear(.message(message))
                }
            } catch {
                guard error.code == .timedOut else { throw error }
                hear(.nothing)
            }
        }
        throw DriverError(.malformed, subject: endpoint.description, detail: "what answers is no gpsd")
    }
}
