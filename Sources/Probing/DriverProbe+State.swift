internal import DriverKit
internal import Readiness

extension DriverProbe {
    /// How far the driver has come.
    struct Progress {
        var enumeration: Enumeration?
        var failure: DriverError?
        var session: (any Session)?
        var findings: [Finding?] = []
        /// The next lead to walk.
        var next = 0
        /// The worker that walks; one that was replaced takes no further lead.
        var generation = 0
        /// When the walking worker took up its lead.
        var since: Instant?
        /// When the last of it was done.
        var ended: Instant?
        var isClosed = false
        /// The leads whose worker a replayed rig never answered.
        var abandoned: Set<Int> = []
        /// When the last of them would have been taken over, had the rig been live.
        var relieved: Instant?
        /// Whether nobody is left to take over, so that the leads behind are never asked.
        var isExhausted = false

        /// Whether leads are left that another worker could walk.
        var canBeRelieved: Bool {
            ended == nil && !isExhausted && next < findings.count && generation < DriverProbe.limit
        }

        /// How many leads, from the first on, are told or given up for certain.
        private var settled = 0

        /// Whether every lead that is asked at all is told or given up; goes on where it stopped the last time.
        mutating func isSettled() -> Bool {
            let asked = isExhausted ? next : findings.count
            while settled < asked, findings[settled] != nil || abandoned.contains(settled) { settled += 1 }
            return settled >= asked
        }
    }
}
