internal import DriverKit
internal import Readiness

/// What a receiver comes to: its availability, in words.
struct Verdict: Sendable, Hashable {
    var availability: Availability
    var detail: String?
    var remedy: String?

    init(_ cause: Cause, _ detail: String, remedy: String? = nil) {
        availability = .unavailable(cause)
        self.detail = detail
        self.remedy = remedy
    }

    private init() { availability = .available }

    static let available = Verdict()
}

/// How a watch ended before it decided everything.
enum Ending: Sendable, Hashable {
    /// At our own deadline, so many seconds after the watch began.
    case deadline(Double)
    /// gpsd hung up, or the connection broke.
    case lost(DriverError)
}

extension Receiver {
    /// What the receiver comes to; nil while a later report may still change that.
    ///
    /// A fix that counts is told at once. Anything less is told at once only where a second look would say the same: the
    /// receiver was open before us, two cycles agree, and nobody asked to wait for a fix.
    func verdict(
        _ criteria: FixCriteria, isPatient: Bool, at now: Instant, ending: Ending?
    ) -> Verdict? {
        if isDropped { return Verdict(.faulty, "gpsd could not open \(device.path), or lost it", remedy: reopen) }
        guard let latest else { return ending.map { silence(criteria, $0, at: now) } }
        let report = latest.report
        if let fault = report.fault { return ending == nil ? nil : Verdict(.faulty, "it reports that \(fault)") }
        guard criteria.minimumFix == .none || report.fix.rank >= criteria.minimumFix.rank else {
            let isSettled = device.isActive && isSteady && !isPatient
            return isSettled || ending != nil ? lack(criteria, report) : nil
        }
        if report.isSimulated && !criteria.allowsSimulated {
            return Verdict(
                .noFix, "its \(report.fix.rawValue) fix is simulated, which --no-simulated excludes",
                remedy: "connect a real receiver, or leave out --no-simulated")
        }
        let age = latest.at.seconds(to: now)
        if criteria.minimumFix == .none { return .available }
        if age <= criteria.maximumAge && !isRepeating { return .available }
        guard ending != nil else { return nil }
        if isFrozen {
            return Verdict(
                .stale, "it keeps repeating one fix: its own time stands still",
                remedy: "unplug the receiver and plug it in again")
        }
        guard age <= criteria.maximumAge else {
            return Verdict(
                .stale, "its last fix is \(rounded(age)) s old; the limit is \(rounded(criteria.maximumAge)) s")
        }
        return .available
    }

    private var reopen: String { "sudo journalctl -u gpsd -n 20 tells why; then sudo gpsdctl add \(device.path)" }

    /// It reports, but not what is asked for.
    private func lack(_ criteria: FixCriteria, _ report: Report) -> Verdict {
        let wait = "give the antenna a view of the sky, and wait with --wait-fix 60"
        switch (report.mode, report.fix) {
        case (2..., .none): return Verdict(.noFix, "it reports mode \(report.mode) without a position", remedy: wait)
        case (0, _): return Verdict(.noFix, "it reports, and gpsd has not seen a fix mode from it", remedy: wait)
        case (_, .twoDimensional): return Verdict(.noFix, "its fix is 2D; 3D is asked for", remedy: wait)
        default:
            let satellites = satellites.map { ", \($0) satellites used" } ?? ""
            return Verdict(.noFix, "it reports no fix\(satellites)", remedy: wait)
        }
    }

    /// Nothing came in the stream.
    private func silence(_ criteria: FixCriteria, _ ending: Ending, at now: Instant) -> Verdict {
        let watched: Double
        switch ending {
        case .deadline(let seconds): watched = seconds
        case .lost(let error) where error.code == .cancelled || error.code == .notRecorded:
            return Verdict(.indeterminate, error.reason)
        case .lost(let error):
            return Verdict(.unreachable, "gpsd was lost before this receiver reported: \(error.reason)")
        }
        guard device.isActive else {
            let opening = isOpen ? "just activated by this probe" : "gpsd is still opening it for this probe"
            return Verdict(.indeterminate, "\(opening), and no report yet", remedy: "rigready --wait-fix 60")
        }
        let idleSeconds = idleSeconds(at: now)
        if let idleSeconds, let remembered, remembered.fix != .none, idleSeconds > criteria.maximumAge {
            return Verdict(
                .stale, "no report in \(rounded(watched)) s; its last fix is \(rounded(idleSeconds)) s old",
                remedy: "check its cable and power: \(device.path) has gone quiet")
        }
        if let cycle = device.cycle, cycle > max(watched, idleSeconds ?? 0) {
            return Verdict(
                .indeterminate, "it reports every \(rounded(cycle)) s and was watched for \(rounded(watched)) s",
                remedy: "rigready --timeout \(Int(min(cycle, 3600)) + 3)")
        }
        let quiet = idleSeconds.map { "; its last packet came \(rounded($0)) s ago" } ?? ""
        return Verdict(
            .silent, "gpsd has it open, and no report came in \(rounded(watched)) s\(quiet)",
            remedy: "check its cable, power and bit rate: gpsd hears nothing on \(device.path)")
    }
}

extension PositionReading.Fix {
    /// More is better.
    var rank: Int {
        switch self {
        case .none: 0
        case .twoDimensional: 1
        case .threeDimensional: 2
        }
    }
}
