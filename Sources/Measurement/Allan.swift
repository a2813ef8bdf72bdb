extension AllanDeviation {
    /// The overlapping Allan deviation of values that were sampled at a rate, for octaves of the averaging time.
    ///
    /// Averaging times reach a quarter of the values, beyond which too few averages are left. The uncertainty takes the
    /// relative standard deviation 1 / √(2 (N/m − 1)) of N values in groups of m. Source: NIST SP 1065, equation 11;
    /// IEEE Std 952, C.1 for the uncertainty; AllanTools, `allantools.py`, `oadev`.
    public static func overlapping(_ values: [Double], rate: Double) -> [(tau: Double, deviation: Estimate)] {
        guard values.count >= 4, rate > 0 else { return [] }
        let mean = values.reduce(0, +) / Double(values.count)
        var phase = [0.0]
        phase.reserveCapacity(values.count + 1)
        var sum = 0.0
        for value in values {
            sum += value - mean
            phase.append(sum)
        }
        var points: [(tau: Double, deviation: Estimate)] = []
        var size = 1
        while size * 4 <= values.count {
            let differences = phase.count - 2 * size
            var squares = 0.0
            for index in 0..<differences {
                let difference = phase[index + 2 * size] - 2 * phase[index + size] + phase[index]
                squares += difference * difference
            }
            let deviation = (squares / (2 * Double(differences))).squareRoot() / Double(size)
            let relative = 1.96 / (2 * (Double(values.count) / Double(size) - 1)).squareRoot()
            points.append((Double(size) / rate, Estimate(deviation, uncertainty: deviation * relative)))
            size *= 2
        }
        return points
    }
}
