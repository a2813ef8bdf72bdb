internal import Glibc

/// How the noise of evenly sampled values is spread over frequencies.
package struct SpectralDensity {
    /// The frequencies in Hz, from the first above zero to half of the sampling frequency.
    package var frequencies: [Double] = []
    /// The amplitude density at each, in the values' unit by √Hz.
    package var densities: [Double] = []

    /// Estimates the density of values that were sampled at a rate in Hz; nil for fewer than 64.
    ///
    /// Averages periodograms of overlapping halves under a Hann window, each without its mean. Source: P. D. Welch, "The
    /// use of fast Fourier transform for the estimation of power spectra", 1967; the scaling is that of
    /// `scipy.signal.welch`, density.
    package init?(_ values: [Double], rate: Double) {
        guard values.count >= 64, rate > 0, rate.isFinite else { return nil }
        var length = 32
        while length * 8 <= values.count, length < 4096 { length *= 2 }
        let transform = FourierTransform(length: length)
        let window = (0..<length).map { 0.5 - 0.5 * cos(2 * Double.pi * Double($0) / Double(length)) }
        let weight = window.reduce(0) { $0 + $1 * $1 }
        var sums = Array(repeating: 0.0, count: length / 2 + 1)
        var segments = 0.0
        for start in stride(from: 0, through: values.count - length, by: length / 2) {
            let segment = values[start..<start + length]
            let mean = segment.reduce(0, +) / Double(length)
            let power = transform.power(zip(segment, window).map { ($0 - mean) * $1 })
            for index in sums.indices { sums[index] += power[index] }
            segments += 1
        }
        for index in sums.indices.dropFirst() {
            // Both sides of the spectrum, but for its end, which has one.
            let sides = index == length / 2 ? 1.0 : 2.0
            frequencies.append(Double(index) * rate / Double(length))
            densities.append((sums[index] / segments * sides / (rate * weight)).squareRoot())
        }
    }
}
