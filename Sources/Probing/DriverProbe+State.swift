internal import DriverKit
internal import Readiness

extension DriverProbe {
    /// The progress of the driver.
    struct State {
        var answers = DriverAnswers()
        var session: (any Session)?
        /// The candidates that no worker has taken yet, the next one last.
        private var waiting: [Int] = []
        /// The groups with a candidate that is being read.
        private var busyGroups: Set<String> = []
        /// How many findings are still missing.
        private var missing = 0
        /// How many workers are running.
        var workers = 1
        /// When a worker last took a candidate or was started.
        private var taken: Instant?
        /// When the last finding came.
        var ended: Instant?
        var isClosed = false

        /// Takes the driver's enumeration; sensors that are `known`, or not open, are not read.
        mutating func begin(_ enumeration: Enumeration, known: [Sensor: Finding]) {
            guard !isClosed else { return }
            answers.begin(enumeration, known: known)
            waiting = answers.unasked.sorted(by: >)
            missing = waiting.count
            taken = .now
            if missing == 0 { ended = .now }
        }

        /// When the next worker is to start; nil if none is, or none could take a candidate.
        var nextStart: Instant? {
            guard ended == nil, !isClosed, workers < DriverProbe.workerLimit, waiting.contains(where: isFree)
            else { return nil }
            return taken?.advanced(bySeconds: DriverProbe.slice)
        }

        /// Counts a worker if one is to start.
        mutating func addWorker(at now: Instant) -> Bool {
            guard let nextStart, nextStart <= now else { return false }
            workers += 1
            taken = now
            return true
        }

        /// The next candidate whose group is not being read; nil if the worker is done.
        mutating func take(before deadline: Instant) -> (Int, SensorCandidate, any Session)? {
            let now = Instant.now
            guard !isClosed, now < deadline, let session, let candidates = answers.enumeration?.candidates,
                let place = waiting.lastIndex(where: isFree)
            else {
                workers -= 1
                return nil
            }
            let index = waiting.remove(at: place)
            if let group = candidates[index].group { busyGroups.insert(group) }
            answers.unasked.remove(index)
            taken = now
            return (index, candidates[index], session)
        }

        /// Releases a candidate's group and keeps the finding, if any; true if that was the last.
        mutating func finish(_ index: Int, _ finding: Finding?) -> Bool {
            if let group = answers.enumeration?.candidates[index].group { busyGroups.remove(group) }
            guard !isClosed, let finding else { return false }
            answers.findings[index] = finding
            missing -= 1
            if missing == 0 { ended = .now }
            return missing == 0
        }

        private func isFree(_ index: Int) -> Bool {
            guard let group = answers.enumeration?.candidates[index].group else { return true }
            return !busyGroups.contains(group)
        }
    }
}
