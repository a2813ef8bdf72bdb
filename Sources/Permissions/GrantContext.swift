internal import DriverKit
internal import SystemPackage

/// When and in which login session something is decided: what a record's life is measured by.
public struct GrantContext: Sendable, Equatable {
    /// The identifier of this boot.
    public var boot: String
    /// Seconds since the boot, with those asleep.
    public var uptime: Double
    /// The login session of this process; nil without one, as in a service or a build job.
    public var session: String?
    /// The login sessions that there are.
    public var sessions: Set<String>

    /// Makes circumstances.
    public init(boot: String, uptime: Double, session: String? = nil, sessions: Set<String> = []) {
        self.boot = boot
        self.uptime = uptime
        self.session = session
        self.sessions = sessions
    }

    /// Those of this process, by `/proc`, CLOCK_BOOTTIME and its login session.
    public static var live: GrantContext { GrantContext(in: .current) }

    /// The present, in a login session.
    public init(in login: LoginSession) {
        let sessions = login.names
        self.init(
            boot: Self.bootIdentifier, uptime: Double(Instant.now.nanoseconds) / 1e9,
            session: login.name.flatMap { sessions.contains($0) ? $0 : nil }, sessions: sessions)
    }

    private static var bootIdentifier: String {
        let path = FilePath("/proc/sys/kernel/random/boot_id")
        guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else { return "" }
        defer { try? file.close() }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in unsafe (try? file.read(into: buffer)) ?? 0 }
        return String(decoding: bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}

/// How long a record counts.
///
/// One whose life is over no longer counts; nothing has to remove it.
public struct Validity: Sendable, Equatable {
    /// The boot that it ends with at the latest.
    public var boot: String
    /// The login session that it ends with.
    public var session: String?
    /// The uptime in seconds that it ends at.
    public var until: Double?

    /// Makes a lifetime.
    public init(boot: String, session: String? = nil, until: Double? = nil) {
        self.boot = boot
        self.session = session
        self.until = until
    }

    /// That of a permission granted once: until the login session ends, or without one the boot.
    public static func once(_ now: GrantContext) -> Validity { Validity(boot: now.boot, session: now.session) }

    /// Whether it has not ended yet; without a boot's identifier nobody can tell, so it does not count.
    public func lasts(_ now: GrantContext) -> Bool {
        !boot.isEmpty && boot == now.boot && session.map(now.sessions.contains) ?? true
            && until.map { now.uptime < $0 } ?? true
    }
}
