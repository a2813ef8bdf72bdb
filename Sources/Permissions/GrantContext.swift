internal import DriverKit
internal import SystemPackage

/// The time and the login session, against which the validity of a record is checked.
public struct GrantContext: Sendable, Equatable {
    /// The identifier of this boot.
    public var boot: String
    /// Seconds since the boot, including sleep.
    public var uptime: Double
    /// The login session of this process; nil without one, as in a service or a build job.
    public var session: String?
    /// The existing login sessions.
    public var sessions: Set<String>

    /// Creates a context.
    public init(boot: String, uptime: Double, session: String? = nil, sessions: Set<String> = []) {
        self.boot = boot
        self.uptime = uptime
        self.session = session
        self.sessions = sessions
    }

    /// The context of this process, from `/proc`, CLOCK_BOOTTIME and its login session.
    public static var live: GrantContext { GrantContext(in: .current) }

    /// Creates the current context in a login session.
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

/// The validity of a record.
///
/// An expired record no longer counts; it need not be removed.
public struct Validity: Sendable, Equatable {
    /// The boot in which it is valid.
    public var boot: String
    /// The login session with which it ends.
    public var session: String?
    /// The uptime in seconds at which it ends.
    public var until: Double?

    /// Creates a validity.
    public init(boot: String, session: String? = nil, until: Double? = nil) {
        self.boot = boot
        self.session = session
        self.until = until
    }

    /// The validity of a permission granted once: until the login session ends, or without one the boot.
    public static func once(_ now: GrantContext) -> Validity { Validity(boot: now.boot, session: now.session) }

    /// Whether it has not ended; without a boot identifier that is unknown, so it does not count.
    public func lasts(_ now: GrantContext) -> Bool {
        !boot.isEmpty && boot == now.boot && session.map(now.sessions.contains) ?? true
            && until.map { now.uptime < $0 } ?? true
    }
}
