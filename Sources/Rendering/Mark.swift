package import Readiness

/// How a result is shown: as good, doubtful or bad.
package enum Tone: String, Sendable {
    case good, doubtful, bad
}

/// The sign before a result, so that colour is never the only mark.
package struct Mark: Sendable, Equatable {
    /// One character.
    package var sign: String
    /// Its tone.
    package var tone: Tone

    init(_ sign: String, _ tone: Tone) {
        self.sign = sign
        self.tone = tone
    }

    /// The mark of a verdict; what is accepted is doubtful, whatever its sign.
    package init(_ verdict: Verdict, isAccepted: Bool = false) {
        switch verdict {
        case .runs: self.init(.good)
        case .degraded: self.init("!", .doubtful)
        case .undetermined: self.init(.doubtful)
        case .fails, .blocked, .unauthorized: self.init(.bad)
        }
        if isAccepted { tone = .doubtful }
    }

    /// The mark of a requirement's status.
    package init(_ status: RequirementStatus) {
        switch status {
        case .met: self.init(.good)
        case .unmet: self.init(.bad)
        case .unknown, .unchecked: self.init(.doubtful)
        }
    }

    /// The mark of a sensor.
    package init(_ availability: Availability) {
        switch availability {
        case .available: self.init(.good)
        case .unavailable(let cause): self.init(cause.tone)
        }
    }

    /// The mark of an overall result in a tone.
    package init(_ tone: Tone) {
        switch tone {
        case .good: self.init("✓", .good)
        case .doubtful: self.init("?", .doubtful)
        case .bad: self.init("✗", .bad)
        }
    }
}

extension Cause {
    /// Bad, or doubtful for what is not known.
    package var tone: Tone { self == .indeterminate || self == .notDetermined ? .doubtful : .bad }
}
