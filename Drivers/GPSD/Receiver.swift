internal import DriverKit

/// What is known of one receiver of gpsd's, as the watch goes on.
struct Receiver: Sendable, Equatable {
    /// A report and when it came.
    struct Arrival: Sendable, Equatable {
        var report: TPV
        var at: Instant
    }

    /// gpsd's clock in its answer to our poll, in seconds since 1970, and when that came.
    private struct Poll: Equatable {
        var time: Double
        var at: Instant
    }

    /// gpsd's own account of it; `isActive` and `activated` are those from before our watch.
    let device: Message.GPSDDevice
    /// The type of receiver, which gpsd may know only once it has heard packets.
    private(set) var driver: String?
    /// The last report that came in the stream.
    private(set) var latest: Arrival?
    /// What gpsd had said just before it, in the stream or in its memory.
    private(set) var previous: TPV?
    /// What gpsd remembered when the watch began.
    private(set) var remembered: TPV?
    /// gpsd's clock at that moment, and ours.
    private var polled: Poll?
    /// When the receiver's own time was first seen to be what it is now.
    private(set) var clockSince: Instant?
    /// How many satellites its fix uses.
    private(set) var satellites: Int?
    /// Whether gpsd gave the device up after the watch began: it frees what it cannot open.
    private(set) var isDropped = false
    /// Whether gpsd has the device open, now that somebody watches.
    private(set) var isOpen = false

    /// Makes the account of a device that nobody has watched yet.
    init(_ device: Message.GPSDDevice) {
        self.device = device
        driver = device.driver
    }

    /// Takes in a report of the stream.
    mutating func take(_ report: TPV, at now: Instant) {
        if let latest { previous = latest.report }
        if clockSince == nil || report.time != previous?.time { clockSince = now }
        latest = Arrival(report: report, at: now)
    }

    /// Takes in what gpsd remembers; supporting evidence only, since the memory outlives the receiver's silence.
    mutating func remember(_ report: TPV, at now: Instant) {
        guard latest == nil else { return }
        remembered = report
        previous = report
        clockSince = now
    }

    /// Takes in gpsd's clock, as the answer to our poll gave it.
    mutating func set(polled time: Double?, at now: Instant) {
        if polled == nil, let time { polled = Poll(time: time, at: now) }
    }

    /// Takes in gpsd's list after the watch began; nil where the device is no longer in it.
    mutating func list(_ device: Message.GPSDDevice?) {
        isDropped = device == nil
        isOpen = device?.isActive == true
        driver = device?.driver ?? driver
    }

    /// Takes in gpsd's notice that the device was opened or closed.
    mutating func notice(_ device: Message.GPSDDevice) {
        isDropped = !device.isActive
        isOpen = device.isActive
        driver = device.driver ?? driver
    }

    /// Takes in the count of satellites.
    mutating func see(_ satellites: Int) { self.satellites = satellites }

    /// Whether the receiver's own time stands where it stood in what gpsd said before.
    var isRepeating: Bool {
        guard let latest, let time = latest.report.time else { return false }
        return previous?.time == time
    }

    /// Whether reports keep coming while the receiver's own time stands still; within one cycle it may.
    var isFrozen: Bool {
        guard isRepeating, let latest, let clockSince else { return false }
        return clockSince.seconds(to: latest.at) >= max(1, device.cycle ?? 1)
    }

    /// Whether two pieces of evidence from different cycles agree on the kind of fix.
    var isSteady: Bool {
        guard let latest, let previous else { return false }
        return latest.report.fix == previous.fix && (latest.report.time == nil || !isRepeating)
    }

    /// Seconds since the last packet of a receiver that has not reported; nil where it cannot be told.
    ///
    /// Up to the poll they are counted by gpsd's clock, from there on by ours.
    /// gpsd renews `activated` with each packet (3.22, seen). A release that does not has the remembered report's own
    /// time, which is the receiver's clock; the younger of the two counts.
    func idleSeconds(at now: Instant) -> Double? {
        guard let polled else { return nil }
        let ages = [device.activated, remembered?.time].compactMap { $0.map { polled.time - $0 } }.filter { $0 >= 0 }
        return ages.min().map { $0 + polled.at.seconds(to: now) }
    }
}
