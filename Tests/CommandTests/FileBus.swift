import Foundation
import Glibc
import Support
import Testing

/// A bus of files with six-axis chips, which a program sees as `/sys`.
enum FileBus {
    /// The attributes that a sample of a chip needs.
    static let attributes = ["accel", "anglvel"].flatMap { family in
        ["x_raw", "y_raw", "z_raw", "scale", "sampling_frequency"].map { "in_\(family)_\($0)" }
    }

    /// Runs a program in a mount namespace with such a bus.
    static func run(devices: Int, _ words: [String]) throws -> Tool.Run {
        let shell = try namespace(mounting: ["/sys"])
        return try Tool.withFolder { folder in
            let bus = folder.appending(path: "sys")
            for number in 0..<devices { try addDevice(number, to: bus) }
            return try Tool.run(shell[0], shell.dropFirst() + [bus.path] + words)
        }
    }

    /// The words before those of a program that run it in a mount namespace, where its first arguments, files or folders,
    /// are at these places; a test without leave to make one is cancelled.
    static func namespace(mounting places: [String]) throws -> [String] {
        let unshare = try Tool.path("unshare", package: "util-linux")
        let words = ["--mount", "--propagation", "private"] + (getuid() == 0 ? [] : ["--map-root-user"])
        guard try Tool.run(unshare, words + ["true"]).status == 0 else {
            try Test.cancel("needs leave to make a mount namespace")
        }
        let mounts = places.map { "mount --bind \"$1\" \($0) && shift && " }.joined()
        return [unshare] + words + ["sh", "-c", "\(mounts)exec \"$@\"", "sh"]
    }

    /// The folder of a device on the bus.
    static func folder(of number: Int) -> String { "\(chip(number))/iio:device\(number)" }

    private static func chip(_ number: Int) -> String {
        "devices/platform/soc/i2c-0/0-\(String(0x1000 + number, radix: 16))"
    }

    /// Adds a chip on i2c, laid out as in sysfs.
    static func addDevice(_ number: Int, to bus: URL) throws {
        let (chip, device) = (chip(number), folder(of: number))
        var files = ["\(chip)/uevent": "DRIVER=bmi160_i2c\nMODALIAS=i2c:bmi160\n", "\(device)/name": "bmi160\n"]
        files["\(device)/uevent"] = "MAJOR=240\nMINOR=\(number)\nDEVNAME=iio:device\(number)\nDEVTYPE=iio_device\n"
        for attribute in attributes { files["\(device)/\(attribute)"] = "1\n" }
        let manager = FileManager.default
        for folder in [device, "bus/iio/devices", "bus/i2c/devices"] {
            try manager.createDirectory(at: bus.appending(path: folder), withIntermediateDirectories: true)
        }
        for (name, text) in files { try Data(text.utf8).write(to: bus.appending(path: name)) }
        let address = URL(filePath: chip).lastPathComponent
        for (link, target) in ["bus/iio/devices/iio:device\(number)": device, "bus/i2c/devices/\(address)": chip] {
            try manager.createSymbolicLink(
                atPath: bus.appending(path: link).path, withDestinationPath: "../../../\(target)")
        }
    }
}
