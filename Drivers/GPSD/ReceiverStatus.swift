internal import DriverKit
internal import Readiness

/// The evaluation of a receiver: its availability, with the reason in words.
struct ReceiverStatus: Sendable, Equatable {
    var availability: Availability = .available
    var detail: String?
    var remedies: [Remedy] = []
    /// What was seen besides the receiver's last report.
    var evidence: Evidence?
    /// Whether waiting cannot improve it; else a later report may still change it.
    var isFinal = false
    /// Whether nothing comes from the device, so that the remedies concern what gpsd reads it from.
    var isQuiet = false
}

extension ReceiverStatus {
    /// A receiver that sends nothing.
    fileprivate static func quiet(_ cause: Cause, _ detail: String, _ source: DataSource) -> ReceiverStatus {
        ReceiverStatus(
            availability: .unavailable(cause), detail: detail, remedies: [source.reviving], isQuiet: true)
    }

    init(_ cause: Cause, _ detail: String, remedies: [Remedy], evidence: Evidence? = nil, isFinal: Bool = false) {
        self.init(
            availability: .unavailable(cause), detail: detail, remedies: remedies, evidence: evidence, isFinal: isFinal)
    }
}

extension Sensor {
    mutating func take(_ status: ReceiverStatus) {
        (availability, detail, remedies) = (status.availability, status.detail, status.remedies)
    }
}

struct StatusRules: Sendable {
    var criteria: FixCriteria
    /// Whether a fix is to be waited for.
    var isPatient: Bool
    var remedies: ReceiverRemedies

    init(_ criteria: FixCriteria = FixCriteria(), isPatient: Bool = false, at address: GPSDAddress) {
        self.criteria = criteria
        self.isPatient = isPatient
        remedies = ReceiverRemedies(address: address)
    }
}

/// How a watch ended before it decided everything.
enum WatchEnd: Sendable, Equatable {
    /// At our own deadline, this many seconds after the watch began.
    case deadline(Double)
    /// gpsd closed the connection, or it broke; the remedies make gpsd answer again.
    case lost(DriverError, remedies: [Remedy])

    /// How long the receiver was certainly watched, in seconds.
    var watched: Double {
        guard case .deadline(let seconds) = self else { return 0 }
        return seconds
    }
}

extension Receiver {
    /// Seconds within which a receiver that our own watch opened need not have a fix, nor report.
    ///
    /// A cold start under open sky takes 26 to 40 s (u-blox data sheets); less than `ReceiverRemedies.wait` gives it.
    static let settling = 45.0

    /// The status if the watch ends now.
    ///
    /// A sufficient fix is final at once. Anything less is final only if a second probe would give the same: the
    /// receiver was open before us, two cycles agree, and no fix is to be waited for.
    func status(_ rules: StatusRules, at now: Instant, _ ending: WatchEnd) -> ReceiverStatus {
        let (criteria, advice) = (rules.criteria, rules.remedies)
        let source = DataSource(device.path)
        if isDropped {
            return ReceiverStatus(
                .faulty, "gpsd could not open \(device.path), or lost it", remedies: advice.reopening(source),
                evidence: Evidence(
                    path: device.path, said: "gpsd no longer lists it, or lists it as closed, while it is watched"),
                isFinal: true)
        }
        guard let latest else { return silence(criteria, advice, ending, at: now) }
        let report = latest.report
        if report.fix == .none || criteria.minimumFix == .none,
            latest.at.seconds(to: now) > patience(criteria)
        {
            let quiet = rounded(latest.at.seconds(to: now))
            return .quiet(.silent, "no report for \(quiet) s, although gpsd has it open", source)
        }
        if let fault = report.fault {
            return ReceiverStatus(.faulty, "it reports that \(fault)", remedies: [source.restarting])
        }
        if isWithoutSatellite {
            let satellites = sky.seen.map { "\($0) satellites seen, 0 used" } ?? "0 satellites used"
            return ReceiverStatus(
                .faulty, "its \(report.fix.rawValue) fix uses no satellite",
                remedies: [
                    source.restarting,
                    .advice("if it sends NMEA 0183, switch its GSA sentences on, which list the satellites used"),
                ], evidence: Evidence(path: device.path, said: "SKY \(satellites)"), isFinal: isSkyOfFix)
        }
        guard criteria.minimumFix == .none || report.fix.rank >= criteria.minimumFix.rank else {
            var lack = lack(report, wasOpen: wasOpen(ending))
            lack.isFinal = device.isActive && isSteady && !rules.isPatient
            return lack
        }
        if report.isSimulated && !criteria.allowsSimulated {
            return ReceiverStatus(
                .noFix, "its \(report.fix.rawValue) fix is simulated, which --no-simulated excludes",
                remedies: [.advice("connect a real receiver"), .option(.allowSimulated)], isFinal: true)
        }
        let age = latest.age(at: now)
        if criteria.minimumFix == .none || age <= criteria.maximumAge.seconds && !isRepeating {
            return ReceiverStatus(isFinal: true)
        }
        if isFrozen {
            return ReceiverStatus(
                .stale, "it repeats one fix: its own time does not advance", remedies: [source.restarting])
        }
        guard age <= criteria.maximumAge.seconds else {
            let words =
                "its last fix is \(rounded(age)) s old; the limit is \(rounded(criteria.maximumAge.seconds)) s"
            guard let longer = ReceiverRemedies.longer(criteria.maximumAge.seconds, than: device.cycle) else {
                return .quiet(.stale, words, source)
            }
            return ReceiverStatus(.stale, words, remedies: [longer])
        }
        // Its own time has not advanced yet.
        return ReceiverStatus()
    }

