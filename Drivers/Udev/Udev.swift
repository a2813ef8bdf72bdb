internal import CUdev
public import DriverKit
internal import Glibc
public import SystemPackage

/// What the live world asks libudev and libkmod.
public enum Udev {
    /// The canonical paths of a subsystem's devices, in libudev's order, whether udev has processed them or not.
    ///
    /// Reads `/sys` and udev's database; opens no device. Throws where there is no `/sys` to enumerate, since an empty
    /// list would then say too much. Source: `udev_enumerate_scan_devices(3)`.
    public static func devices(in subsystem: String) throws(DriverError) -> [FilePath] {
        guard let context = unsafe udev_new() else {
            throw DriverError(errno: .current, subject: "libudev")
        }
        defer { unsafe udev_unref(context) }
        guard let enumeration = unsafe udev_enumerate_new(context) else {
            throw DriverError(errno: .current, subject: "libudev")
        }
        defer { unsafe udev_enumerate_unref(enumeration) }
        var status = unsafe udev_enumerate_add_match_subsystem(enumeration, subsystem)
        if status >= 0 { status = unsafe udev_enumerate_scan_devices(enumeration) }
        guard status >= 0 else { throw DriverError(errno: Errno(rawValue: -status), subject: "subsystem \(subsystem)") }
        var paths: [FilePath] = []
        var entry = unsafe udev_enumerate_get_list_entry(enumeration)
        while let current = unsafe entry {
            if let name = unsafe udev_list_entry_get_name(current) {
                paths.append(unsafe FilePath(platformString: name))
            }
            unsafe entry = udev_list_entry_get_next(current)
        }
        let hasTree = unsafe access("/sys/devices", F_OK) == 0
        if paths.isEmpty && !hasTree {
            throw DriverError(errno: .current, subject: "/sys/devices")
        }
        return paths
    }

    /// The modules that would drive a device with this MODALIAS, as paths below the modules folder.
    ///
    /// Such as `kernel/drivers/iio/imu/bmi160/bmi160_i2c.ko`, with the suffix of a compressed module kept. One that is
    /// part of the kernel comes without `.ko`; where not even its path is known, it comes as its name. Throws
    /// `unsupported` where libkmod or the running kernel's index (`modules.alias.bin`) is missing, since an empty list
    /// would then say too much. Loads no module. Source: `modules.alias` by way of libkmod.
    public static func modules(for alias: String) throws(DriverError) -> [String] {
        guard let library = KMod() else {
            throw DriverError(.unsupported, subject: "libkmod.so.2", detail: "libkmod is not installed")
        }
        return try library.modules(for: alias)
    }
}
