internal import Glibc

/// The extreme of its range that a column of counts delivers again and again, where there is one.
///
/// That is the least or greatest count of the format, or an extreme of its own at which the counts pile up. Normal
/// noise of σ times their distance is log-concave: where the two last counts are hit a and b times, the next is hit
/// a²/b × exp(−1/σ²) times. Where that makes many, and there are none, the values were cut off. Fewer than ten at an
/// extreme that is not the format's do not tell that from noise, and a vibration piles up at both. Noise is in counts;
/// with `isMoved` the rig was turned, which is no vibration.
func clippedCount(
    _ counts: CountColumn, of axis: ChipAxis, _ statistics: ColumnStatistics, noise: Double, isMoved: Bool
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
    guard statistics.runs.isEmpty, noise > 0, statistics.least < statistics.greatest else { return nil }
    let (least, greatest) = (Int64(statistics.least), Int64(statistics.greatest))
    for (extreme, opposite) in [(least, greatest), (greatest, least)] {
        let sixth = max((greatest - least) / 6, 1)
        // A hub may leave counts out, so the neighbour is the next one that occurs.
        var neighbour = opposite
        var (hits, neighbours) = (0.0, 0.0)
        var (atOpposite, inMiddle) = (0.0, 0.0)
        for count in counts.lazy.map(Int64.init) {
            if count == extreme {
                hits += 1
            } else if abs(count - extreme) < abs(neighbour - extreme) {
                (neighbour, neighbours) = (count, 1)
            } else if count == neighbour {
                neighbours += 1
            }
            if abs(count - opposite) < sixth { atOpposite += 1 }
            if abs(2 * count - least - greatest) <= sixth { inMiddle += 1 }
        }
        if !isMoved, atOpposite * 2 > inMiddle, atOpposite * 2 > hits { continue }
        let ratio = noise / Double(abs(neighbour - extreme))
        guard ratio >= 1 else { continue }
        let expected = hits * hits / max(neighbours, 1) * exp(-1 / (ratio * ratio))
        if hits >= 10, expected >= 30 { return fault(at: Int32(clamping: extreme)) }
    }
    return nil
}