    /// Seconds without a report after which it is silent, whatever it reported last.
    func patience(_ criteria: FixCriteria) -> Double { max(criteria.maximumAge.seconds, 2 * (device.cycle ?? 1)) }

    /// Whether it has been open long enough to expect reports: since before our watch, or for the settling time.
    private func wasOpen(_ ending: WatchEnd) -> Bool {
        device.isActive || isOpen && ending.watched >= Self.settling
    }

    private func lack(_ report: TPV, wasOpen: Bool) -> ReceiverStatus {
        let words: String
        switch (report.mode, report.fix) {
        case (2..., .none): words = "the receiver reports mode \(report.mode) without a position"
        case (0, _): words = "it sends data, but no fix mode yet"
        case (_, .twoDimensional): words = "its fix is 2D; 3D is required"
        default: words = "the receiver has no fix" + sky.words
        }
        guard wasOpen else {
            return ReceiverStatus(
                .indeterminate, "just activated by this probe, and \(words)", remedies: ReceiverRemedies.wait)
        }
        guard let antenna = report.antenna else { return ReceiverStatus(.noFix, words, remedies: ReceiverRemedies.sky) }
        return ReceiverStatus(.noFix, "\(words); \(antenna.words)", remedies: ReceiverRemedies.restoring(antenna))
    }

    private func silence(
        _ criteria: FixCriteria, _ advice: ReceiverRemedies, _ ending: WatchEnd, at now: Instant
    ) -> ReceiverStatus {
        switch ending {
        case .deadline: break
        case .lost(let error, _) where error.code == .cancelled || error.code == .notRecorded:
            return ReceiverStatus(
                .indeterminate, error.reason, remedies: advice.asking(after: error), evidence: error.evidence())
        case .lost(let error, let remedies):
            return ReceiverStatus(
                .unreachable, "gpsd was lost before this receiver reported: \(error.reason)", remedies: remedies,
                evidence: error.evidence())
        }
        let source = DataSource(device.path)
        if let content = otherContent {
            let words = "gpsd reads \(content) from it, and no position"
            guard wasOpen(ending) else {
                return ReceiverStatus(
                    .indeterminate, "just activated by this probe, and \(words)", remedies: ReceiverRemedies.wait)
            }
            return ReceiverStatus(
                .absent, words, remedies: [.advice("connect a location receiver, and add it to gpsd")],
                evidence: Evidence(path: device.path, said: "driver \(driver ?? "unknown")"))
        }
        guard wasOpen(ending) else {
            let opening = isOpen ? "just activated by this probe" : "gpsd is still opening it for this probe"
            return ReceiverStatus(.indeterminate, "\(opening), and no report yet", remedies: ReceiverRemedies.wait)
        }
        let watched = ending.watched
        let idleSeconds = idleSeconds(at: now)
        if let idleSeconds, let remembered, remembered.fix != .none, idleSeconds > criteria.maximumAge.seconds {
            return .quiet(
                .stale, "no report in \(rounded(watched)) s; its last fix is \(rounded(idleSeconds)) s old", source)
        }
        let quiet = max(watched, idleSeconds ?? 0)
        if let cycle = device.cycle, cycle > quiet, isRecognised || cycle > 1 {
            return ReceiverStatus(
                .indeterminate, "it reports every \(rounded(cycle)) s and was watched for \(rounded(watched)) s",
                remedies: advice.timeout(for: cycle))
        }
        guard isRecognised else {
            // Another receiver's position may have ended the watch within a cycle.
            return .quiet(
                quiet >= 1 ? .silent : .indeterminate,
                "gpsd has had it open for \(rounded(quiet)) s, and recognises nothing that it sends", source)
        }
        let last = idleSeconds.map { "; its last packet came \(rounded($0)) s ago" } ?? ""
        return .quiet(.silent, "no report in \(rounded(watched)) s, although gpsd has it open\(last)", source)
    }
}

extension Receiver {
    /// What it has said so far; nil before its first report.
    var progress: String? {
        guard let fix = latest?.report.fix else { return nil }
        return (fix == .none ? "no fix" : "\(fix.rawValue) fix") + sky.words
    }
}

extension Sky {
    /// The signal in dB-Hz below which the strongest satellite is weak.
    ///
    /// Source: u-blox, "RF design considerations for u-blox GPS receivers", section "Sensitivity test": below 40 dB-Hz
    /// for the strongest signals the time to a fix is long and the coverage smaller.
    static let weak = 40.0

    /// What is seen, for a receiver without a fix; empty if unknown.
    fileprivate var words: String {
        guard let seen, seen > 0 else { return used.map { ", \($0) satellites used" } ?? "" }
        let counted = [", \(seen) seen", used.map { "\($0) used" }].compactMap(\.self).joined(separator: ", ")
        guard let strongest else { return "\(counted)" }
        let signal = "\(counted), strongest \(Int(strongest.rounded())) dB-Hz"
        return strongest < Self.weak ? "\(signal): weak signal" : signal
    }
}

extension PositionReading.Fix {
    /// More is better, and the cases are in that order.
    var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
