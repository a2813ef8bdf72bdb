internal import Glibc

/// Discrete Fourier transforms of real values of one length.
///
/// Source: J. W. Cooley and J. W. Tukey, "An algorithm for the machine calculation of complex Fourier series", 1965.
struct FourierTransform {
    private let length: Int
    /// The cosines and sines of one turn in `length` steps.
    private let turn: [(cosine: Double, sine: Double)]

    /// Prepares transforms of a number of values that is a power of two.
    init(length: Int) {
        precondition(length > 1 && length & (length - 1) == 0, "the length of a transform is a power of two")
        self.length = length
        turn = (0..<length / 2).map { step in
            let angle = 2 * Double.pi * Double(step) / Double(length)
            return (cos(angle), -sin(angle))
        }
    }

    /// The squared magnitudes of the frequencies from zero to half of the sampling frequency.
    func power(_ values: [Double]) -> [Double] {
        precondition(values.count == length, "a transform takes as many values as it was prepared for")
        var real = values
        var imaginary = Array(repeating: 0.0, count: length)
        // Each value goes where the bits of its place, read backwards, say.
        var place = 0
        for index in 1..<length {
            var bit = length / 2
            while place & bit != 0 { (place, bit) = (place ^ bit, bit / 2) }
            place |= bit
            if index < place { real.swapAt(index, place) }
        }
        var half = 1
        while half < length {
            for start in stride(from: 0, to: length, by: 2 * half) {
                for offset in 0..<half {
                    let (low, high) = (start + offset, start + offset + half)
                    let (cosine, sine) = turn[offset * (length / 2 / half)]
                    let turnedReal = real[high] * cosine - imaginary[high] * sine
                    let turnedImaginary = real[high] * sine + imaginary[high] * cosine
                    (real[high], imaginary[high]) = (real[low] - turnedReal, imaginary[low] - turnedImaginary)
                    (real[low], imaginary[low]) = (real[low] + turnedReal, imaginary[low] + turnedImaginary)
                }
            }
            half *= 2
        }
        return (0...length / 2).map { real[$0] * real[$0] + imaginary[$0] * imaginary[$0] }
    }
}
