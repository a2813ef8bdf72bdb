internal import Readiness

/// One of the three axes of a motion sensor.
package enum Axis: Int, CaseIterable, Sendable {
    case x, y, z

    /// The kernel's modifier.
    var modifier: String {
        switch self {
        case .x: "x"
        case .y: "y"
        case .z: "z"
        }
    }
}

/// The name of a sysfs attribute that matters for a motion sensor or a step counter.
///
/// Shape: `in_TYPE[INDEX][_AXIS]_SUFFIX`, such as `in_accel_x_raw`, `in_accel1_scale`, `in_steps_input`. A prefix is
/// not enough: `in_anglvel_z_quadrature_correction_raw`, `in_velocity_sqrt(x^2+y^2)_raw` and `in_accel_matrix` look
/// similar but are something else. Source: kernel ABI `sysfs-bus-iio`.
package struct AttributeName: Sendable, Hashable {
    /// What the attribute holds.
    enum Suffix: Int, CaseIterable, Sendable {
        case raw, input, scale, offset, enable

        /// Its word in the name.
        var word: String {
            switch self {
            case .raw: "raw"
            case .input: "input"
            case .scale: "scale"
            case .offset: "offset"
            case .enable: "en"
            }
        }
    }

    /// The kind of sensor by the channel's type.
    let kind: SensorKind
    /// The number of the channel, if several channels of a type are numbered.
    let index: Int?
    /// The channel's axis; nil for an attribute that all axes share.
    let axis: Axis?
    /// What the attribute holds.
    let suffix: Suffix

    private static let head = Array("in_".utf8)
    private static let types: [Word<SensorKind>] = [
        Word("anglvel", .gyroscope), Word("accel", .accelerometer), Word("steps", .stepCounter),
    ]
    private static let suffixes = Suffix.allCases.map { Word($0.word, $0) }

    fileprivate struct Word<Meaning: Sendable>: Sendable {
        let word: [UInt8]
        let meaning: Meaning

        init(_ word: String, _ meaning: Meaning) {
            self.word = Array(word.utf8)
            self.meaning = meaning
        }
    }

    /// Parses a name; nil for every attribute that does not matter here.
    package init?(_ name: String) {
        // Byte by byte: a device has dozens of attributes, and a bench hundreds of devices.
        let bytes = name.utf8Span.span
        let underscore = UInt8(ascii: "_")
        guard bytes.count <= 64, bytes.hasWord(Self.head, at: 0),
            let type = bytes.first(of: Self.types, at: Self.head.count)
        else { return nil }
        var place = Self.head.count + type.word.count
        let digits = place
        var number = 0
        while place < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[place] {
            guard place - digits < 4 else { return nil }
            number = number * 10 + Int(bytes[place] - UInt8(ascii: "0"))
            place += 1
        }
        kind = type.meaning
        index = place == digits ? nil : number
        guard place < bytes.count, bytes[place] == underscore else { return nil }
        place += 1
        if place + 1 < bytes.count, bytes[place + 1] == underscore {
            guard let axis = Axis(rawValue: Int(bytes[place]) - Int(UInt8(ascii: "x"))) else { return nil }
            self.axis = axis
            place += 2
        } else {
            axis = nil
        }
        guard let suffix = bytes.first(of: Self.suffixes, at: place), place + suffix.word.count == bytes.count else {
            return nil
        }
        self.suffix = suffix.meaning
    }
}

extension AttributeName {
    /// Hashes all parts as one number: hashing them one by one would cost more than everything else done with a name.
    package func hash(into hasher: inout Hasher) {
        let place = ((index ?? 10_000) * 4 + (axis?.rawValue ?? 3)) * Suffix.allCases.count + suffix.rawValue
        hasher.combine(place * 8 + Int(kind.rawValue))
    }
}

extension Span<UInt8> {
    /// Whether the bytes at an offset are those of a word.
    fileprivate func hasWord(_ word: [UInt8], at place: Int) -> Bool {
        guard count - place >= word.count else { return false }
        for offset in word.indices where self[place + offset] != word[offset] { return false }
        return true
    }

    /// The first of some words with which the bytes at an offset begin.
    fileprivate func first<Meaning>(
        of words: [AttributeName.Word<Meaning>], at place: Int
    ) -> AttributeName.Word<Meaning>? {
        for word in words where hasWord(word.word, at: place) { return word }
        return nil
    }
}
