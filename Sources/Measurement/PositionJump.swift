/// A step from one position to the next that neither the receiver's speed nor the usual scatter explains.
package struct PositionJump: Sendable, Hashable {
    /// The index, in order of arrival, of the report after it.
    package var index: Int
    /// How far that position is from the one before, in metres.
    package var distance: Double
    /// The satellites that were used before and after it; nil if unknown.
    package var usedBefore, usedAfter: Int?

    /// Creates a jump.
    package init(index: Int, distance: Double, usedBefore: Int? = nil, usedAfter: Int? = nil) {
        self.index = index
        self.distance = distance
        self.usedBefore = usedBefore
        self.usedAfter = usedAfter
    }
}

extension PositionSeries {
    /// The speed gained in a second by what moves, in m/s².
    ///
    /// Source: Android CDD 7.3.3, C-1-3: up to 1 m/s².
    private static let acceleration = 1.0
    /// How many times the median step is no usual step: that of normal scatter is exceeded by 3 of 100,000,000.
    private static let usualSteps = 5.0

    /// The positions that are farther from the one before than a limit, in metres, than the speed allows, and than usual.
    func jumps(beyond limit: Double) -> [PositionJump] {
        var steps: [(jump: PositionJump, unexplained: Double)] = []
        var last: (report: PositionReport, place: GeographicPlace, used: Int?)?
        var sky = 0
        for (index, report) in positions.enumerated() {
            guard let place = report.place else { continue }
            // A sky may come before or after the position of its cycle: the nearest one.
            func isNearer(_ sky: Int) -> Bool {
                (Double(skies[sky].time) - Double(report.time)).magnitude
                    <= (Double(skies[sky - 1].time) - Double(report.time)).magnitude
            }
            while sky + 1 < skies.count, isNearer(sky + 1) { sky += 1 }
            let used = sky < skies.count ? skies[sky].used : nil
            defer { last = (report, place, used) }
            guard let last, report.time > last.report.time else { continue }
            let seconds = Double(report.time &- last.report.time) * 1e-9
            let speed = max(report.speed ?? 0, last.report.speed ?? 0)
            let moved = speed == 0 ? 0 : (speed + Self.acceleration * seconds / 2) * seconds
            let metres = distance(last.place, place)
            let jump = PositionJump(index: index, distance: metres, usedBefore: last.used, usedAfter: used)
            steps.append((jump, max(metres - moved, 0)))
        }
        let usual = percentile(0.5, of: steps.map(\.unexplained).sorted()) ?? 0
        let allowed = max(limit, Self.usualSteps * usual)
        return steps.filter { $0.unexplained > allowed }.map(\.jump)
    }

    /// The speeds that its reports with a position tell, in m/s.
    var speeds: [Double] { positions.filter(\.hasPlace).compactMap(\.speed) }

    /// Whether the median of the speeds is above one that a receiver at rest may tell, or a fifth of them above four times
    /// that, as of one that moved for a while; nil with fewer than three.
    func isMoving(above still: Double) -> Bool? {
        let speeds = speeds.sorted()
        guard speeds.count >= 3, let middle = percentile(0.5, of: speeds), let fast = percentile(0.8, of: speeds) else {
            return nil
        }
        return middle > still || fast > 4 * still
    }
}
