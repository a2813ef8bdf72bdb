/// What the times of samples tell: rate, gaps, order and jitter.
struct SampleTiming {
    /// The median interval, in seconds; nil with fewer than two samples, or if it is zero.
    private(set) var period: Double?
    /// The time from the first sample to the last, in seconds.
    private(set) var seconds = 0.0
    private(set) var rate: Estimate?
    private(set) var gaps: [SampleGap] = []
    private(set) var outOfOrder: [Int] = []
    private(set) var jitter: IntervalJitter?

    /// Analyses times in nanoseconds, in order of arrival.
    ///
    /// Gaps, rate and jitter are those of the times in their own order, so that two swapped samples are not a gap as
    /// well. A first sample that is far from the second is left over from before the start, and left out. With
    /// `isCoarse` the clock ticks so rarely that equal times are no fault.
    init(_ times: TimeColumn, gapPeriods: Double, isCoarse: Bool = false) {
        guard times.count > 1 else { return }
        for index in times.indices.dropFirst() {
            let isLater = isCoarse ? times[index] >= times[index - 1] : times[index] > times[index - 1]
            if !isLater { outOfOrder.append(index) }
        }
        // In order they need no sorting, and no indices.
        let order = outOfOrder.isEmpty ? nil : times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
        func time(_ place: Int) -> Int64 { order.map { times[$0[place]] } ?? times[place] }
        // Sorted, so the difference of any two is right as an unsigned number.
        var intervals: [UInt64] = []
        intervals.reserveCapacity(times.count - 1)
        for place in 1..<times.count { intervals.append(UInt64(bitPattern: time(place) &- time(place - 1))) }

        seconds = Double(UInt64(bitPattern: time(times.count - 1) &- time(0))) * 1e-9
        let sorted = intervals.sorted().lazy.map { Double($0) }
        guard let median = percentile(0.5, of: sorted), median > 0 else { return }
        period = median * 1e-9
        let longest = gapPeriods * median
        let start = Double(intervals[0]) > longest && intervals.count > 1 ? 1 : 0

        for place in start..<intervals.count where Double(intervals[place]) > longest {
            let interval = Double(intervals[place])
            gaps.append(
                SampleGap(
                    index: order?[place + 1] ?? place + 1, seconds: interval * 1e-9,
                    missing: Int(min(max((interval / median).rounded() - 1, 1), 1e15))))
        }

        let total = Double(UInt64(bitPattern: time(times.count - 1) &- time(start))) * 1e-9
        let value = Double(intervals.count - start) / total
        // In place, since a long measurement has many; what is left is regular.
        intervals.removeFirst(start)
        intervals.removeAll { Double($0) > longest }
        let uncertainty = uncertaintyOfMean(count: intervals.count) { range in
            intervals[range].reduce(0.0) { $0 + (Double($1) - median) }
        }
        // An interval alone says nothing of how far it may be wrong.
        rate = Estimate(value, uncertainty: uncertainty.isFinite ? value * uncertainty / median : value)

        guard intervals.count >= 20, !isCoarse else { return }
        let mean = intervals.reduce(0.0) { $0 + (Double($1) - median) } / Double(intervals.count)
        let squares = intervals.reduce(0.0) { sum, interval in
            let difference = Double(interval) - median - mean
            return sum + difference * difference
        }
        let regular = sorted.prefix(intervals.count)
        let width = (percentile(0.975, of: regular) ?? 0) - (percentile(0.025, of: regular) ?? 0)
        jitter = IntervalJitter(
            spread: Estimate(
                width * 1e-9, relative: relativeUncertaintyOfWidth(count: Double(intervals.count))),
            relative: Estimate(
                (squares / Double(intervals.count - 1)).squareRoot() / median,
                relative: relativeUncertaintyOfDeviation(freedom: intervals.count - 1)))
    }

    /// Adds the gap at the end, where no sample came any more.
    mutating func addSilence(of seconds: Double) {
        gaps.append(SampleGap(index: nil, seconds: seconds, missing: Int(min(seconds / (period ?? seconds), 1e15))))
    }
}
