/// What an input device can do, as sysfs shows it: `properties`, and the files in `capabilities`.
///
/// Shape: words of the machine's `long` in hexadecimal, the most significant first, without leading zeros: `40`,
/// `1 3f`. Only the last word is kept, which has every bit that motion needs. Source: `input_bits_to_string` in the
/// kernel's `drivers/input/input.c`.
struct CapabilityBitmap: Sendable, Equatable {
    private let lowest: UInt64

    init?(_ bytes: [UInt8]) {
        // At most 768 bits, `KEY_CNT`, in words of 32 bits.
        guard bytes.count <= 256 else { return nil }
        let words = bytes.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
        guard words.joined().allSatisfy("0123456789abcdef".utf8.contains) else { return nil }
        let numbers = words.compactMap { UInt64(String(decoding: $0, as: UTF8.self), radix: 16) }
        guard numbers.count == words.count, let lowest = numbers.last else { return nil }
        self.lowest = lowest
    }

    /// Whether a bit below 32 is set.
    func contains(_ bit: UInt16) -> Bool { bit < 32 && lowest >> UInt64(bit) & 1 == 1 }

    /// `INPUT_PROP_ACCELEROMETER`.
    static let accelerometer: UInt16 = 6

    /// `EV_KEY`, among the types of event.
    static let keys: UInt16 = 1

    var motionAxes: Set<MotionAxis> { Set(MotionAxis.allCases.filter { contains($0.rawValue) }) }
}
