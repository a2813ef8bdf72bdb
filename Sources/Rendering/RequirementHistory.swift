package import Readiness

/// The document `rigready.history/1`: how often each requirement of a rig changed, and when it was last met.
///
/// A watch keeps it in a file, and `rigready history` prints it, or what of it is in a time asked for. It is bounded:
/// of each requirement the last `eventLimit` changes are listed, and older ones are only counted. Times are UTC.
package struct RequirementHistory: Codable, Sendable, Equatable {
    /// The name of this document and its version.
    package static let schema = "rigready.history/1"
    /// The most changes listed of one requirement.
    package static let eventLimit = 128

    /// One change of a requirement.
    package struct RequirementChange: Codable, Sendable, Equatable {
        /// When it was seen.
        package var at: String
        /// `met`, `unchecked` or a cause.
        package var before: String
        /// `met`, `unchecked` or a cause.
        package var after: String
    }

    /// One requirement.
    package struct RequirementRecord: Codable, Sendable, Equatable {
        /// The name, such as `gyroscope`.
        package var id: String
        /// `met`, `unmet`, `unknown` or `unchecked`; null before anything was seen.
        @Nullable package var standing: String?
        /// The cause if it is not met.
        @Nullable package var cause: String?
        /// The requirement whose cause this one repeats; its changes are those of that one, and are not listed again.
        @Nullable package var rootCause: String?
        /// When it was last seen to be met; null if it never was.
        @Nullable package var lastMet: String?
        /// The number of changes since `begunAt`.
        package var changes: Int
        /// The changes listed, the oldest first.
        package var events: [RequirementChange]
        /// Whether changes in the selected period are no longer listed.
        package var isTruncated: Bool
    }

    /// The schema's name.
    package var schema = Self.schema
    /// The version of rigready that wrote it.
    package var version = Release.version
    /// The host name.
    package var host: String
    /// Since when it has been kept.
    package var begunAt: String
    /// When the watch last confirmed it.
    package var watchedUntil: String
    /// The begin of the selected period; null for the whole history.
    @Nullable package var since: String?
    /// The requirements, in table order.
    package var requirements: [RequirementRecord]

    /// Creates a history of which nothing has been seen; `now` is a time as in reports.
    package init(host: String, now: String) {
        self.host = host
        begunAt = now
        watchedUntil = now
        requirements = Requirement.allCases.map {
            RequirementRecord(id: $0.id, changes: 0, events: [], isTruncated: false)
        }
    }
}

extension RequirementHistory {
    /// Takes what a watch found; true if a requirement changed, has another cause, or was seen for the first time.
    ///
    /// `isFirst` is whether the watch has just begun: what changed meanwhile changed when nobody was looking, so that it
    /// was last met when the watch before confirmed it.
    @discardableResult
    package mutating func take(_ assessment: Assessment, at now: String, isFirst: Bool) -> Bool {
        let differences = Comparison(kept: kept, after: assessment).differences
        for difference in differences {
            guard case .requirement(let requirement) = difference.subject, let before = difference.before,
                let after = difference.after
            else { continue }
            update(requirement) { $0.add(RequirementChange(at: now, before: before, after: after)) }
        }
        if isFirst { watchedUntil = now } else { confirm(at: now) }
        var isChanged = false
        for result in assessment.requirements {
            update(result.requirement) { line in
                let before = line
                line.standing = result.status.rawValue
                line.cause = result.cause?.id
                line.rootCause = result.rootCause?.id
                if result.status == .met { line.lastMet = now }
                isChanged = isChanged || before.standing != line.standing || before.cause != line.cause
            }
        }
        return isChanged
    }

    /// Notes that the watch still runs and has seen no change: what was met still is.
    package mutating func confirm(at now: String) {
        watchedUntil = now
        for index in requirements.indices where requirements[index].standing == RequirementStatus.met.rawValue {
            requirements[index].lastMet = now
        }
    }

    /// The same with only the changes at that time or later.
    package func since(_ time: String) -> RequirementHistory {
        var part = self
        part.since = time
        for index in part.requirements.indices {
            let line = requirements[index]
            part.requirements[index].events = line.events.filter { $0.at >= time }
            // Those not listed may have been in this time only if none that is listed was before it.
            part.requirements[index].isTruncated = line.isTruncated && line.events.allSatisfy { $0.at >= time }
        }
        return part
    }

    /// What a comparison takes of the last assessment; without requirements that repeated another's cause.
    private var kept: Baseline {
        var kept = Baseline(.probe)
        for line in requirements {
            guard let requirement = Requirement(id: line.id), line.rootCause == nil,
                let status = line.standing.flatMap(RequirementStatus.init(rawValue:))
            else { continue }
            kept.requirements[requirement] = status
            kept.causes[requirement] = line.cause.flatMap(Cause.init(id:))
        }
        return kept
    }

    private mutating func update(_ requirement: Requirement, _ change: (inout RequirementRecord) -> Void) {
        if let index = requirements.firstIndex(where: { $0.id == requirement.id }) { change(&requirements[index]) }
    }
}

extension RequirementHistory.RequirementRecord {
    fileprivate mutating func add(_ event: RequirementHistory.RequirementChange) {
        changes += 1
        events.append(event)
        guard events.count > RequirementHistory.eventLimit else { return }
        events.removeFirst(events.count - RequirementHistory.eventLimit)
        isTruncated = true
    }
}
