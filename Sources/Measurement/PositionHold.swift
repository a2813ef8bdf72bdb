/// Reports in a row with one position, while the receiver reports that it moves.
package struct PositionHold: Sendable, Hashable {
    /// The index, in order of arrival, of the first of them.
    package var index: Int
    /// The number of reports.
    package var count: Int
    /// How far the receiver went meanwhile by its speed, in metres.
    package var distance: Double
    /// Its mean speed, in m/s.
    package var speed: Double

    /// Creates a hold.
    package init(index: Int, count: Int, distance: Double, speed: Double) {
        self.index = index
        self.count = count
        self.distance = distance
        self.speed = speed
    }
}

extension PositionSeries {
    /// The speed in m/s from which on a receiver must change its position: twice the error of a speed.
    ///
    /// Source: Android CDD 7.3.3, C-1-3: a speed is accurate to 0.5 m/s for 95 % of the time.
    static let holdSpeed = 1.0
    /// The least number of reports: a slow receiver that reports often may repeat a position of few digits.
    static let holdCount = 5

    /// The longest way, by its speed, during which the position stayed the same to the last digit although the
    /// receiver's time went on; nil if it stayed for less than `limit`, in metres.
    func hold(beyond limit: Double) -> PositionHold? {
        var (longest, current) = (PositionHold?.none, PositionHold?.none)
        var last: PositionReport?
        for (index, report) in positions.enumerated() {
            // A report that is sent twice is no second position.
            if let last, let time = report.receiverTime, time == last.receiverTime { continue }
            defer { last = report }
            guard report.hasPlace, let speed = report.speed, speed >= Self.holdSpeed else {
                current = nil
                continue
            }
            guard var hold = current, let last, report.latitude == last.latitude, report.longitude == last.longitude,
                report.time > last.time
            else {
                current = PositionHold(index: index, count: 1, distance: 0, speed: speed)
                continue
            }
            hold.distance += min(speed, last.speed ?? 0) * Double(report.time &- last.time) * 1e-9
            hold.speed += (speed - hold.speed) / Double(hold.count + 1)
            hold.count += 1
            current = hold
            if hold.count >= Self.holdCount, hold.distance >= limit, hold.distance > longest?.distance ?? 0 {
                longest = hold
            }
        }
        return longest
    }
}
