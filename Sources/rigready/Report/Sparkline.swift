/// Values as a line of small bars, the least as the lowest and the greatest as the highest.
enum Sparkline {
    private static let bars = Array("▁▂▃▄▅▆▇█")

    /// The bars; empty without two different values.
    static func bars(of values: [Double]) -> String {
        let values = values.filter(\.isFinite)
        guard let least = values.min(), let greatest = values.max(), greatest > least, (greatest - least).isFinite
        else { return "" }
        let steps = Double(bars.count - 1)
        return String(values.map { bars[Int(($0 - least) / (greatest - least) * steps)] })
    }
}
