import Readiness

extension Sensor {
    /// The reading, or why there is none, on one line.
    var summary: String {
        let state =
            switch availability {
            case .available: summaryWhenAvailable
            case .unavailable(let cause): [cause.title, detail].compactMap { $0 }.joined(separator: ": ")
            }
        return access == .denied ? state + " (no access to capture)" : state
    }

    /// The reading and the detail, which may begin with the same words.
    private var summaryWhenAvailable: String {
        guard let said = reading?.summary else { return detail ?? "present" }
        guard let detail else { return said }
        return detail.hasPrefix(said) ? detail : "\(said); \(detail)"
    }
}

extension Reading {
    var summary: String {
        switch self {
        case .axes(let axes):
            let values = [("x", axes.x), ("y", axes.y), ("z", axes.z)].compactMap { axis, value in
                value.map { "\(axis) \($0.fixed(axes.unit == .raw ? 0 : 3))" }
            }
            return values.joined(separator: "  ") + "  " + (axes.unit == .raw ? "raw" : axes.unit.symbol)
        case .steps(let steps): return "\(steps) steps"
        case .adapter(let adapter):
            let blocks = [
                adapter.softBlocked == true ? "soft blocked" : nil, adapter.hardBlocked == true ? "hard blocked" : nil,
            ]
            return ([adapter.state.words] + blocks.compactMap { $0 }).joined(separator: ", ")
        case .position(let position): return position.summary
        }
    }
}

extension PositionReading {
    /// The fix on one line; the position itself is only in the JSON.
    var summary: String {
        var words = [fix == .none ? "no fix" : "\(fix.rawValue) fix"]
        if let horizontalError { words[0] += " ±\(horizontalError.fixed(1)) m" }
        if let satellitesUsed { words.append("\(satellitesUsed) satellites") }
        if let ageSeconds { words.append("\(ageSeconds.fixed(1)) s old") }
        return words.joined(separator: ", ") + (simulated ? " (simulated)" : "")
    }
}

extension AxesReading.Unit {
    var symbol: String {
        switch self {
        case .metresPerSecondSquared: "m/s²"
        case .radiansPerSecond: "rad/s"
        case .raw: "raw"
        }
    }
}

extension AdapterReading.State {
    var words: String {
        switch self {
        case .poweredOn: "powered on"
        case .poweredOff: "powered off"
        default: id
        }
    }
}

extension Double {
    /// The number with this many decimals, in any locale.
    func fixed(_ decimals: Int) -> String {
        guard isFinite, abs(self) < 1e12 else { return "\(self)" }
        let factor = (0..<decimals).reduce(1.0) { product, _ in product * 10 }
        let scaled = Int64((self * factor).rounded())
        let digits = String(abs(scaled))
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        let whole = padded.dropLast(decimals)
        let sign = scaled < 0 ? "−" : ""
        return decimals == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(padded.suffix(decimals))"
    }
}
