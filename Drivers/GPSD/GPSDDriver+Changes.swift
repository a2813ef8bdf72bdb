public import DriverKit
public import Readiness

extension GPSDDriver {
    /// The nodes of receivers.
    public var eventSubsystems: Set<String> { ["tty", "gnss"] }

    /// gpsd's stream, at depth `sample` alone: a watch opens the receivers.
    public func eventFeeds(_ depth: Depth) -> [EventFeed] {
        guard depth == .sample else { return [] }
        return [
            EventFeed(
                .gpsd(host: host, port: port), request: Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8),
                farewell: Array("?WATCH={\"enable\":false};\n".utf8))
        ]
    }

    /// gpsd's stream, and udev's word of receivers that come and go.
    public var changeSources: [ChangeSource] {
        let driver = self
        @Sendable func devices(_ world: any World, _ monitor: ChangeMonitor) throws(DriverError) {
            defer { driver.stream.forgetPorts(isHeeded: false) }
            try listenToDevices(of: driver.eventSubsystems, in: world, monitor, as: .findings) {
                driver.stream.forgetPorts(isHeeded: true)
            }
        }
        @Sendable func stream(_ world: any World, _ monitor: ChangeMonitor) throws(DriverError) {
            driver.listenToStream(in: world, monitor)
        }
        return [devices, stream]
    }

    /// Follows gpsd for as long as it lasts, and connects again when it has gone: a tenth of a second later at first, then
    /// twice as long each time up to five seconds, each a little off so that many rigs do not come at once.
    private func listenToStream(in world: any World, _ monitor: ChangeMonitor) {
        // Connecting may start gpsd, which a listing must not.
        guard monitor.depth != .presence else { return }
        var pause = 0.1
        while !monitor.isCancelled {
            let began = world.now()
            follow(world, monitor)
            monitor.report(.findings)
            // One that hangs up at once, or gives its receivers up at once, is not to be asked ten times a second.
            pause = began.seconds(to: world.now()) > 0.2 ? 0.1 : min(pause * 2, 5)
            monitor.wait(pause * Double.random(in: 0.8...1.2))
        }
    }

    /// One connection, if there is any.
    private func follow(_ world: any World, _ monitor: ChangeMonitor) {
        let address = GPSDAddress(host: host, port: port, world: world)
        let soon = world.now().advanced(bySeconds: 2)
        guard let channel = try? world.channel(to: address.endpoint, until: soon) else { return }
        monitor.keep(channel)
        defer { monitor.drop(channel) }
        guard
            case .answered(let conversation, let devices) = DeviceListResponse.ask(
                channel, at: address, in: world, until: soon)
        else { return }
        var watch = GPSDWatch(conversation, devices)
        // Only a watch makes gpsd speak, and it opens the receivers, which depth `state` must not.
        if monitor.depth == .sample { watch.begin(at: world.now(), until: soon) }
        defer { stream.keep(nil) }
        let advice = ReceiverRemedies(address: address)
        var told: [GPSDWatch.ReceiverState]?
        // Other devices, and one that gpsd gave up, are for a new conversation to tell of.
        while !monitor.isCancelled, watch.loss == nil, !watch.isOutdated, !watch.receivers.contains(where: \.isDropped)
        {
            let now = world.now()
            let standings = watch.standings(criteria, advice, at: now)
            if monitor.depth == .sample { stream.keep(watch) }
            if standings != told { monitor.report(.findings) }
            told = standings
            _ = watch.listen(in: world, until: watch.turn(criteria, after: now) ?? now.advanced(bySeconds: 3600))
        }
    }
}
