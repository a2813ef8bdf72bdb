internal import DriverKit

/// The watch over gpsd's receivers: one stream, from which each receiver takes its reports.
struct GPSDWatch: Sendable {
    private var conversation: GPSDConnection
    /// What is known of each receiver.
    private(set) var receivers: [Receiver]
    /// gpsd's own account when the watch was asked for.
    let devices: [Message.GPSDDevice]
    /// When the watch was asked for.
    private(set) var since: Instant?
    /// Why nothing more will come.
    private(set) var loss: DriverError?
    /// The receivers that somebody still waits for.
    private var waiting: Set<Int>

    private static let maximumDevices = 64

    /// Over those of gpsd's devices that can be receivers.
    init(_ conversation: GPSDConnection, _ devices: [Message.GPSDDevice]) {
        self.conversation = conversation
        self.devices = devices
        var paths: Set<String> = []
        receivers = devices.filter { $0.isReceiver && paths.insert($0.path).inserted }.prefix(Self.maximumDevices)
            .map(Receiver.init)
        waiting = Set(receivers.indices)
    }

    /// Asks gpsd to watch, once, and for what it remembers.
    mutating func begin(at now: Instant, until deadline: Instant) {
        guard since == nil else { return }
        since = now
        do throws(DriverError) {
            try conversation.ask(#"?WATCH={"enable":true,"json":true};?POLL;"#, until: deadline)
        } catch {
            loss = error
        }
    }

    /// Takes in the next frame; false where none came before the deadline.
    mutating func listen(in world: any World, until end: Instant) -> Bool {
        do throws(DriverError) {
            let messages = try conversation.listen(until: end)
            let now = world.now()
            for message in messages { take(message, at: now) }
            return true
        } catch {
            if error.code == .timedOut { return false }
            loss = error
            return true
        }
    }

    /// The release that gpsd names.
    var release: String? { conversation.release }

    /// Whether gpsd's devices are other ones than at the beginning.
    private(set) var isOutdated = false

    /// How long the watch has been going on, in seconds.
    func seconds(until now: Instant) -> Double { since.map { $0.seconds(to: now) } ?? 0 }

    /// Lets gpsd close the receivers again once nobody waits for one, at the best of our power.
    mutating func finish(_ index: Int, until deadline: Instant) {
        guard waiting.remove(index) != nil, waiting.isEmpty, since != nil else { return }
        try? conversation.ask(#"?WATCH={"enable":false};"#, until: deadline)
    }

    private mutating func take(_ message: Message, at now: Instant) {
        switch message {
        case .devices(let devices):
            if devices.contains(where: { device in !self.devices.contains { $0.path == device.path } }) {
                isOutdated = true
            }
            for index in receivers.indices {
                receivers[index].list(devices.first { $0.path == receivers[index].device.path })
            }
        case .device(let device):
            if !devices.contains(where: { $0.path == device.path }) { isOutdated = true }
            if let index = index(of: device.path) { receivers[index].notice(device) }
        case .report(let report):
            if let index = index(of: report.device) { receivers[index].take(report, at: now) }
        case .sky(let device, let used):
            if let used, let index = index(of: device) { receivers[index].see(used) }
        case .poll(let time, let remembered):
            for index in receivers.indices { receivers[index].set(polled: time, at: now) }
            for message in remembered {
                switch message {
                case .report(let report):
                    if let index = index(of: report.device) { receivers[index].remember(report, at: now) }
                default: take(message, at: now)
                }
            }
        case .version, .error, .other: break
        }
    }

    /// The receiver of a path; a report without one is the only receiver's.
    private func index(of path: String?) -> Int? {
        guard let path else { return receivers.count == 1 ? 0 : nil }
        return receivers.firstIndex { $0.device.path == path }
    }
}
