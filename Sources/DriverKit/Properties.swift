internal import Readiness
internal import Glibc
public import SystemPackage

/// The properties of a device, of the kernel (`uevent` files) or of udev (`/run/udev/data/…`).
///
/// Stored unparsed, since only a few of dozens of lines are used.
public struct Properties: Sendable, Equatable {
    private let bytes: [UInt8]
    private let prefix: String

    /// Takes lines of the form `KEY=VALUE`, each after `prefix`; skips other lines.
    ///
    /// The prefix is empty for a `uevent` file and `E:` for a file of udev's database, which has links after `S:`, too.
    /// Source: kernel ABI `Documentation/driver-api/driver-model`, systemd `sd-device`'s database format.
    public init(parsing bytes: [UInt8], prefix: String = "") {
        self.bytes = bytes
        self.prefix = prefix
    }

    /// Whether there is no property at all, such as of a device that udev does not know.
    package var isEmpty: Bool { bytes.isEmpty }

    /// The value of one property; the last one if a property occurs twice.
    public subscript(_ name: String) -> String? {
        guard !bytes.isEmpty, !name.isEmpty else { return nil }
        var (prefix, name) = (prefix, name)
        let last = prefix.withUTF8 { prefix in
            name.withUTF8 { name in unsafe lastValue(of: name, after: prefix) }
        }
        return last.map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    /// Where the last value of a property is; compares in place, since every device is asked for several.
    private func lastValue(
        of name: UnsafeBufferPointer<UInt8>, after prefix: UnsafeBufferPointer<UInt8>
    ) -> Range<Int>? {
        let (equals, newline) = (UInt8(ascii: "="), UInt8(ascii: "\n"))
        if unsafe name.contains(equals) { return nil }
        return unsafe bytes.withUnsafeBufferPointer { text in
            guard let first = text.baseAddress else { return nil }
            var (last, start) = (Range<Int>?.none, 0)
            while start < text.count {
                let line = unsafe UnsafeBufferPointer(rebasing: text[start...])
                let end = unsafe memchr(first + start, CInt(newline), line.count)
                let length =
                    unsafe end.map { unsafe UnsafeRawPointer($0) - UnsafeRawPointer(first + start) } ?? line.count
                let sign = prefix.count + name.count
                if sign < length, unsafe line[sign] == equals, unsafe line.starts(with: prefix),
                    unsafe line[prefix.count..<sign].elementsEqual(name)
                {
                    last = start + sign + 1..<start + length
                }
                start += length + 1
            }
            return last
        }
    }

    /// The links that udev made to the node, such as `/dev/serial/by-path/…`; only in udev's database.
    public var links: [String] {
        guard prefix == "E:" else { return [] }
        return bytes.split(separator: UInt8(ascii: "\n")).filter { $0.count > 2 && $0.starts(with: "S:".utf8) }
            .map { "/dev/" + String(decoding: $0.dropFirst(2), as: UTF8.self) }
    }
}

extension World {
    /// Whether something exists at a path; false if that cannot be determined.
    package func exists(_ path: FilePath) -> Bool { (try? status(of: path)) != nil }

    /// The error for a path at which nothing exists; nil if something does, or if that cannot be determined.
    package func absence(of path: FilePath) -> DriverError? {
        do throws(DriverError) {
            _ = try status(of: path)
            return nil
        } catch {
            return error.errno == .noSuchFileOrDirectory ? error : nil
        }
    }

    /// Whether the kernel lists a device, by its folder; nil if that cannot be determined.
    package func isListed(_ device: FilePath) -> Bool? {
        exists(device) ? true : absence(of: device) == nil ? nil : false
    }

    /// The text of a file of sysfs on one line; nil if it has none, or cannot be read.
    package func line(of file: FilePath, limit: Int = 80) -> String? {
        (try? contents(of: file, limit: 4096)).flatMap { PeerText.line($0, limit: limit) }
    }

    /// The kernel's own properties of a device: DRIVER, MODALIAS, DEVNAME, MAJOR, MINOR and the like.
    public func kernelProperties(of device: FilePath) throws(DriverError) -> Properties {
        Properties(parsing: try contents(of: device.joined(with: PropertyFiles.uevent), limit: 64 << 10))
    }

    /// udev's properties of a device and its links, from its database; empty if udev has no record of it.
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
        let record = try? contents(of: PropertyFiles.database.appending(name), limit: 64 << 10)
        return Properties(parsing: record ?? [], prefix: "E:")
    }
}

extension FilePath {
    /// The path of a relative one from here, made in one allocation: each device is asked for several files.
    package func joined(with path: FilePath) -> FilePath {
        var joined = self
        // With the slash between them, and the zero at the end.
        joined.reserveCapacity(length + path.length + 2)
        joined.push(path)
        return joined
    }
}

/// Where properties are; a path is costly to make from text, and each device is asked for both.
private enum PropertyFiles {
    static let uevent = FilePath("uevent")
    static let database = FilePath(HostMount.database)
}
