internal import Readiness

/// One of the three axes of a motion sensor, named as by the kernel.
package enum Axis: String, CaseIterable, Sendable {
    case x, y, z
}

/// The name of a sysfs attribute that matters for a motion sensor or a step counter.
///
/// Shape: `in_TYPE[INDEX][_AXIS]_SUFFIX`, such as `in_accel_x_raw`, `in_accel1_scale`, `in_steps_input`. A prefix is
/// not enough: `in_anglvel_z_quadrature_correction_raw`, `in_velocity_sqrt(x^2+y^2)_raw` and `in_accel_matrix` look
/// similar but are something else. Source: kernel ABI `sysfs-bus-iio`.
package struct AttributeName: Sendable, Hashable {
    /// What the attribute holds.
    enum Suffix: String, CaseIterable, Sendable {
        case raw, input, scale, offset
        case enable = "en"
    }

    /// The kind of sensor by the channel's type.
    let kind: SensorKind
    /// The number of the channel, if several channels of a type are numbered.
    var index: Int?
    /// The channel's axis; nil for an attribute that all axes share.
    let axis: Axis?
    let suffix: Suffix

    private static let types: KeyValuePairs<String, SensorKind> = [
        "in_anglvel": .gyroscope, "in_accel": .accelerometer, "in_steps": .stepCounter,
    ]
    /// All names without a number.
    private static let names: [String: AttributeName] = {
        var names: [String: AttributeName] = [:]
        for (type, kind) in types {
            for suffix in Suffix.allCases {
                names["\(type)_\(suffix.rawValue)"] = AttributeName(kind: kind, axis: nil, suffix: suffix)
                for axis in Axis.allCases {
                    names["\(type)_\(axis.rawValue)_\(suffix.rawValue)"] = AttributeName(kind: kind, axis: axis, suffix: suffix)
                }
            }
        }
        return names
    }()
}

extension AttributeName {
    /// Parses a name; nil for every attribute that does not matter here.
    package init?(_ name: String) {
        if let known = Self.names[name] {
            self = known
            return
        }
        // A number follows the type at once, and has at most four digits.
        guard let type = Self.types.first(where: { name.hasPrefix($0.key) })?.key, name.utf8.count <= 64 else {
            return nil
        }
        let digits = name.utf8.dropFirst(type.utf8.count).prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard 1...4 ~= digits.count, let known = Self.names[type + name[digits.endIndex...]] else { return nil }
        self = known
        index = Int(name[digits.startIndex..<digits.endIndex])
    }
}
