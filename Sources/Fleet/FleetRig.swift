internal import DriverKit
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

    /// Seconds since it was seen for which a rig counts.
    static let patience = 30.0
    /// Seconds by which its clock may be off.
    private static let tolerance = 5.0

    /// Takes a message; returns whether there is anything left of the rig.
    mutating func take(_ topic: FleetTopic, _ message: MQTTMessage, room: Int) {
        let isGone = message.size == 0
        switch topic {
        case .state: state = isGone ? nil : text(message)
        case .seen:
            if isGone {
                seen = nil
                return
            }
            let seconds = FleetTime.seconds(message.payload)
            // What another node kept may be older than what came since.
            if message.isRetained, let last = seen?.seconds, let seconds, seconds < last { return }
            seen = (text(message), seconds)
            if !message.isRetained {
                let now = FleetClock.now
                let behind = (heard?.behind ?? []) + [seconds.map { now.seconds - $0 }].compactMap(\.self)
                heard = (now.instant, behind.suffix(3))
            }
        case .report: takeReport(message, room: room)
        case .run, .discovery: break
        }
    }

    /// Whether nothing is left of it.
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
        let parsed: Result<RigSummary, FleetReport.UnusableReport>
        do throws(FleetReport.UnusableReport) {
            parsed = .success(try FleetReport.parse(message.payload))
        } catch {
            parsed = .failure(error)
        }
        // What another node kept may be older than what came since.
        if message.isRetained, case .success(let new) = parsed, case .success(let old)? = report {
            if new.isOlder(than: old) || (isReportLive && !old.isOlder(than: new)) { return }
        }
        (report, size, isReportLive) = (parsed, message.size, !message.isRetained)
    }

    // MARK: What it means

    /// What is told of the rig, and whether it runs what is asked.
    func standing(at now: FleetClock, asked: ServiceSet?) -> RigStanding {
        var standing = RigStanding(seen: seen?.text, age: seen?.seconds.map { ($0 - now.seconds) * -1 })
        func remark(_ id: String, _ detail: String) { standing.remarks.append((id, detail)) }
        switch state {
        case FleetTopic.offline?: standing.online = false
        case nil:
            standing.online = false
            remark("noState", "nothing says whether it is online")
        case FleetTopic.online?:
            standing.online = nil
            guard let age = standing.age else {
                remark(
                    "clockUnknown",
                    seen.map { "it was seen at a time that is none: \($0.text)" } ?? "it has not said yet that it lives"
                )
                break
            }
            // Of a time that was kept, one ahead alone says that the clock is off.
            let silence = heard.map { $0.at.seconds(to: now.instant) } ?? age
            let behind = heard?.behind.min() ?? min(age, 0)
            if silence > Self.patience {
                standing.online = false
                let clock = heard == nil ? ", or its clock is behind" : ""
                remark(
                    RigStanding.notSeen,
                    "not seen for \(silence.fixed(0)) s: it ended together with its broker's node\(clock)")
            } else if abs(behind) > Self.tolerance {
                let way = behind < 0 ? "ahead of" : "behind"
                remark(
                    "clockOff",
                    "its clock is \(abs(behind).fixed(0)) s \(way) this machine's, so whether it lives cannot be told")
            } else {
                standing.online = true
            }
        case let word?:
            standing.online = nil
            remark("unreadableState", "its state is neither online nor offline: \(word)")
        }
        switch report {
        case .success(let summary): standing.take(summary, asked: asked)
        case .failure(let unusable): remark(unusable.id, unusable.reason)
        case nil: remark("noReport", "it publishes no report")
        }
        return standing
    }
}

/// A moment on the wall clock and on the clock that nobody sets.
struct FleetClock: Sendable {
    /// Seconds since 1970.
    var seconds: Double
    var instant: Instant
}
