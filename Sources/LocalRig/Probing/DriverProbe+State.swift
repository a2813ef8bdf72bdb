internal import DriverKit
internal import Readiness

extension DriverProbe {
    /// The sensors of the driver, and the progress of reading them.
    struct State {
        struct SensorProgress {
            enum Phase: Equatable {
                /// No worker has taken it yet.
                case waiting
                /// A worker is reading it, in time or not.
                case reading, overdue
                case answered
                /// The time was up before it answered, or before it was asked.
                case missed

                var isPending: Bool { self == .waiting || self == .reading }
            }
            let id: Int
            /// What is known of it; from an earlier round while the sensor is being read again.
            var answer: DriverAnswers.SensorAnswer
            var session: any Session
            var phase: Phase
            /// When its time is up; later if its sampling rate explains it, but not after `latest`.
            var deadline: Instant
            var latest: Instant
            var asked: Instant?
            /// The candidate to read once the present reading has returned.
            var next: NextReading?

            var isBusy: Bool { phase == .reading || phase == .overdue }
        }
        /// A candidate of a newer listing.
        struct NextReading {
            let candidate: SensorCandidate
            let session: any Session

            init(_ candidate: SensorCandidate, _ session: any Session) {
                self.candidate = candidate
                self.session = session
            }
        }
        /// A round's listing that has not returned.
        struct ListingRound {
            var deadline: Instant
            var isOverdue = false
        }

        let limit: ProbeLimit
        private(set) var entries: [SensorProgress] = []
        // Counted and not searched for after each reading, since a rig may have thousands of sensors.
        private var pending = 0
        /// No sensor before this one waits for a worker.
        private var firstWaiting = 0
        /// The number of the first sensor in the newest listing.
        private var firstID = 0
        /// The deadline that slow sensors give to those that wait for a worker.
        private var waitingDeadline = Instant(nanoseconds: 0)
        private var enumeration: Enumeration?
        private var failure: DriverError?
        private(set) var listing: ListingRound?
        /// The session whose listing is under way, or the newest one.
        var session: (any Session)?
        /// The obstacles of the previous result, which hold for kinds whose sensors are being read for the first time.
        private var previousObstacles: [Obstacle] = []
        /// What came of a listing that failed since the previous result: nothing is known of what was found before.
        private var unreported: DriverAnswers?
        /// The groups that are being read, and how many readings are under way in each.
        private var busyGroups: [String: Int] = [:]
        private var count = 0
        private var forgets = false
        private(set) var started = Instant.now
        private var listed: Instant?
        private var ended: Instant?
        private(set) var workers = 0
        /// When a worker last took a candidate or was started.
        private var taken: Instant?
        private var hasNews = false
        var isClosed = false

        init(_ limit: ProbeLimit) { self.limit = limit }

        // MARK: Listing

        /// Begins a round and returns the deadline of its listing; nil if the previous listing has not returned.
        ///
        /// `change` tells whether findings of unchanged sensors are kept.
        mutating func start(_ change: Change, at now: Instant) -> Instant? {
            guard listing == nil else { return nil }
            started = now
            ended = nil
            forgets = change == .findings
            let deadline = now.advanced(by: limit.timeout)
            listing = ListingRound(deadline: deadline)
            return deadline
        }

        /// Takes the listing of a round: sensors that are listed unchanged keep their findings, or at least the reading
        /// that is under way.
        mutating func begin(_ session: any Session, _ enumeration: Enumeration, at now: Instant) -> Bool {
            guard !isClosed, endListing(at: now) else { return false }
            let (deadline, latest) = (started.advanced(by: limit.timeout), started.advanced(by: limit.longest))
            var known: [Sensor: SensorProgress] = [:]
            // What stays the same of a sensor when the system lists it otherwise.
            var byKey: [SensorKind: [String: DriverAnswers.State]] = [:]
            for entry in entries {
                known[entry.answer.sensor] = entry
                // What was listed then is not what is listed now.
                let isListed = if case .listed? = entry.answer.state { true } else { false }
                byKey[entry.answer.sensor.kind, default: [:]][entry.answer.sensor.key] =
                    isListed ? .found(Finding(entry.answer.sensor)) : entry.answer.state
            }
            firstID = count + 1
            waitingDeadline = deadline
            let listed = enumeration.candidates.map { candidate in
                let isOpen = candidate.isOpen
                let old = isOpen ? known[candidate.sensor] : nil
                if var old, old.isBusy || (old.phase == .answered && !forgets) {
                    if old.isBusy, forgets || old.phase == .overdue { old.next = NextReading(candidate, session) }
                    return old
                }
                count += 1
                return SensorProgress(
                    id: count,
                    answer: DriverAnswers.SensorAnswer(
                        candidate: candidate,
                        state: isOpen ? byKey[candidate.sensor.kind]?[candidate.sensor.key] : .listed,
                        given: limit.timeout),
                    session: session, phase: isOpen ? .waiting : .answered, deadline: deadline, latest: latest)
            }
            replace(with: listed)
            self.enumeration = enumeration
            self.enumeration?.candidates = []
            failure = nil
            // The thread that listed them goes on as a worker.
            (self.listed, taken) = (now, Instant(nanoseconds: 0))
            // A removal is news even if another sensor is still being read.
            hasNews = true
            settle(at: now)
            return true
        }

