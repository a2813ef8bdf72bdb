internal import CUdev
public import DriverKit
internal import Glibc
public import SystemPackage

/// Device enumeration and module lookup for the live world.
public enum Udev {
    /// The canonical paths of a subsystem's devices in the order of their paths, as libudev enumerates them,
    /// whether udev has processed them or not.
    ///
    /// Reads only `/sys`, one link per device, while libudev walks every folder above each of them twice; opens no
    /// device. Throws if there is no `/sys` to enumerate, since an empty list would mean that there are no devices.
    /// Source: `Documentation/admin-guide/sysfs-rules.rst`.
    public static func devices(in subsystem: String) throws(DriverError) -> [FilePath] {
        // A subsystem is a bus or a class.
        let paths = try links(in: "/sys/bus/\(subsystem)/devices") + links(in: "/sys/class/\(subsystem)")
        let hasTree = unsafe access("/sys/devices", F_OK) == 0
        if paths.isEmpty && !hasTree {
            throw DriverError(errno: .current, subject: "/sys/devices")
        }
        return paths.sorted().map { FilePath($0) }
    }

    /// The destinations of the links in a folder of sysfs; empty if there is no such folder.
    private static func links(in folder: String) throws(DriverError) -> [String] {
        var paths: [String] = []
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        do throws(DriverError) {
            try unsafe readFolder(folder) { descriptor, name in
                let size = unsafe readlinkat(descriptor, name, &target, target.count)
                // An entry that is not a link is no device, nor is one that was removed meanwhile.
                guard size > 0 else { return }
                paths.append(destination(of: target[..<size].map(UInt8.init(bitPattern:)), in: folder))
            }
        } catch {
            guard error.errno == .noSuchFileOrDirectory || error.errno == .notDirectory else { throw error }
        }
        return paths
    }

    /// The destination of a link in a folder: some folders up, then down to the device, as in all links of sysfs.
    private static func destination(of link: [UInt8], in folder: String) -> String {
        let slash = UInt8(ascii: "/")
        var down = link[...]
        var base = Array(folder.utf8)[...]
        while down.starts(with: "../".utf8) {
            down = down.dropFirst(3)
            base = base[..<(base.lastIndex(of: slash) ?? 0)]
        }
        return String(decoding: down.first == slash ? down : base + [slash] + down, as: UTF8.self)
    }

    /// The access control list of a node in the kernel's format; empty if it has none, or if that is unknown.
    ///
    /// Source: acl(5), getxattr(2). Never opens the node.
    public static func accessControlList(of node: FilePath) -> [UInt8] {
        // More entries than any seat or administrator sets.
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe getxattr(node.string, "system.posix_acl_access", &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }

    /// The modules that would drive a device with this MODALIAS, as paths below the modules folder.
    ///
    /// Such as `kernel/drivers/iio/imu/bmi160/bmi160_i2c.ko`, with the suffix of a compressed module kept. A built-in
    /// module has no `.ko`; if its path is unknown, it is only a name. Throws `unsupported` if libkmod or the running
    /// kernel's index (`modules.alias.bin`) is missing, since an empty list would mean that there is no module. Loads
    /// no module. Source: `modules.alias` through libkmod.
    public static func modules(for alias: String) throws(DriverError) -> [String] {
        try KMod.modules(for: alias)
    }
}

/// Reads a folder with `readdir`: calls `body` with the folder's descriptor and each name.
@unsafe
func readFolder(_ folder: String, _ body: (CInt, UnsafePointer<CChar>) -> Void) throws(DriverError) {
    guard let stream = unsafe opendir(folder) else { throw DriverError(errno: .current, subject: folder) }
    defer { unsafe closedir(stream) }
    while true {
        Glibc.errno = 0
        guard let entry = unsafe readdir(stream) else { break }
        unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
            unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe body(dirfd(stream), $0) }
        }
    }
    guard Glibc.errno == 0 else { throw DriverError(errno: .current, subject: folder) }
}
