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
    private var heard: (at: Instant, behind: [Double])?
    private var report: Result<RigSummary, FleetReport.UnusableReport>?
    /// Whether `report` was published just now, and is not what a broker kept.
    private var isReportLive = false
    /// The size of the message that `report` was made of.
    private(set) var size = 0
    /// Whether it was asked if its report holds, and what it answered last.
    var isAsked = false
    private var answer: String?

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
                let behind = (heard?.behind ?? []) + [seconds.map { now.seconds - $0 }].compactMap(\.self)
                heard = (now.instant, behind.suffix(3))
            }
        case .report: takeReport(message, room: room)
        case .answer: if !message.isRetained { answer = text(message) }
        case .run, .ask, .discovery: break
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
            let isOlder = new.isOlder(than: old) || (isReportLive && !old.isOlder(than: new)) || holds(old)
            if isOlder, !holds(new) { return }
        }
        (report, size, isReportLive) = (parsed, message.size, !message.isRetained)
        // What it answered was of another report, or will be.
        if answer != nil, answer != expected { isAsked = false }
    }

    // MARK: Asking

    /// What it answers while its report holds; nil for a rig that does not answer.
    private var expected: String? {
        if case .success(let summary)? = report { summary.answer } else { nil }
    }

    private func holds(_ report: RigSummary) -> Bool { answer != nil && report.answer == answer }

    /// Whether it counts by what the broker has, says that it answers, and has not said that this holds.
    func isUnconfirmed(at now: FleetClock) -> Bool {
        guard let expected, answer != expected else { return false }
        return presence(at: now).online == true
    }

    /// Whether it answered, and that another report holds than the broker has.
    var hasOldReport: Bool { answer != nil && expected != nil && answer != expected }

    // MARK: What it means

    /// What is told of the rig, and whether it runs what is asked; `mustAnswer` where rigs are asked before they count.
    func standing(at now: FleetClock, asked: ServiceSet?, mustAnswer: Bool) -> RigStanding {
        var standing = RigStanding(seen: seen?.text, age: age(at: now))
        func remark(_ id: String, _ detail: String) { standing.remarks.append((id, detail)) }
        let presence = presence(at: now)
        standing.online = presence.online
        if let (id, detail) = presence.remark { remark(id, detail) }
        switch report {
        case .success(let summary):
            standing.take(summary, asked: asked)
            if mustAnswer { standing.take(answer: answer, expected: summary.answer) }
        case .failure(let unusable): remark(unusable.id, unusable.reason)
        case nil: remark("noReport", "it publishes no report")
        }
        return standing
    }

    /// Seconds since it was seen, by this machine's clock.
    private func age(at now: FleetClock) -> Double? { seen?.seconds.map { now.seconds - $0 } }

    /// Whether it is online by its state and by when it was seen, nil if that cannot be told; and what is remarked of it.
    private func presence(at now: FleetClock) -> (online: Bool?, remark: (id: String, detail: String)?) {
        switch state {
        case FleetTopic.offline?: return (false, nil)
        case nil: return (false, ("noState", "nothing says whether it is online"))
        case FleetTopic.online?: return presenceByTime(at: now)
        case let word?: return (nil, ("unreadableState", "its state is neither online nor offline: \(word)"))
        }
    }

    private func presenceByTime(at now: FleetClock) -> (online: Bool?, remark: (id: String, detail: String)?) {
        guard let age = age(at: now) else {
            let time = seen.map { "it was seen at a time that is none: \($0.text)" }
            return (nil, ("clockUnknown", time ?? "it has not said yet that it lives"))
        }
        // Of a time that was kept, one ahead alone says that the clock is off.
        let silence = heard.map { $0.at.seconds(to: now.instant) } ?? age
        let behind = heard?.behind.min() ?? min(age, 0)
        if silence > Self.patience {
            let clock = heard == nil ? ", or its clock is behind" : ""
            let detail = "not seen for \(silence.fixed(0)) s: it ended together with its broker's node\(clock)"
            return (false, (RigStanding.notSeen, detail))
        }
        guard abs(behind) > Self.tolerance else { return (true, nil) }
        let way = behind < 0 ? "ahead of" : "behind"
        let detail = "its clock is \(abs(behind).fixed(0)) s \(way) this machine's, so whether it lives cannot be told"
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
