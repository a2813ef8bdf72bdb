package import DriverKit
internal import Glibc
package import Readiness

extension RigIdentity {
    /// The identity of this machine, with an account of it or this process's effective user.
    package static func live(as account: Account? = nil) -> RigIdentity {
        var system = utsname()
        _ = unsafe uname(&system)
        let account = account ?? .current
        return RigIdentity(
            host: string(&system.nodename), kernel: string(&system.release),
            boot: GrantContext.bootIdentifier, source: .live, user: account.name, uid: account.user, takenAt: now)
    }

    /// The current time: UTC, ISO 8601, in milliseconds.
    package static var now: String { time(secondsAgo: 0) }

    /// A time before now, in the same form.
    package static func time(secondsAgo seconds: Int) -> String {
        let milliseconds = Instant.time(of: CLOCK_REALTIME) / 1_000_000
        var time = time_t(milliseconds / 1000) - seconds
        var parts = unsafe tm()
        _ = unsafe gmtime_r(&time, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let count = unsafe strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &parts)
        let whole = String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        return "\(whole).\(String(1000 + milliseconds % 1000).dropFirst())Z"
    }

    private static func string<Field>(_ field: inout Field) -> String {
        unsafe withUnsafeBytes(of: &field) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
