internal import DriverKit
internal import Linux

/// Fourier transforms of real values of one length, by KissFFT.
///
/// KissFFT, which Debian packages, is opened at first use: without it there are no spectra, and all else is there. FFTW
/// is faster, but its licence (GPL) would become that of the program. Source: KissFFT 131, `kiss_fftr.h`.
@safe
struct FourierTransform: ~Copyable {
    /// The shared library, and the Debian package that has it.
    static let library = "libkissfft-float.so.131"
    static let package = "libkissfft-float131"

    private typealias Allocate =
        @convention(c) (CInt, CInt, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>?) -> OpaquePointer?
    private typealias Run = @convention(c) (OpaquePointer, UnsafePointer<Float>, UnsafeMutablePointer<Float>) -> Void

    private let length: Int
    private let run: Run
    private let memory: UnsafeMutableRawPointer
    private let plan: OpaquePointer

    /// Prepares transforms of an even number of values; `unsupported` without the library.
    init(length: Int) throws(DriverError) {
        let library = try DynamicLibrary(Self.library)
        let allocate: Allocate = try unsafe library.function("kiss_fftr_alloc")
        let run: Run = try unsafe library.function("kiss_fftr")
        var size = 0
        _ = unsafe allocate(CInt(length), 0, nil, &size)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: max(size, 1), alignment: 16)
        guard let plan = unsafe allocate(CInt(length), 0, memory, &size) else {
            unsafe memory.deallocate()
            throw DriverError(.unsupported, subject: Self.library, detail: "cannot transform \(length) values")
        }
        self.length = length
        unsafe self.run = run
        unsafe self.memory = memory
        unsafe self.plan = plan
    }

    deinit { unsafe memory.deallocate() }

    /// The squared magnitudes of the frequencies from zero to half of the sampling frequency.
    func power(_ values: [Float]) -> [Double] {
        precondition(values.count == length, "a transform takes as many values as it was prepared for")
        var parts = Array(repeating: Float(0), count: length + 2)
        unsafe run(plan, values, &parts)
        return (0...length / 2).map { index in
            let (real, imaginary) = (Double(parts[2 * index]), Double(parts[2 * index + 1]))
            return real * real + imaginary * imaginary
        }
    }
}
