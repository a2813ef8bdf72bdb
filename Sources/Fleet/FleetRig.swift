internal import DriverKit
internal import Glibc
internal import Readiness
internal import Rendering

/// What a broker has of one rig.
struct FleetRig: Sendable {
    /// The last word of its state: `online`, `offline`, or what no rig publishes.
    private var state: String?
    private var seen: (text: String, seconds: Double?)?
    /// When it was heard to say just now that it lives, and by how many seconds its clock was behind this machine's
    /// whenever it was heard, the last three times: a broker that was frozen delivers late, never early.
    private var lastSeen: (at: Instant, behind: [Double])?
    private var report: Result<RigSummary, FleetReport.UnusableReport>?
    /// Whether `report` was published just now, and is not what a broker kept.
    private var isReportLive = false
    /// The size of the message that `report` was made of.
    private(set) var size = 0

    /// Seconds since it was seen for which a rig counts.
    static let patience = 30.0
    /// Seconds by which its clock may be off.
    private static let tolerance = 5.0

    mutating func take(_ topic: FleetTopic, _ message: MQTTMessage, room: Int) {
        let isGone = message.size == 0
        switch topic {
        case .state: state = isGone ? nil : text(message)
        case .seen:
            if isGone {
                seen = nil
                return
            }
            let seconds = String(decoding: message.payload.prefix(40), as: UTF8.self).secondsSinceEpoch
            // What another node kept may be older than what came since.
            if message.isRetained, let last = seen?.seconds, let seconds, seconds < last { return }
            seen = (text(message), seconds)
            if !message.isRetained {
                let now = FleetClock.now
                let behind = (lastSeen?.behind ?? []) + [seconds.map { now.seconds - $0 }].compactMap(\.self)
                lastSeen = (now.instant, behind.suffix(3))
            }
        case .report: takeReport(message, room: room)
        case .run, .discovery: break
        }
    }

    var isEmpty: Bool { state == nil && seen == nil && report == nil }

    private func text(_ message: MQTTMessage) -> String {
        String(decoding: message.payload.prefix(40), as: UTF8.self).singleLine
    }

    private mutating func takeReport(_ message: MQTTMessage, room: Int) {
        guard message.size > 0 else {
            (report, size) = (nil, 0)
            return
        }
        guard message.payload.count == message.size, message.size <= room else {
            let reason =
                message.payload.count == message.size
                ? "there are too many reports to read this one"
                : "its report has \(message.size) bytes, more than \(FleetReport.limit)"
            (report, size) = (.failure(FleetReport.UnusableReport(id: "unreadableReport", reason: reason)), 0)
            return
        }
        let parsed = Result { () throws(FleetReport.UnusableReport) in try FleetReport.parse(message.payload) }
        // What another node kept may be older than what came since.
        if message.isRetained, case .success(let new) = parsed, case .success(let old)? = report {
            if new.isOlder(than: old) || isReportLive && !old.isOlder(than: new) { return }
        }
        (report, size, isReportLive) = (parsed, message.size, !message.isRetained)
    }

    // MARK: What it means

    /// What is known of the rig, and whether it runs what is asked.
    func standing(at now: FleetClock, asked: ServiceSet?) -> RigStatus {
        var standing = RigStatus(seen: seen?.text, age: age(at: now))
        func remark(_ id: String, _ detail: String) { standing.remarks.append((id, detail)) }
        let presence = presence(at: now)
        standing.online = presence.online
        if let (id, detail) = presence.remark { remark(id, detail) }
        switch report {
        case .success(let summary): standing.take(summary, asked: asked)
        case .failure(let unusable): remark(unusable.id, unusable.reason)
        case nil: remark("noReport", "it publishes no report")
        }
        return standing
    }

    /// Seconds since it was seen, by this machine's clock.
    private func age(at now: FleetClock) -> Double? { seen?.seconds.map { now.seconds - $0 } }

    /// Whether it is online by its state and by when it was seen, nil if that cannot be determined; and what is remarked of it.
    private func presence(at now: FleetClock) -> (online: Bool?, remark: (id: String, detail: String)?) {
        switch state {
        case FleetTopic.offline?: return (false, nil)
        case nil: return (false, ("noState", "its state was not published"))
        case FleetTopic.online?: return presenceByTime(at: now)
        case let word?: return (nil, ("unreadableState", "its state is neither online nor offline: \(word)"))
        }
    }

    private func presenceByTime(at now: FleetClock) -> (online: Bool?, remark: (id: String, detail: String)?) {
        guard let age = age(at: now) else {
            let time = seen.map { "the time in the topic seen is invalid: \($0.text)" }
            return (nil, ("clockUnknown", time ?? "no sign of life yet"))
        }
        // Of a time that was kept, one ahead alone says that the clock is off.
        let silence = lastSeen.map { $0.at.seconds(to: now.instant) } ?? age
        let behind = lastSeen?.behind.min() ?? min(age, 0)
        if silence > Self.patience {
            let clock = lastSeen == nil ? ", or its clock is behind" : ""
            let detail = "not seen for \(silence.fixed(0)) s: it ended together with its broker's node\(clock)"
            return (false, (RigStatus.notSeen, detail))
        }
        guard abs(behind) > Self.tolerance else { return (true, nil) }
        let way = behind < 0 ? "ahead of" : "behind"
        let detail = "its clock is \(abs(behind).fixed(0)) s \(way) this machine's, so its age is unknown"
        return (nil, ("clockOff", detail))
    }
}

/// A moment on the wall clock and on the clock that nobody sets.
struct FleetClock: Sendable {
    /// Seconds since 1970.
    var seconds: Double
    var instant: Instant

    static var now: FleetClock {
        FleetClock(seconds: Double(Instant.time(of: CLOCK_REALTIME)) / 1e9, instant: .now)
    }
}
