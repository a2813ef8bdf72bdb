internal import DriverKit
internal import Readiness

extension DriverBinding {
    /// Probes a recording: a loop on the recorded clock, without waiting; `limit` is that of the recorded probe.
    func replay(_ depth: Depth, _ limit: ProbeLimit) -> DriverResult {
        let limit = limit.extended(by: driver.patience)
        let began = Instant.now
        let answers = answers(depth, limit)
        return DriverResult(driver, answers, elapsed: began.seconds(to: .now), limit: limit)
    }

    private func answers(_ depth: Depth, _ limit: ProbeLimit) -> DriverAnswers {
        let began = world.now()
        let end = began.advanced(by: limit.timeout)
        let start = counts
        var answers = DriverAnswers()
        do throws(DriverError) {
            let session = try driver.open(world, until: world.driverDeadline(before: end))
            let enumeration = try session.listing(
                depth, of: driver.kinds, until: world.driverDeadline(before: end))
            // A live driver would still wait.
            guard counts.unanswered == start.unanswered else { return answers }
            answers.enumeration = enumeration
            // When the previous sensor of a group had answered, and the time that it was given.
            var free: [String: (at: Instant?, given: Duration)] = [:]
            for candidate in enumeration.candidates {
                guard candidate.isOpen else {
                    answers.sensors.append(.init(candidate: candidate, state: .listed, given: limit.timeout))
                    continue
                }
                let before = counts
                let from = candidate.group.flatMap { free[$0]?.at } ?? began
                var deadline = max(end, from)
                let time =
                    depth == .sample
                    ? session.readingTime(of: candidate, until: world.driverDeadline(before: deadline)) : nil
                if let time, limit.isSlow(time) {
                    let explained = min(from.advanced(by: limit.time(for: time)), began.advanced(by: limit.longest))
                    deadline = max(deadline, explained)
                }
                let asked = counts
                let finding = session.look(at: candidate, depth, until: world.driverDeadline(before: deadline))
                let after = counts
                let given = time.map(limit.time) ?? limit.timeout
                let blocked = candidate.group.flatMap { free[$0]?.given } ?? given
                if let group = candidate.group { free[group] = (after.lastAnswer, given) }
                // None of its requests was recorded, and an earlier one was never answered: it was never asked.
                let isUnasked =
                    before.unanswered > start.unanswered && after.answered == before.answered
                    && after.notRecorded > asked.notRecorded
                let isInTime =
                    after.unanswered == before.unanswered
                    && (after.answered == asked.answered || after.lastAnswer.map { $0 <= deadline } ?? true)
                answers.sensors.append(
                    .init(
                        candidate: candidate, state: isUnasked ? .unasked : isInTime ? .found(finding) : .cutOff,
                        readingTime: time, given: isUnasked ? blocked : given))
            }
        } catch {
            if counts.unanswered == start.unanswered { answers.failure = error }
        }
        return answers
    }

    private var counts: ReplayCounts { world.replayCounts ?? ReplayCounts() }
}
