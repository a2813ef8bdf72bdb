/// Values as a line of small bars, the least as the lowest and the greatest as the highest.
struct Sparkline {
    private static let bars = Array("▁▂▃▄▅▆▇█")

    /// The bars; empty without two different values.
    let text: String

    init(of values: [Double]) {
        let values = values.filter(\.isFinite)
        guard let least = values.min(), let greatest = values.max(), greatest > least, (greatest - least).isFinite
        else {
            text = ""
            return
        }
        let steps = Double(Self.bars.count - 1)
        text = String(values.map { Self.bars[Int(($0 - least) / (greatest - least) * steps)] })
    }
}
