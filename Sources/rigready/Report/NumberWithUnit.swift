/// What stays on one line when a text is wrapped: a number with its unit, and a value with its uncertainty.
enum NumberWithUnit {
    /// The units of reports, as they are written in UTF-8 and in ASCII.
    private static let units: Set<Substring> = [
        "s", "min", "h", "d", "m", "m/s", "m/s²", "m/s^2", "rad/s", "Hz", "dB-Hz", "%", "°",
    ]
    private static let densities: [Substring] = ["/√Hz", "/sqrtHz"]

    /// Whether no line may end between two words.
    static func joins(_ word: Substring, _ next: Substring) -> Bool {
        if isSign(next) { return isNumber(word) }
        return isSign(word) || isNumber(word) && isUnit(next)
    }

    private static func isSign(_ word: Substring) -> Bool { word == "±" || word == "+-" }

    private static func isNumber(_ word: Substring) -> Bool {
        let digits = word.drop { "(±+-−<".contains($0) }
        return digits.last?.isNumber == true && digits.allSatisfy { $0.isNumber || $0 == "." }
    }

    private static func isUnit(_ word: Substring) -> Bool {
        var unit = word
        while let last = unit.last, ",;:.)".contains(last) { unit.removeLast() }
        if let density = densities.first(where: { unit.hasSuffix($0) }) { unit.removeLast(density.count) }
        return units.contains(unit)
            || unit.first.map { "pnµumkMG".contains($0) } == true && units.contains(unit.dropFirst())
    }
}
