package import Readiness

extension RequirementResult {
    /// Its causes in order, and what it follows from, on one line; empty if it is met.
    package var causeWords: String {
        causes.map(\.title).joined(separator: ", then ") + (rootCause.map { " (follows from \($0.title))" } ?? "")
    }

    /// What is known of it, one fact a line; none of one that follows from another, which is explained there.
    package var explanation: (detail: String?, facts: [String]) {
        if rootCause != nil { return (nil, []) }
        let facts = [
            findingID.map { "finding \($0)" }, decidedBy.isEmpty ? nil : "by " + decidedBy.joined(separator: ", "),
        ]
        return (detail, facts.compactMap(\.self) + evidence.lines(besides: detail))
    }
}

extension [Evidence] {
    /// What was seen, one line each, except what a detail includes.
    package func lines(besides detail: String?) -> [String] {
        let seen = map { one in
            [one.path, one.said.isEmpty ? one.errno : one.said].compactMap { $0 }.joined(separator: ": ")
        }
        return seen.filter { detail?.includes($0) != true }.map { "seen: " + $0 }
    }
}
