internal import DriverKit
package import Readiness

/// What is known of one gpsd and its receivers, over one connection, and the judgement of it.
///
/// The probe, the watch, the measurement and the apps' locations all read it, so that they agree.
package struct GPSDState: Sendable {
    /// The result of asking for the devices; nil until the first connection attempt.
    var response: DeviceListResponse?
    /// Each of gpsd's devices that can be a receiver, with its status.
    package private(set) var receivers: [Receiver] = []
    /// When the watch was requested; nil while there is none.
    var since: Instant?
    /// Why the connection ended; nil while there is one, or none was made.
    var loss: DriverError?
    /// What makes gpsd answer, if a watch could not connect or lost it.
    var openingRemedies: [Remedy] = []
    /// Whether gpsd's devices have changed since it listed them.
    private(set) var isOutdated = false
    /// Whether gpsd has answered `?POLL`.
    private(set) var isPolled = false

    private static let maximumReceivers = 64

    init() {}

    /// Creates the state from gpsd's list of devices.
    ///
    /// `isPresent` returns whether the device at a path still exists; if not, older reports of it do not count.
    init(_ response: DeviceListResponse, since: Instant? = nil, isPresent: (String) -> Bool) {
        self.response = response
        self.since = since
        var paths: Set<String> = []
        receivers = devices.filter { $0.isReceiver != false && paths.insert($0.path).inserted }
            .prefix(Self.maximumReceivers).map { Receiver($0, isPresent: isPresent($0.path)) }
    }

    /// gpsd's own list, from before the watch.
    private var devices: [Message.GPSDDevice] {
        guard case .answered(_, let devices)? = response else { return [] }
        return devices
    }

    /// Why gpsd is unavailable, in one clause; nil while it is connected or not yet tried.
    var failure: String? { loss?.description ?? response?.clause }

    /// Why no receiver has a position, and what would give one; nil while one has, or may still send its first report.
    package var absence: (reason: String, remedies: [Remedy])? {
        if let failure { return (failure, openingRemedies) }
        guard since != nil, !receivers.contains(where: { $0.status?.availability == .available }) else { return nil }
        // What a receiver reports says more than the silence of another.
        let reporting = receivers.first { $0.latest != nil && !$0.isDropped && $0.status?.isQuiet == false }
        if reporting == nil, receivers.contains(where: \.isAwaited) { return nil }
        guard let receiver = reporting ?? receivers.first(where: { !$0.isDropped }) ?? receivers.first else {
            return ("gpsd has no receiver", [])
        }
        return receiver.status.map { ("receiver \(receiver.device.path): \($0.detail ?? "no position")", $0.remedies) }
    }

    /// The report that a message is, if the position in it counts.
    package func position(in message: Message?) -> TPV? {
        guard case .report(let report)? = message, report.hasPosition, let index = index(of: report.device),
            receivers[index].status?.availability == .available
        else { return nil }
        return report
    }

    var release: String? {
        guard case .answered(let release, _)? = response else { return nil }
        return release
    }

    /// Whether gpsd is connected and its devices are unchanged since it listed them.
    var isCurrent: Bool {
        guard case .answered = response else { return false }
        return loss == nil && !isOutdated && !receivers.contains(where: \.isDropped)
    }

    /// Whether there is nothing left to wait for: each receiver is decided, or gpsd cannot be asked.
    var isSettled: Bool {
        response != nil && loss == nil && !isOutdated && receivers.indices.allSatisfy(isDecided)
    }

    /// Whether a receiver is not waited for: its status is final, or it is optional because another one has a position.
    func isDecided(_ index: Int) -> Bool {
        receivers[index].status?.isFinal == true
            || receivers.contains { $0.isGood && receivers[index].isOptional(beside: $0) }
    }

    /// Whether only reports show which of the devices are receivers.
    var isAmbiguous: Bool { receivers.contains { $0.device.isReceiver == nil && !$0.hasReported } }

    /// Removes the devices that send something else, and have reported no position so far.
    mutating func removeOthers() { receivers.removeAll { $0.device.isReceiver == nil && !$0.hasReported } }

    /// When the next status may change without a message.
    var due: Instant? { receivers.compactMap(\.due).min() }

    /// Whether another state gives the same status for each receiver, apart from ages and wording.
    func isEquivalent(to other: GPSDState) -> Bool {
        isOutdated == other.isOutdated
            && receivers.elementsEqual(other.receivers) {
                $0.status?.availability == $1.status?.availability && $0.driver == $1.driver
                    && $0.latest?.report.fix == $1.latest?.report.fix && $0.quality == $1.quality
                    && $0.latest?.report.isSimulated == $1.latest?.report.isSimulated
                    && $0.inertialKinds == $1.inertialKinds && $0.isInertialSilent == $1.isInertialSilent
            }
    }

    /// Processes a message; returns the indices of the receivers that it concerns.
    mutating func take(_ message: Message, at now: Instant) -> [Int] {
        switch message {
        case .devices(let listed):
            if listed.contains(where: { device in !devices.contains { $0.path == device.path } }) { isOutdated = true }
            for index in receivers.indices {
                receivers[index].list(listed.first { $0.path == receivers[index].device.path })
            }
            return Array(receivers.indices)
        case .device(let device):
            if !devices.contains(where: { $0.path == device.path }) { isOutdated = true }
            return update(device.path) { $0.notice(device) }
        case .report(let report):
            // A device of ship reports turns out to be a receiver, too.
            if report.mode > 0, let path = report.device, !receivers.contains(where: { $0.device.path == path }),
                devices.contains(where: { $0.path == path && $0.isReceiver == nil })
            {
                isOutdated = true
            }
            return update(report.device) { $0.take(report, at: now) }
        case .sky(let device, let sky): return update(device) { $0.take(sky) }
        case .inertial(let report):
            // It changes no status.
            _ = update(report.device) { $0.take(report, at: now) }
            return []
        case .poll(let time, let remembered):
            isPolled = true
            for index in receivers.indices { receivers[index].set(polled: time, at: now) }
            for message in remembered {
                switch message {
                case .report(let report): _ = update(report.device) { $0.remember(report, at: now) }
                case .sky(let device, let sky): _ = update(device) { $0.take(sky, isRemembered: true) }
                default: _ = take(message, at: now)
                }
            }
            return Array(receivers.indices)
        case .version, .clock, .error, .other: return []
        }
    }

    /// The receiver of a path as gpsd names it; a report without a path belongs to the only receiver.
    private func index(of path: String?) -> Int? {
        guard let path else { return receivers.count == 1 ? 0 : nil }
        return receivers.firstIndex { $0.device.path == path }
    }

    private mutating func update(_ path: String?, _ change: (inout Receiver) -> Void) -> [Int] {
        guard let index = index(of: path) else { return [] }
        change(&receivers[index])
        return [index]
    }

    mutating func evaluate(
        _ indices: some Sequence<Int>, _ rules: StatusRules, at now: Instant, remedies: [Remedy] = []
    ) {
        let end = loss.map { WatchEnd.lost($0, remedies: remedies) } ?? .deadline(since?.seconds(to: now) ?? 0)
        for index in indices { receivers[index].evaluate(rules, at: now, since: since, end) }
    }

    /// Updates the statuses that say how long a receiver has been silent.
    mutating func evaluateSilent(_ rules: StatusRules, at now: Instant) {
        guard loss == nil else { return }
        evaluate(receivers.indices.filter { receivers[$0].isQuiet(rules.criteria, at: now) }, rules, at: now)
    }
}
