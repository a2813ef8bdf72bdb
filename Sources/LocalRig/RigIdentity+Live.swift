package import DriverKit
internal import Glibc
package import Readiness

extension RigIdentity {
    /// The identity of this machine, with an account of it or this process's effective user.
    package static func live(as account: Account? = nil) -> RigIdentity {
        var system = utsname()
        _ = unsafe uname(&system)
        let account = account ?? .current
        let boot = try? InputFile.read("/proc/sys/kernel/random/boot_id", limit: 64, expecting: "the boot's identifier")
        return RigIdentity(
            host: string(&system.nodename), kernel: string(&system.release),
            boot: String(decoding: boot?.prefix { $0 > 0x20 } ?? [], as: UTF8.self), source: .live,
            user: account.name, uid: account.user, takenAt: now)
    }

    /// The current time: UTC, ISO 8601, in milliseconds.
    package static var now: String {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        var parts = unsafe tm()
        _ = unsafe gmtime_r(&time.tv_sec, &parts)
        func digits(_ value: some BinaryInteger, _ count: Int = 2) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let date = unsafe [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday].map { digits($0) }
        let hour = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map { digits($0) }
        return date.joined(separator: "-") + "T" + hour.joined(separator: ":")
            + ".\(digits(time.tv_nsec / 1_000_000, 3))Z"
    }

    private static func string<Field>(_ field: inout Field) -> String {
        unsafe withUnsafeBytes(of: &field) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
