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

    /// This machine and this process's effective user.
    static var live: Host {
        var system = utsname()
        _ = unsafe uname(&system)
        let uid = geteuid()
        let boot = try? Files.read("/proc/sys/kernel/random/boot_id", limit: 64, expecting: "the boot's identifier")
        return Host(
            name: string(&system.nodename), kernel: string(&system.release),
            boot: String(decoding: boot?.prefix { $0 > 0x20 } ?? [], as: UTF8.self), source: "live",
            user: userName(uid) ?? "\(uid)", uid: uid, takenAt: now)
    }

    /// The present in UTC, to the millisecond.
    static var now: String {
        Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private static func userName(_ uid: uid_t) -> String? {
        var record = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
            guard let base = buffer.baseAddress,
                unsafe getpwuid_r(uid, &record, base, buffer.count, &found) == 0, unsafe found != nil,
                let name = unsafe record.pw_name
            else { return nil }
            return unsafe String(cString: name)
        }
    }

    private static func string<Field>(_ field: inout Field) -> String {
        unsafe withUnsafeBytes(of: &field) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
