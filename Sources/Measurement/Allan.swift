extension AllanDeviation {
    /// The overlapping Allan deviation of values that were sampled at a rate, for octaves of the averaging time.
    ///
    /// Averaging times reach a quarter of the values, beyond which too few averages are left. The uncertainty takes the
    /// relative standard deviation 1 / √(2 (N/m − 1)) of N values in groups of m. Source: NIST SP 1065, equation 11;
    /// IEEE Std 952, C.1 for the uncertainty; AllanTools, `allantools.py`, `oadev`.
    package static func overlapping(
        _ values: consuming [Double], rate: Double
    ) -> [(tau: Double, deviation: Estimate)] {
        guard values.count >= 4, rate > 0 else { return [] }
        let count = values.count
        let mean = values.reduce(0, +) / Double(count)
        // In place, since a long measurement has many: the phase after each value. Before the first it is 0.
        var phase = values
        var sum = 0.0
        for index in phase.indices {
            sum += phase[index] - mean
            phase[index] = sum
        }
        var points: [(tau: Double, deviation: Estimate)] = []
        var size = 1
        while size * 4 <= count {
            let differences = count + 1 - 2 * size
            var squares = 0.0
            for index in 0..<differences {
                let before = index == 0 ? 0 : phase[index - 1]
                let difference = phase[index + 2 * size - 1] - 2 * phase[index + size - 1] + before
                squares += difference * difference
            }
            let deviation = (squares / (2 * Double(differences))).squareRoot() / Double(size)
            let relative = 1.96 / (2 * (Double(count) / Double(size) - 1)).squareRoot()
            points.append((Double(size) / rate, Estimate(deviation, uncertainty: deviation * relative)))
            size *= 2
        }
        return points
    }
}

// MARK: Bias instability
extension AllanDeviation {
    /// How many times the averaging time of a level line must fit into a measurement.
    ///
    /// White noise falls by √2 from one octave to the next. It is told from a level line once the uncertainty, 1.96 /
    /// √(2 (spans − 1)), is less than (√2 − 1) / (√2 + 1), so that the intervals of two octaves do not overlap.
    static let spans: Double = {
        let share = (2.0.squareRoot() - 1) / (2.0.squareRoot() + 1)
        return 1 + 1.96 * 1.96 / (2 * share * share)
    }()

    /// The bias instability if the line is level where the deviations of an axis are lowest, and how long a measurement
    /// must be to tell that it is, or falls no further than that; nil without deviations.
    ///
    /// Where that is the last one the line still falls, and levels off an octave later at the earliest. The bias
    /// instability is the deviation there divided by √(2 ln 2 / π). Source: IEEE Std 952, C.1.3.
    func floor(of points: [Estimate]) -> (biasInstability: Estimate, secondsToTell: Double)? {
        guard let lowest = points.indices.min(by: { points[$0].value < points[$1].value }), points[lowest].value > 0
        else {
            return nil
        }
        let tau = taus[lowest] * (lowest == points.count - 1 ? 2 : 1)
        return (points[lowest].scaled(by: 1 / 0.664), Self.spans * tau)
    }
}
