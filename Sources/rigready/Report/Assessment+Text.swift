import Readiness
import Rendering

extension Assessment {
    /// The report for people: the verdicts first with their causes, the remedies below, the hardware last.
    func text(on terminal: Terminal) -> String {
        var page = Page(terminal)
        let tally = tallyWords
        page.ends(heading, tally.text, tally.tone.style)
        page.blank()
        page.services(self)
        page.causes(rootCauses)
        page.accepted(self)
        page.sensors(sensors, isFull: false)
        page.notices(noticesOfRig)
        page.repeatVerdict(self)
        return page.text
    }
}

extension Page {
    fileprivate mutating func services(_ assessment: Assessment) {
        let names = assessment.services.map { ($0.service.parent == nil ? "" : "  ") + $0.service.title }
        let column = (names.map(\.count).max() ?? 0) + 4
        for (result, name) in zip(assessment.services, names) {
            let isAccepted = assessment.acceptedServices.contains(result.service)
            let mark = Mark(result.verdict, isAccepted: isAccepted)
            let style: Terminal.Style = isAccepted || mark.tone == .good ? .faint : mark.tone.style
            row(
                (mark.sign + " ", mark.tone.style),
                (name.padded(to: column), result.asked ? nil : .faint),
                rest: assessment.reason(for: result) + (isAccepted ? " (accepted)" : ""), style: style)
        }
        blank()
    }

    fileprivate mutating func accepted(_ assessment: Assessment) {
        for accepted in assessment.accepted {
            row(
                (accepted.state.title.padded(to: 10), accepted.state == .expired ? .bad : .doubtful),
                (accepted.finding.id + "  ", .strong), rest: accepted.words)
        }
        if !assessment.accepted.isEmpty { blank() }
    }

    mutating func notices(_ notices: [Notice]) {
        guard !notices.isEmpty else { return }
        blank()
        for notice in notices { row(rest: "note: \(notice.detail)", style: .faint) }
    }

    /// Adds the verdict again where the terminal is too small to show the first line.
    mutating func repeatVerdict(_ assessment: Assessment) {
        guard let height = terminal.height, text.utf8.count(where: { $0 == UInt8(ascii: "\n") }) >= height else {
            return
        }
        let tally = assessment.tallyWords
        blank()
        row((Mark(tally.tone).sign + " ", tally.tone.style), rest: tally.text, style: tally.tone.style)
    }

    /// Adds the causes in the order in which to repair them, each with what it unlocks and what fixes it; of a selection
    /// each with its number in the whole list.
    mutating func causes(_ causes: [RootCause], where isShown: (RootCause) -> Bool = { _ in true }) {
        let shown = causes.withHeadings.filter { isShown($0.cause) }
        for (heading, cause) in shown {
            row((heading, .strong))
            if let detail = cause.detail { row(("  ", nil), rest: detail, style: cause.cause.tone.style) }
            for remedy in cause.remedies { self.remedy(4, remedy) }
        }
        if !shown.isEmpty { blank() }
    }
}

extension Mark? {
    var style: Terminal.Style { self?.tone.style ?? .faint }

    /// The sign, or what stands where there is none, as a column.
    func column(or sign: String) -> (String, Terminal.Style?) { ((self?.sign ?? sign) + " ", style) }
}

extension Tone {
    var style: Terminal.Style {
        switch self {
        case .good: .good
        case .doubtful: .doubtful
        case .bad: .bad
        }
    }
}