        mutating func fail(_ error: DriverError, at now: Instant) {
            guard !isClosed, endListing(at: now) else { return }
            lose(because: error, at: now)
        }

        /// Whether the result of a listing counts: a late one does not, but the driver may be asked again.
        private mutating func endListing(at now: Instant) -> Bool {
            guard let current = listing else { return false }
            let isLate = now >= current.deadline
            if isLate, !current.isOverdue { abandonListing(at: now) }
            listing = nil
            return !isLate && !current.isOverdue
        }

        private mutating func abandonListing(at now: Instant) {
            listing?.isOverdue = true
            lose(because: nil, at: now)
        }

        /// Forgets all sensors, for an error or because the listing took too long.
        private mutating func lose(because error: DriverError?, at now: Instant) {
            (enumeration, failure) = (nil, error)
            unreported = DriverAnswers(failure: error)
            replace(with: [])
            listed = now
            settle(at: now)
        }

        private mutating func replace(with sensors: [SensorProgress]) {
            entries = sensors
            pending = sensors.count(where: \.phase.isPending)
            firstWaiting = sensors.firstIndex { $0.phase == .waiting } ?? sensors.count
        }

        // MARK: Reading

        private mutating func set(_ phase: SensorProgress.Phase, at index: Int) {
            pending += (phase.isPending ? 1 : 0) - (entries[index].phase.isPending ? 1 : 0)
            entries[index].phase = phase
            if phase == .waiting { firstWaiting = min(firstWaiting, index) }
        }

        /// Where a sensor is in the newest listing; nil if it is not.
        private func index(of id: Int) -> Int? {
            let expected = id - firstID
            if entries.indices.contains(expected), entries[expected].id == id { return expected }
            return entries.firstIndex { $0.id == id }
        }

        private func deadline(of entry: SensorProgress) -> Instant {
            guard entry.phase == .waiting else { return entry.deadline }
            // One that waits for its own group gains nothing from the time of a slow sensor elsewhere.
            guard let blocker = blocker(of: entry) else { return max(entry.deadline, waitingDeadline) }
            return max(entry.deadline, blocker.deadline)
        }

        /// The sensor that is being read where an entry waits for its group; nil if it does not.
        private func blocker(of entry: SensorProgress) -> SensorProgress? {
            guard entry.phase == .waiting, let group = entry.answer.candidate.group, busyGroups[group] != nil else {
                return nil
            }
            return entries.first { $0.isBusy && $0.answer.candidate.group == group }
        }

        /// When the next worker is to start; nil if none is, or none could take a candidate.
        var nextStart: Instant? {
            guard workers < DriverProbe.workerLimit, entries[firstWaiting...].contains(where: isFree) else {
                return nil
            }
            return workers == 0 ? started : taken?.advanced(by: DriverProbe.slice)
        }

        mutating func addWorker(at now: Instant) -> Bool {
            guard !isClosed, let nextStart, nextStart <= now else { return false }
            workers += 1
            taken = now
            return true
        }

        mutating func removeWorker() { workers -= 1 }

        /// The next candidate whose group is not being read; nil if the worker is done.
        mutating func take(at now: Instant) -> (SensorProgress, Instant)? {
            while firstWaiting < entries.count, entries[firstWaiting].phase != .waiting { firstWaiting += 1 }
            let free = entries[firstWaiting...].firstIndex { isFree($0) && now < deadline(of: $0) }
            guard !isClosed, let index = free else {
                workers -= 1
                return nil
            }
            // A slow sensor gives others the time until a worker is free, and not its own time to be read.
            let own = max(entries[index].deadline, now.advanced(by: limit.timeout))
            entries[index].deadline = min(deadline(of: entries[index]), own)
            set(.reading, at: index)
            entries[index].asked = now
            if let group = entries[index].answer.candidate.group { busyGroups[group, default: 0] += 1 }
            taken = now
            return (entries[index], entries[index].deadline)
        }

        /// Gives a sensor, and those that wait for it, the time that its sampling rate explains; returns its deadline.
        mutating func expect(_ time: ReadingTime, of id: Int, at now: Instant) -> Instant {
            guard let index = index(of: id) else { return now }
            entries[index].answer.readingTime = time
            entries[index].answer.given = limit.time(for: time)
            if limit.isSlow(time) {
                let explained = min(now.advanced(by: limit.time(for: time)), entries[index].latest)
                entries[index].deadline = max(entries[index].deadline, explained)
                waitingDeadline = max(waitingDeadline, explained)
            }
            // It takes longer than a slice, so that the next worker need not wait for one.
            if time.duration > DriverProbe.slice { taken = Instant(nanoseconds: 0) }
            return entries[index].deadline
        }

