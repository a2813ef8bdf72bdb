internal import DriverKit
internal import Glibc
internal import Readiness
internal import SystemPackage

/// The kernel's log, for what its security modules write of their refusals.
///
/// Source: the kernel's Documentation/ABI/testing/dev-kmsg.
enum KernelLog {
    /// The last refusals, oldest first; empty if there are none, or if this process may not read the log.
    static func refusals() -> [String] {
        guard
            let log = try? FileDescriptor.open(FilePath("/dev/kmsg"), .readOnly, options: [.nonBlocking, .closeOnExec])
        else { return [] }
        defer { try? log.close() }
        var lines: [String] = []
        // The largest log of the kernel's configuration has this many of its shortest records.
        for _ in 0..<(1 << 19) {
            do {
                // One read is one record. A longer one is EINVAL.
                let record = try unsafe [UInt8](unsafeUninitializedCapacity: 8192) { buffer, count in
                    count = try unsafe log.read(into: UnsafeMutableRawBufferPointer(buffer))
                }
                guard !record.isEmpty else { break }
                guard let line = text(of: record) else { continue }
                lines.append(line)
                if lines.count > 256 { lines.removeFirst() }
            } catch Errno.brokenPipe {
                // Newer records have taken the place of the next one.
                continue
            } catch {
                break
            }
        }
        return lines
    }

    /// The first line of a record that is a refusal: `6,1234,5678901,-;audit: type=1400 … apparmor="DENIED" …`.
    static func text(of record: [UInt8]) -> String? {
        let line = record.prefix { $0 != UInt8(ascii: "\n") }
        guard let start = line.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let text = String(decoding: line[(start + 1)...], as: UTF8.self)
        return text.contains("denied") || text.contains("DENIED") ? text : nil
    }
}
