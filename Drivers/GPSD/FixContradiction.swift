internal import DriverKit
internal import Readiness

/// A reason why a fix cannot be right, as its receiver reports it.
enum FixContradiction: Sendable, Equatable {
    /// Its horizontal error is exactly zero, which leaves the position usable.
    case zeroError
    /// It is at exactly 0°, 0°.
    case origin
    /// The SKY of the same cycle uses no satellite.
    case noSatellite
    /// The receiver's date and the system clock of gpsd's machine, in seconds since 1970, are more than a year apart.
    case date(receiver: Double, system: Double)

    /// A year in seconds: a difference beyond it is no matter of a clock that is not yet set to the second.
    static let dateLimit = 365.25 * 86_400
    /// The weeks after which the week number of a GPS satellite's message begins again at 0, in seconds.
    ///
    /// Source: IS-GPS-200, 20.3.3.3.1.1, a number of ten bits.
    private static let rollover = 1024 * 7 * 86_400.0
    /// How far a difference may be from a multiple of 1024 weeks, in seconds.
    private static let tolerance = 3 * 86_400.0
    /// 2026-01-01 UTC: a clock that is before this date is not set, since no build of this program is older.
    private static let earliest = 1_767_225_600.0

    /// The contradiction in one clause about the fix.
    var words: String {
        switch self {
        case .zeroError: return "its horizontal error is exactly 0 m, which no receiver has"
        case .origin: return "its position is exactly 0, 0"
        case .noSatellite: return "it uses no satellite"
        case .date(let receiver, let system):
            let dates = "its date is \(day(receiver)), and the system clock of gpsd's machine is at \(day(system))"
            return "\(dates): \(Self.verdict(receiver: receiver, system: system))"
        }
    }

    /// Whether two dates are more than a year apart.
    static func areApart(_ receiver: Double, _ system: Double) -> Bool { abs(receiver - system) > dateLimit }

    /// The clock that is more likely wrong, of two that are years apart: the error of a receiver with a fix is a multiple
    /// of 1024 weeks.
    private static func verdict(receiver: Double, system: Double) -> String {
        guard system >= earliest else { return "more likely the system clock is wrong: it is not set" }
        let difference = abs(receiver - system)
        let count = (difference / rollover).rounded()
        // A peer may send any number.
        if 1...100 ~= count, abs(difference - count * rollover) <= tolerance {
            return "more likely the receiver is wrong: it is \(Int(count) * 1024) weeks off, a GPS week rollover "
                + "that its firmware does not handle"
        }
        if receiver < earliest { return "more likely the receiver is wrong, or what gpsd reads is an old log" }
        return "more likely the system clock is wrong"
    }
}

extension PositionReading.FixKind {
    /// Reads gpsd's `status`; `unknown` for a number that no release has.
    ///
    /// Source: gpsd_json(5), TPV; `STATUS_…` in gpsd's `gps.h`, of 3.17 to 3.27.
    init(status: Int?) {
        switch status {
        // 6 is satellites with dead reckoning, 9 the encrypted P(Y) code: positions by satellites.
        case 1, 6, 9: self = .normal
        case 2: self = .dgps
        case 3: self = .rtkFixed
        case 4: self = .rtkFloat
        case 5: self = .deadReckoning
        case 7: self = .timeOnly
        case 8: self = .simulated
        default: self = .unknown
        }
    }

    /// The kind as evidence; nil for a fix by satellites alone and for an unknown one.
    var words: String? {
        switch self {
        case .normal, .unknown: nil
        case .dgps: "status 2 (DGPS)"
        case .rtkFixed: "status 3 (RTK fixed)"
        case .rtkFloat: "status 4 (RTK float)"
        case .deadReckoning: "status 5 (dead reckoning)"
        case .timeOnly: "status 7 (time only)"
        case .simulated: "status 8 (simulated)"
        }
    }

    /// Whether a fix of this kind is computed from satellites that are received now.
    var needsSatellites: Bool { !isEstimated && self != .simulated }
}

extension Receiver {
    /// The reasons why its last fix cannot be right, in a fixed order; empty without a fix.
    var contradictions: [FixContradiction] {
        guard let latest, latest.report.fix != .none else { return [] }
        let report = latest.report
        var found: [FixContradiction] = []
        if report.error == 0 { found.append(.zeroError) }
        if report.latitude == 0, report.longitude == 0 { found.append(.origin) }
        if isWithoutSatellite { found.append(.noSatellite) }
        // A simulator has the date that it is given.
        if !report.isSimulated, let time = report.time, let system = systemTime(at: latest.at),
            FixContradiction.areApart(time, system)
        {
            found.append(.date(receiver: time, system: system))
        }
        return found
    }
}

/// The day of a time in seconds since 1970, as `2026-11-21` in UTC.
///
/// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
private func day(_ seconds: Double) -> String {
    guard abs(seconds) < 1e11 else { return "an impossible date" }
    let days = Int((seconds / 86_400).rounded(.down)) + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let year = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let (month, date) = (shifted < 10 ? shifted + 3 : shifted - 9, dayOfYear - (153 * shifted + 2) / 5 + 1)
    func padded(_ number: Int, _ width: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
    return "\(padded(year + era * 400 + (month <= 2 ? 1 : 0), 4))-\(padded(month, 2))-\(padded(date, 2))"
}
