public import SystemPackage

/// The properties of a device, of the kernel (`uevent` files) or of udev (`/run/udev/data/…`).
public struct Properties: Sendable, Hashable {
    /// The values by name.
    public private(set) var values: [String: String]
    /// The links that udev made to the node, such as `/dev/serial/by-path/…`; none but in a record of udev's.
    public private(set) var links: [String] = []

    /// Parses lines of the shape `KEY=VALUE`, each behind `prefix`; other lines are passed over.
    ///
    /// The prefix is empty for a `uevent` file and `E:` for a file of udev's database.
    /// Source: kernel ABI `Documentation/driver-api/driver-model`, systemd `sd-device`'s database format.
    public init(parsing bytes: [UInt8], prefix: String = "") {
        values = [:]
        for line in bytes.split(separator: UInt8(ascii: "\n")) where line.starts(with: prefix.utf8) {
            let pair = line.dropFirst(prefix.utf8.count)
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")), equals > pair.startIndex else { continue }
            let key = String(decoding: pair[..<equals], as: UTF8.self)
            values[key] = String(decoding: pair[pair.index(after: equals)...], as: UTF8.self)
        }
    }

    /// Parses a file of udev's database: properties behind `E:`, and links behind `S:`, there without their `/dev/`.
    ///
    /// DEVLINKS is in no such file: libudev makes it of the links.
    public init(udevRecord bytes: [UInt8]) {
        self.init(parsing: bytes, prefix: "E:")
        links = bytes.split(separator: UInt8(ascii: "\n")).filter { $0.starts(with: "S:".utf8) && $0.count > 2 }
            .map { "/dev/" + String(decoding: $0.dropFirst(2), as: UTF8.self) }
    }

    /// The value of one property.
    public subscript(_ name: String) -> String? { values[name] }
}

extension World {
    /// The kernel's own properties of a device: DRIVER, MODALIAS, DEVNAME, MAJOR, MINOR and the like.
    public func kernelProperties(of device: FilePath) throws(DriverError) -> Properties {
        Properties(parsing: try contents(of: device.appending("uevent"), limit: 64 << 10))
    }

    /// udev's properties of a device and its links, from its database; empty where udev has no record of it.
    ///
    /// `kernel` are the device's own properties: the record is named by device number, or by subsystem and name.
    public func udevProperties(of device: FilePath, subsystem: String, kernel: Properties) -> Properties {
        let type = subsystem == "block" ? "b" : "c"
        let name =
            if let major = kernel["MAJOR"], let minor = kernel["MINOR"] {
                "\(type)\(major):\(minor)"
            } else {
                "+\(subsystem):\(device.lastComponent?.string ?? "")"
            }
        let record = try? contents(of: FilePath("/run/udev/data").appending(name), limit: 64 << 10)
        return Properties(udevRecord: record ?? [])
    }
}
