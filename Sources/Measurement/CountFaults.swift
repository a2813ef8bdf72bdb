internal import Glibc

/// The extreme of its range that a column of counts delivers again and again, where there is one.
///
/// That is the least or greatest count of the format, or an extreme of its own at which the counts pile up. Normal
/// noise of σ steps is log-concave: where the two last steps are hit a and b times, the next is hit
/// a²/b × exp(−1/σ²) times. Where that makes many, and there are none, the values were cut off. Fewer than ten at an
/// extreme that is not the format's do not tell that from noise, and a vibration piles up at both.
func clippedCount(
    _ counts: CountColumn, of axis: ChipAxis, _ statistics: ColumnStatistics, noise: Double
) -> AxisFault? {
    func fault(at extreme: Int32) -> AxisFault? {
        var first: Int?
        var hits = 0
        for (index, count) in counts.enumerated() where count == extreme {
            if first == nil { first = index }
            hits += 1
        }
        return first.map { AxisFault(axis: axis.name, index: $0, count: hits, value: extreme) }
    }
    if let least = axis.leastCount, statistics.least <= least { return fault(at: statistics.least) }
    if let greatest = axis.greatestCount, statistics.greatest >= greatest { return fault(at: statistics.greatest) }
    guard statistics.runs.isEmpty, noise >= 1,
        statistics.least < statistics.greatest
    else { return nil }
    let step = Int64(statistics.step)
    let (least, greatest) = (Int64(statistics.least), Int64(statistics.greatest))
    for (extreme, opposite, inward) in [(least, greatest, step), (greatest, least, -step)] {
        let neighbour = extreme + inward
        let sixth = max((greatest - least) / 6, step)
        let middle = (least + greatest) / 2
        var hits = 0.0
        var neighbours = 0.0
        var (atOpposite, inMiddle) = (0, 0)
        for count in counts.lazy.map(Int64.init) {
            if count == extreme { hits += 1 } else if count == neighbour { neighbours += 1 }
            if abs(count - opposite) < sixth { atOpposite += 1 }
            if abs(count - middle) * 2 < sixth { inMiddle += 1 }
        }
        if atOpposite * 2 > inMiddle { continue }
        let expected = hits * hits / max(neighbours, 1) * exp(-1 / (noise * noise))
        if hits >= 10, expected >= 30 { return fault(at: Int32(clamping: extreme)) }
    }
    return nil
}
