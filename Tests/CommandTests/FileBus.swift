import Foundation
import Glibc
import Testing

/// A bus of files with six-axis chips, which a program sees as `/sys`.
enum FileBus {
    /// The attributes that a sample of a chip needs.
    static let attributes = ["accel", "anglvel"].flatMap { family in
        ["x_raw", "y_raw", "z_raw", "scale", "sampling_frequency"].map { "in_\(family)_\($0)" }
    }

    /// Runs a program in a mount namespace with such a bus.
    static func run(devices: Int, _ words: [String]) throws -> Tool.Run {
        let unshare = try Tool.path("unshare", package: "util-linux")
        let namespace = ["--mount", "--propagation", "private"] + (getuid() == 0 ? [] : ["--map-root-user"])
        guard try Tool.run(unshare, namespace + ["true"]).status == 0 else {
            try Test.cancel("needs leave to make a mount namespace")
        }
        return try Tool.withFolder { folder in
            let bus = folder.appending(path: "sys")
            for number in 0..<devices { try makeDevice(number, below: bus) }
            let mounted = ["sh", "-c", "mount --bind \"$1\" /sys; shift; exec \"$@\"", "sh", bus.path]
            return try Tool.run(unshare, namespace + mounted + words)
        }
    }

    /// A chip on i2c, laid out as in sysfs.
    private static func makeDevice(_ number: Int, below bus: URL) throws {
        let address = "0-\(String(0x1000 + number, radix: 16))"
        let chip = "devices/platform/soc/i2c-0/\(address)"
        let device = "\(chip)/iio:device\(number)"
        var files = ["\(chip)/uevent": "DRIVER=bmi160_i2c\nMODALIAS=i2c:bmi160\n", "\(device)/name": "bmi160\n"]
        files["\(device)/uevent"] = "MAJOR=240\nMINOR=\(number)\nDEVNAME=iio:device\(number)\nDEVTYPE=iio_device\n"
        for attribute in attributes { files["\(device)/\(attribute)"] = "1\n" }
        let manager = FileManager.default
        for folder in [device, "bus/iio/devices", "bus/i2c/devices"] {
            try manager.createDirectory(at: bus.appending(path: folder), withIntermediateDirectories: true)
        }
        for (name, text) in files { try Data(text.utf8).write(to: bus.appending(path: name)) }
        for (link, target) in ["bus/iio/devices/iio:device\(number)": device, "bus/i2c/devices/\(address)": chip] {
            try manager.createSymbolicLink(
                atPath: bus.appending(path: link).path, withDestinationPath: "../../../\(target)")
        }
    }
}
