package import Readiness
package import Rendering

package enum RigOutcome: Sendable {
    case runs, doesNotRun, cannotTell
}

/// The state of one rig at one moment.
package struct RigStatus: Sendable {
    /// Whether the rig is online and was seen in the last 30 seconds; nil if unknown.
    package var online: Bool?
    package var seen: String?
    /// Seconds since then.
    package var age: Double?
    /// This reader's remarks on the rig, by kind.
    package var remarks: [(id: String, detail: String)] = []
    package private(set) var lines: [ServiceSummary] = []
    package private(set) var rootCauses: [Report.RootCauseLine] = []
    package private(set) var notices: [Report.NoticeLine] = []
    /// Whether another machine publishes under the same name.
    package var isDuplicate: Bool { notices.contains { $0.id == Self.nameTaken } }
    /// Whether its report can be read, and is that of one machine.
    private(set) var isReported = false
    /// The requested services that its report does not have.
    private(set) var missing: [Service] = []

    /// The kind of notice of two machines under one name.
    package static let nameTaken = "nameTaken"
    /// The kind of remark on a rig that is online and was not seen for too long.
    package static let notSeen = "notSeen"

    /// Takes the report: only the requested services, otherwise those that the rig evaluates.
    mutating func take(_ summary: RigSummary, asked: ServiceSet?) {
        lines = summary.lines.filter { line in
            asked.map { set in line.service.map(set.contains) ?? false } ?? line.asked
        }
        missing = asked?.members.filter { service in !lines.contains { $0.service == service } } ?? []
        let lacks = lines.reduce(into: Set()) { $0.formUnion($1.lacks) }
        rootCauses = summary.rootCauses.filter { asked == nil || !lacks.isDisjoint(with: $0.requirements) }
        notices = summary.notices
        isReported = !isDuplicate
        if summary.version != Release.version {
            remarks.append(
                ("otherVersion", "it runs version \(summary.version.singleLine.prefix(40)), this is \(Release.version)")
            )
        }
        if !missing.isEmpty {
            remarks.append(("notAsked", "the rig does not evaluate \(missing.map(\.id).joined(separator: ", "))"))
        }
    }

    /// A service's verdict; undetermined if the rig's report does not count now.
    package func verdict(of line: ServiceSummary) -> Verdict {
        isCounted ? line.verdict ?? .undetermined : .undetermined
    }

    /// Whether the rig runs all requested services, by the rule of the exit status.
    package var outcome: RigOutcome {
        guard online != false else { return .doesNotRun }
        guard isCounted, !lines.isEmpty else { return .cannotTell }
        if lines.contains(where: isFailing) { return .doesNotRun }
        let isUnsure = lines.contains { !$0.isAccepted && verdict(of: $0) == .undetermined }
        return isUnsure || !missing.isEmpty ? .cannotTell : .runs
    }

    /// Whether a service fails whose findings are not accepted.
    func isFailing(_ line: ServiceSummary) -> Bool {
        !line.isAccepted && [.fails, .blocked, .unauthorized].contains(verdict(of: line))
    }

    /// Whether it is online, was seen lately, and has a report of one machine.
    package var isCounted: Bool { online == true && isReported }

    /// Seconds until it is not seen any more, if it says nothing; nil if it is not seen now.
    package var remaining: Double? {
        guard online == true, let age else { return nil }
        return max(0, FleetRig.patience - age) + 0.001
    }

    /// Whether the rig runs all requested services with everything that is optional, so that it is picked first.
    package var isWhole: Bool { outcome == .runs && lines.allSatisfy { $0.verdict == .runs } }
}
