public import DriverKit
internal import Readiness

extension GPSDDriver {
    /// gpsd's stream, and udev's word of receivers that come and go.
    public var changeSources: [ChangeSource] {
        let driver = self
        @Sendable func devices(_ world: any World, _ lookout: Lookout) throws(DriverError) {
            defer { driver.stream.forgetPorts(isHeeded: false) }
            try listenToDevices(of: ["tty", "gnss"], in: world, lookout, as: .findings) {
                driver.stream.forgetPorts(isHeeded: true)
            }
        }
        @Sendable func stream(_ world: any World, _ lookout: Lookout) throws(DriverError) {
            driver.listenToStream(in: world, lookout)
        }
        return [devices, stream]
    }

    /// Follows gpsd for as long as it lasts, and connects again when it has gone: a tenth of a second later at first, then
    /// twice as long each time up to five seconds, each a little off so that many rigs do not come at once.
    private func listenToStream(in world: any World, _ lookout: Lookout) {
        // Connecting may start gpsd, which a listing must not.
        guard lookout.depth != .presence else { return }
        var pause = 0.1
        while !lookout.isCancelled {
            let began = world.now()
            follow(world, lookout)
            lookout.report(.findings)
            // One that hangs up at once, or gives its receivers up at once, is not to be asked ten times a second.
            pause = began.seconds(to: world.now()) > 0.2 ? 0.1 : min(pause * 2, 5)
            lookout.wait(pause * Double.random(in: 0.8...1.2))
        }
    }

    /// One connection, if there is any.
    private func follow(_ world: any World, _ lookout: Lookout) {
        let address = Address(host: host, port: port, world: world)
        let soon = world.now().advanced(bySeconds: 2)
        guard let channel = try? world.channel(to: address.endpoint, until: soon) else { return }
        lookout.keep(channel)
        defer { lookout.drop(channel) }
        guard case .answered(let conversation, let devices) = Greeting.ask(channel, at: address, in: world, until: soon)
        else { return }
        var watch = Watch(conversation, devices)
        // Only a watch makes gpsd speak, and it opens the receivers, which depth `state` must not.
        if lookout.depth == .sample { watch.begin(at: world.now(), until: soon) }
        defer { stream.keep(nil) }
        let advice = Advice(address: address)
        var told: [Watch.Standing]?
        // Other devices, and one that gpsd gave up, are for a new conversation to tell of.
        while !lookout.isCancelled, watch.loss == nil, !watch.isOutdated, !watch.receivers.contains(where: \.isDropped)
        {
            let now = world.now()
            let standings = watch.standings(criteria, advice, at: now)
            if lookout.depth == .sample { stream.keep(watch) }
            if standings != told { lookout.report(.findings) }
            told = standings
            _ = watch.listen(in: world, until: watch.turn(criteria, after: now) ?? now.advanced(bySeconds: 3600))
        }
    }
}
