internal import Readiness

/// One of the three axes of a motion sensor.
enum Axis: Int, CaseIterable, Sendable {
    case x, y, z

    /// The kernel's modifier.
    var modifier: String { ["x", "y", "z"][rawValue] }
}

/// The name of a sysfs attribute that decides something about a motion sensor or a step counter.
///
/// Shape: `in_TYPE[INDEX][_AXIS]_SUFFIX`, such as `in_accel_x_raw`, `in_accel1_scale`, `in_steps_input`. A prefix is not
/// enough: `in_anglvel_z_quadrature_correction_raw`, `in_velocity_sqrt(x^2+y^2)_raw` and `in_accel_matrix` only look
/// alike. Source: kernel ABI `sysfs-bus-iio`.
package struct AttributeName: Sendable, Hashable {
    /// What the attribute says.
    enum Suffix: String, Sendable {
        case raw, input, scale, offset, enable = "en"
    }

    /// The kind of sensor by the channel's type.
    let kind: SensorKind
    /// The number of the channel, where several of a type are told apart by one.
    let index: Int?
    /// The channel's axis; nil for what all axes share.
    let axis: Axis?
    /// What the attribute says.
    let suffix: Suffix

    private static let types: [(name: String, kind: SensorKind)] = [
        ("anglvel", .gyroscope), ("accel", .accelerometer), ("steps", .stepCounter),
    ]

    /// Parses a name; nil for every attribute of no concern.
    package init?(_ name: some StringProtocol) {
        guard name.utf8.count <= 64 else { return nil }
        let words = name.split(separator: "_", omittingEmptySubsequences: false)
        guard words.count == 3 || words.count == 4, words[0] == "in", let last = words.last,
            let suffix = Suffix(rawValue: String(last)),
            let type = Self.types.first(where: { words[1].hasPrefix($0.name) })
        else { return nil }
        let digits = words[1].dropFirst(type.name.count)
        guard digits.utf8.count <= 4, digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            return nil
        }
        kind = type.kind
        index = digits.isEmpty ? nil : Int(digits)
        self.suffix = suffix
        guard words.count == 4 else {
            axis = nil
            return
        }
        guard let axis = Axis.allCases.first(where: { $0.modifier == words[2] }) else { return nil }
        self.axis = axis
    }
}