        /// Releases a candidate's group and keeps the finding, unless it came too late.
        mutating func finish(_ entry: SensorProgress, _ finding: Finding, at now: Instant) {
            if let group = entry.answer.candidate.group, let readings = busyGroups[group] {
                busyGroups[group] = readings > 1 ? readings - 1 : nil
            }
            guard !isClosed, let index = index(of: entry.id) else { return }
            // A hung hub returns zero with success once the kernel gives up on it: a late result is no reading.
            let isInTime = entries[index].phase == .reading && now < entries[index].deadline
            if entries[index].phase != .overdue { hasNews = true }
            set(isInTime ? .answered : .missed, at: index)
            entries[index].answer.state = isInTime ? .found(finding) : .cutOff
            if let next = entries[index].next {
                entries[index].next = nil
                set(.waiting, at: index)
                (entries[index].answer.candidate, entries[index].session) = (next.candidate, next.session)
                entries[index].deadline = now.advanced(by: limit.timeout)
                entries[index].latest = now.advanced(by: limit.longest)
                entries[index].answer.given = limit.timeout
            }
            settle(at: now)
        }

        private func isFree(_ entry: SensorProgress) -> Bool {
            guard entry.phase == .waiting else { return false }
            guard let group = entry.answer.candidate.group else { return true }
            return busyGroups[group] == nil
        }

        // MARK: Time

        /// When something must be done next; nil if nothing is awaited.
        var due: Instant? {
            let deadlines = pending > 0 ? entries.lazy.filter(\.phase.isPending).map(deadline(of:)).min() : nil
            let listed = listing.flatMap { $0.isOverdue ? nil : $0.deadline }
            return [deadlines, listed, nextStart].compactMap(\.self).min()
        }

        /// Ends what is past its deadline; returns the sessions that have nothing left to wait for.
        mutating func expire(at now: Instant) -> [any Session] {
            var abandoned: [any Session] = []
            if let current = listing, !current.isOverdue, current.deadline <= now {
                abandonListing(at: now)
                if let session { abandoned.append(session) }
            }
            guard pending > 0 else { return abandoned }
            for index in entries.indices
            where entries[index].phase.isPending && deadline(of: entries[index]) <= now {
                let wasAsked = entries[index].phase == .reading
                if let blocker = blocker(of: entries[index]) { entries[index].answer.given = blocker.answer.given }
                set(wasAsked ? .overdue : .missed, at: index)
                entries[index].answer.state = wasAsked ? .cutOff : .unasked
                hasNews = true
                let session = entries[index].session
                if wasAsked, !entries.contains(where: { $0.session === session && $0.phase.isPending }) {
                    abandoned.append(session)
                }
            }
            settle(at: now)
            return abandoned
        }

        /// Whether nothing is awaited any more in this round.
        var isSettled: Bool { (listing == nil || listing?.isOverdue == true) && pending == 0 }

        /// Whether there is a result of every sensor, of this round or an earlier one.
        var isComplete: Bool { listed != nil && !entries.contains { $0.answer.state == nil } }

        private mutating func settle(at now: Instant) {
            guard isSettled, ended == nil else { return }
            ended = now
            hasNews = true
        }

        // MARK: Result

        /// When what was found is to be reported: once the round is over, or soon if a sensor takes longer; nil for never.
        var newsDue: Instant? {
            guard hasNews, let listed else { return nil }
            return isSettled ? started : listed.advanced(by: DriverProbe.grace)
        }

        /// The sensors that are waited for longer than usual: known to be slow, or asked a second ago.
        func slowEntries(at now: Instant) -> [SensorProgress] {
            entries.filter { entry in
                guard entry.phase == .reading else { return false }
                if let time = entry.answer.readingTime, limit.isSlow(time) { return true }
                return entry.asked.map { $0.advanced(by: DriverProbe.usual) <= now } ?? false
            }
        }

        func slowListing(at now: Instant) -> Instant? {
            guard let listing, !listing.isOverdue, started.advanced(by: DriverProbe.usual) <= now else { return nil }
            return listing.deadline
        }

        mutating func result(of driver: any Driver) -> DriverResult {
            hasNews = false
            // The next round may have listed the sensors again before that was told: they are unknown, not absent.
            if let unreported {
                previousObstacles = DriverResult(driver, unreported, elapsed: 0, limit: limit).obstacles
            }
            unreported = nil
            let answers = DriverAnswers(
                enumeration: enumeration, failure: failure,
                sensors: entries.map(\.answer))
            let result = DriverResult(
                driver, answers, elapsed: started.seconds(to: ended ?? .now), limit: limit,
                previously: previousObstacles)
            previousObstacles = result.obstacles
            return result
        }
    }
}
