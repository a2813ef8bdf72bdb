import Readiness
import Rendering

extension RequirementHistory {
    /// The largest count that is taken from a file.
    static let countLimit = 1_000_000_000_000

    /// The history of a decoded document, checked: every time is one, every name known, every list within its bound.
    ///
    /// Requirements, causes and changes that only a later version knows are left out.
    func checked() throws -> RequirementHistory {
        for (name, time) in [("begunAt", begunAt), ("watchedUntil", watchedUntil), ("since", since)] {
            try Self.check(time, name)
        }
        var history = RequirementHistory(host: String(host.singleLine.prefix(64)), now: begunAt)
        history.watchedUntil = watchedUntil
        history.since = since
        var seen: Set<String> = []
        for (number, line) in requirements.enumerated() {
            let place = "requirements[\(number)]"
            guard let index = history.requirements.firstIndex(where: { $0.id == line.id }) else { continue }
            guard seen.insert(line.id).inserted else {
                throw EarlierDocument.DocumentFault("\(place).id: \(line.id) is there twice")
            }
            try Self.check(line.lastMet, "\(place).lastMet")
            guard (0...Self.countLimit).contains(line.changes) else {
                throw EarlierDocument.DocumentFault("\(place).changes: expected a number from 0 to \(Self.countLimit)")
            }
            guard line.events.count <= min(Self.eventLimit, line.changes) else {
                throw EarlierDocument.DocumentFault(
                    "\(place).events: expected at most \(min(Self.eventLimit, line.changes)) changes")
            }
            for (number, event) in line.events.enumerated() {
                try Self.check(event.at, "\(place).events[\(number)].at")
            }
            history.requirements[index] = line.known
        }
        return history
    }

    private static func check(_ time: String?, _ place: String) throws {
        guard let time, time.secondsSinceEpoch == nil else { return }
        throw EarlierDocument.DocumentFault(
            "\(place): expected a time such as 2026-11-21T09:00:00.000Z, found \"\(time.brief)\"")
    }

    /// Every word that a comparison has for a requirement.
    fileprivate static let words = Set(
        [RequirementStatus.met, .unmet, .unknown, .unchecked].map(\.rawValue) + Cause.allCases.map(\.id))
}

extension RequirementHistory.RequirementRecord {
    /// The line without what this version does not know.
    fileprivate var known: Self {
        var line = self
        let isStanding = standing.flatMap(RequirementStatus.init(rawValue:)) != nil
        let isCause = cause.map { Cause(id: $0) != nil } ?? true
        if !isStanding || !isCause { (line.standing, line.cause) = (nil, nil) }
        if !Requirement.allCases.contains(where: { $0.id == rootCause }) { line.rootCause = nil }
        line.events = events.filter { RequirementHistory.words.isSuperset(of: [$0.before, $0.after]) }
        return line
    }
}
