public import DriverKit
internal import Readiness

extension GPSDDriver {
    /// gpsd's stream, and udev's word of receivers that come and go.
    public var changeSources: [ChangeSource] {
        let driver = self
        @Sendable func devices(_ world: any World, _ lookout: Lookout) throws(DriverError) {
            try listenToDevices(of: ["tty", "gnss"], in: world, lookout, as: .findings)
        }
        @Sendable func stream(_ world: any World, _ lookout: Lookout) throws(DriverError) {
            driver.listenToStream(in: world, lookout)
        }
        return [devices, stream]
    }

    /// Follows gpsd for as long as it lasts, and connects again when it has gone: half a second later at first, then
    /// twice as long each time up to five seconds, each a little off so that many rigs do not come at once.
    private func listenToStream(in world: any World, _ lookout: Lookout) {
        // Connecting may start gpsd, which a listing must not.
        guard lookout.depth != .presence else { return }
        var pause = 0.5
        while !lookout.isCancelled {
            let wasConnected = follow(world, lookout)
            lookout.report(.findings)
            pause = wasConnected ? 0.5 : min(pause * 2, 5)
            lookout.wait(pause * Double.random(in: 0.8...1.2))
        }
    }

    /// One connection; whether there was any.
    private func follow(_ world: any World, _ lookout: Lookout) -> Bool {
        let soon = world.now().advanced(bySeconds: 2)
        guard let channel = try? world.channel(to: .gpsd(host: host, port: port), until: soon) else { return false }
        lookout.keep(channel)
        defer { lookout.drop(channel) }
        var stream = Conversation(channel)
        var seen: [String: Glimpse] = [:]
        // Only a watch makes gpsd speak, and it opens the receivers, which depth `state` must not.
        let request = lookout.depth == .sample ? #"?WATCH={"enable":true,"json":true};"# : "?DEVICES;"
        guard (try? stream.ask(request, until: soon)) != nil else { return false }
        lookout.report(.findings)
        while !lookout.isCancelled, !stream.isForeign {
            let now = world.now()
            // A fix grows stale without a word from anybody.
            let turns = seen.values.compactMap { $0.isStale ? nil : $0.since.advanced(bySeconds: criteria.maximumAge) }
            do throws(DriverError) {
                let end = turns.min() ?? now.advanced(bySeconds: 3600)
                for message in try stream.listen(until: max(end, now.advanced(bySeconds: 0.01))) {
                    if note(message, &seen, at: world.now()) { lookout.report(.findings) }
                }
            } catch {
                guard error.code == .timedOut else { return stream.isUnderstood }
                for (key, glimpse) in seen where !glimpse.isStale {
                    guard glimpse.since.seconds(to: world.now()) >= criteria.maximumAge else { continue }
                    seen[key]?.isStale = true
                    lookout.report(.findings)
                }
            }
        }
        return stream.isUnderstood
    }

    /// What was last heard of a receiver.
    private struct Glimpse {
        var fix: PositionReading.Fix
        var isSimulated: Bool
        var since: Instant
        var isStale = false
    }

    /// Takes in one message; whether it says something new.
    private func note(_ message: Message, _ seen: inout [String: Glimpse], at now: Instant) -> Bool {
        switch message {
        case .devices, .device: return true
        case .report(let report):
            let glimpse = Glimpse(fix: report.fix, isSimulated: report.isSimulated, since: now)
            // gpsd names some dozen receivers at most; a peer that names more is none.
            guard seen.count < 64 || seen[report.device ?? ""] != nil else { return false }
            let before = seen.updateValue(glimpse, forKey: report.device ?? "")
            return before?.fix != glimpse.fix || before?.isSimulated != glimpse.isSimulated || before?.isStale == true
        default: return false
        }
    }
}
