package import Readiness

extension Sensor {
    /// The name of its signals, which no other sensor has.
    package var signalName: String { "\(kind.id) \(key)" }

    /// The reading, or why there is none, on one line.
    package var summary: String { summary(showsAge: true) }

    /// The summary without the age of a fix, for a screen or a page, which may be read long after it is drawn.
    package var lastingSummary: String { summary(showsAge: false) }

    private func summary(showsAge: Bool) -> String {
        let state =
            switch availability {
            case .available: summaryWhenAvailable(showsAge: showsAge)
            case .unavailable(let cause): [cause.title, detail].compactMap { $0 }.joined(separator: ": ")
            }
        return access == .denied ? state + " (no access to capture)" : state
    }

    /// The reading and the detail, which may begin with the same words.
    private func summaryWhenAvailable(showsAge: Bool) -> String {
        guard let said = reading?.summary(showsAge: showsAge) else { return detail ?? "present" }
        guard let detail else { return said }
        return detail.hasPrefix(said) ? detail : "\(said); \(detail)"
    }
}

extension Reading {
    fileprivate func summary(showsAge: Bool) -> String {
        switch self {
        case .axes(let axes):
            let values = [("x", axes.x), ("y", axes.y), ("z", axes.z)].compactMap { axis, value in
                value.map { "\(axis) \($0.fixed(axes.unit == .raw ? 0 : 3))" }
            }
            let unit = axes.unit == .metresPerSecondSquared ? "m/s²" : axes.unit.rawValue
            return values.joined(separator: "  ") + "  " + unit
        case .steps(let steps): return "\(steps) steps"
        case .adapter(let adapter):
            let blocks = [
                adapter.softBlocked == true ? "soft blocked" : nil, adapter.hardBlocked == true ? "hard blocked" : nil,
            ]
            return ([adapter.state.id.spaced] + blocks.compactMap { $0 }).joined(separator: ", ")
        case .position(let position): return position.summary(showsAge: showsAge)
        }
    }
}

extension PositionReading {
    /// The fix on one line; the position itself is only in the JSON.
    fileprivate func summary(showsAge: Bool) -> String {
        var words = [fix == .none ? "no fix" : "\(fix.rawValue) fix\(fixKind.suffix)"]
        if let horizontalError { words[0] += " ±\(horizontalError.fixed(1)) m" }
        if let satellitesUsed { words.append("\(satellitesUsed) satellites") }
        if showsAge, let ageSeconds { words.append("\(ageSeconds.fixed(1)) s old") }
        return words.joined(separator: ", ") + (simulated ? " (simulated)" : "")
    }
}

extension PositionReading.FixKind {
    /// What follows the word "fix"; empty for a fix by satellites alone, and for a simulated one, which a line ends with.
    fileprivate var suffix: String {
        switch self {
        case .normal, .simulated, .unknown: ""
        case .dgps: " (DGPS)"
        case .rtkFixed: " (RTK fixed)"
        case .rtkFloat: " (RTK float)"
        case .deadReckoning: " by dead reckoning"
        case .timeOnly: " (time only)"
        }
    }
}
