internal import DriverKit
internal import Readiness

/// One driver in the probe of a recording: a loop on the recorded clock, without waiting.
struct ReplayProbe {
    private let driver: any Driver
    private let world: any World
    private let depth: Depth
    /// The timeout of the recorded probe.
    private let timeout: Duration

    init(_ binding: DriverBinding, depth: Depth, timeout: Duration) {
        driver = binding.driver
        world = binding.world
        self.depth = depth
        self.timeout = timeout
    }

    /// Runs the driver; sensors that are `known` are not read again.
    func result(known: [Sensor: Finding]) -> DriverResult {
        let began = Instant.now
        let answers = answers(known: known)
        return DriverResult(driver, answers, elapsed: began.seconds(to: .now), timeout: timeout)
    }

    private func answers(known: [Sensor: Finding]) -> DriverAnswers {
        let end = world.now().advanced(bySeconds: timeout.seconds + driver.patience)
        let start = counts
        var answers = DriverAnswers()
        do throws(DriverError) {
            let session = try driver.open(world, until: world.driverDeadline(before: end))
            let enumeration = try session.enumeration(depth, until: world.driverDeadline(before: end))
            // A live driver would still wait.
            guard counts.unanswered == start.unanswered else { return answers }
            answers.begin(enumeration, known: known)
            for index in answers.unasked.sorted() {
                let before = counts
                let finding = session.look(
                    at: enumeration.candidates[index], depth, until: world.driverDeadline(before: end))
                let after = counts
                // None of its requests was recorded, and an earlier one was never answered: it was never asked.
                let isUnasked =
                    before.unanswered > start.unanswered && after.answered == before.answered
                    && after.notRecorded > before.notRecorded
                guard !isUnasked else { continue }
                answers.unasked.remove(index)
                if after.unanswered == before.unanswered { answers.findings[index] = finding }
            }
        } catch {
            if counts.unanswered == start.unanswered { answers.failure = error }
        }
        return answers
    }

    private var counts: ReplayCounts { world.replayCounts ?? ReplayCounts() }
}
