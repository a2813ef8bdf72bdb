internal import DriverKit
package import Readiness

/// A kernel module by its file, such as `kernel/drivers/iio/imu/bmi160/bmi160_i2c.ko.xz`.
package struct Module: Sendable, Equatable {
    /// The name that `modprobe` takes.
    package let name: String
    /// The motion sensors that it drives, by its folder below `drivers/iio`.
    package let kinds: [SensorKind]
    /// Whether it is built into the kernel: then it has no `.ko`.
    let isBuiltin: Bool

    /// Parses a module's path.
    package init(_ path: String) {
        let words = path.split(separator: "/")
        let stem = words.last?.split(separator: ".", omittingEmptySubsequences: false).first ?? ""
        // Only plain characters may be used in a command.
        let plain = stem.map { $0 == "-" ? "_" : $0 }
        name = String(plain.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
        isBuiltin = !path.includes(".ko")
        let below = words.firstIndex(of: "iio").map { words[($0 + 1)...] } ?? []
        switch name.isEmpty || !path.includes("drivers/iio/") ? nil : below.first {
        case "accel": kinds = [.accelerometer]
        case "gyro": kinds = [.gyroscope]
        case "imu":
            // Modules for an accelerometer with a compass are in this folder too.
            let turns = !["fxos8700", "kmx61", "st_lsm9ds0"].contains(where: name.hasPrefix)
            kinds = turns ? [.accelerometer, .gyroscope] : [.accelerometer]
        default: kinds = []
        }
    }
}
