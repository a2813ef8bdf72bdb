/// What an input device can do, as sysfs shows it: `properties`, and the files in `capabilities`.
///
/// Shape: words of the machine's `long` in hexadecimal, the most significant first, without leading zeros: `40`,
/// `1 3f`. Only the last word is kept, which has every bit that motion needs. Source: `input_bits_to_string` in the
/// kernel's `drivers/input/input.c`.
struct CapabilityBitmap: Sendable, Equatable {
    private let lowest: UInt64

    /// Parses a file; nil for anything else.
    init?(_ bytes: [UInt8]) {
        // At most 768 bits, `KEY_CNT`, in words of 32 bits.
        guard bytes.count <= 256 else { return nil }
        let words = bytes.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
        guard let last = words.last, words.allSatisfy({ Self.word($0) != nil }), let lowest = Self.word(last) else {
            return nil
        }
        self.lowest = lowest
    }

    private static func word(_ digits: ArraySlice<UInt8>) -> UInt64? {
        let isPlain = digits.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
            default: false
            }
        }
        return isPlain ? UInt64(String(decoding: digits, as: UTF8.self), radix: 16) : nil
    }

    /// Whether a bit below 32 is set.
    func contains(_ bit: UInt16) -> Bool { bit < 32 && lowest >> UInt64(bit) & 1 == 1 }

    /// `INPUT_PROP_ACCELEROMETER`.
    static let accelerometer: UInt16 = 6

    /// `EV_KEY`, among the types of event.
    static let keys: UInt16 = 1

    /// The axes that can carry motion.
    var motionAxes: Set<MotionAxis> { Set(MotionAxis.allCases.filter { contains($0.rawValue) }) }
}
