import DriverKit
import FoundationEssentials
import Glibc

/// Who and where: this machine, or the one that a recording was taken on.
struct Host {
    var name: String
    var kernel: String
    var boot: String
    var source: String
    var user: String
    var uid: UInt32
    var takenAt: String

    /// This machine, and an account of it or this process's effective user.
    static func live(as account: Account? = nil) -> Host {
        var system = utsname()
        _ = unsafe uname(&system)
        let account = account ?? .current
        let boot = try? Files.read("/proc/sys/kernel/random/boot_id", limit: 64, expecting: "the boot's identifier")
        return Host(
            name: string(&system.nodename), kernel: string(&system.release),
            boot: String(decoding: boot?.prefix { $0 > 0x20 } ?? [], as: UTF8.self), source: "live",
            user: account.name, uid: account.user, takenAt: now)
    }

    /// The present in UTC, to the millisecond.
    static var now: String {
        Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private static func string<Field>(_ field: inout Field) -> String {
        unsafe withUnsafeBytes(of: &field) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
