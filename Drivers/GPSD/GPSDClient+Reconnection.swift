package import DriverKit
internal import Readiness
internal import Synchronization

extension GPSDClient {
    /// Stays connected until the monitor is cancelled; blocks.
    ///
    /// Reconnects a tenth of a second after a loss, then doubles the delay up to five seconds, with some jitter so that
    /// many rigs do not connect at once. Watches only at depth `sample`, which opens the receivers.
    package func run(in world: any World, _ monitor: ChangeMonitor) {
        shared.withLock { $0.isWatching = monitor.depth == .sample }
        var pause = 0.1
        while !monitor.isCancelled {
            // A peer that closes the connection or drops its receivers at once must not be asked ten times a second.
            pause = follow(in: world, monitor) > 0.2 ? 0.1 : min(pause * 2, 5)
            monitor.wait(.seconds(pause * Double.random(in: 0.8...1.2)))
        }
        shared.withLock { shared in
            shared.isWatching = false
            shared.state = GPSDState()
        }
    }

    /// Follows one connection until it is lost or its devices change; returns for how many seconds gpsd answered.
    private func follow(in world: any World, _ monitor: ChangeMonitor) -> Double {
        let address = GPSDAddress(peer, world: world)
        let began = world.now()
        connect(to: address, in: world, monitor, until: began.advanced(bySeconds: Self.patience))
        defer { close(monitor) }
        if monitor.isCancelled { return 0 }
        let isCurrent = shared.withLock(\.state.isCurrent)
        if isCurrent, monitor.depth == .sample {
            let end = world.now().advanced(bySeconds: Self.patience)
            link.withLock { watch(&$0, in: world, until: end) }
            removeOthers(in: world, until: end)
        } else {
            shared.withLock { $0.publish() }
        }
        guard isCurrent else { return 0 }
        while !monitor.isCancelled, case let state = shared.withLock(\.state), state.isCurrent {
            let quiet = world.now().advanced(bySeconds: Self.quiet)
            link.withLock { link in
                if read(&link, in: world, until: min(state.due ?? quiet, quiet)) { return }
                // A receiver counts as silent only while gpsd itself answers.
                let end = world.now().advanced(bySeconds: Self.patience)
                do throws(DriverError) {
                    try link?.connection.ask("?DEVICES;", until: end)
                } catch {
                    return fail(error, address, in: world)
                }
                if !read(&link, in: world, until: end) {
                    fail(DriverError(.timedOut, subject: address.endpoint.description), address, in: world)
                }
            }
        }
        return began.seconds(to: world.now())
    }

    private func close(_ monitor: ChangeMonitor) {
        link.withLock { link in
            if let channel = link?.connection.channel { monitor.drop(channel) }
            link = nil
        }
    }
}
