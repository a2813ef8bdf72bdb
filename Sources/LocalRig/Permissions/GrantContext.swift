internal import Linux
internal import DriverKit
internal import Glibc
package import SystemPackage

/// The time and the login session, against which the validity of a record is checked.
package struct GrantContext: Sendable, Equatable {
    /// The identifier of this boot.
    package var boot: String
    /// Seconds since the boot, including sleep.
    package var uptime: Double
    /// The login session of this process; nil without one, as in a service or a build job.
    package var session: String?
    /// The existing login sessions.
    package var sessions: Set<String>

    /// Creates a context.
    package init(boot: String, uptime: Double, session: String? = nil, sessions: Set<String> = []) {
        self.boot = boot
        self.uptime = uptime
        self.session = session
        self.sessions = sessions
    }

    /// The context of this process, from `/proc`, CLOCK_BOOTTIME and its login session.
    package static var live: GrantContext { GrantContext(in: .current) }

    /// Creates the current context in a login session.
    package init(in login: LoginSession) {
        let sessions = login.names
        self.init(
            boot: Self.bootIdentifier, uptime: Double(Instant.now.nanoseconds) / 1e9,
            session: login.name.flatMap { sessions.contains($0) ? $0 : nil }, sessions: sessions)
    }

    /// The identifier of the current boot.
    package static var bootIdentifier: String {
        let bytes = (try? BoundedFile.read("/proc/sys/kernel/random/boot_id", limit: 64)) ?? []
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}

/// The validity of a record.
///
/// An expired record no longer counts; it need not be removed.
package struct Validity: Sendable, Equatable {
    /// The boot in which it is valid.
    package var boot: String
    /// The login session with which it ends.
    package var session: String?
    /// The uptime in seconds at which it ends.
    package var until: Double?

    /// Creates a validity.
    package init(boot: String, session: String? = nil, until: Double? = nil) {
        self.boot = boot
        self.session = session
        self.until = until
    }

    /// The validity of a permission granted once: until the login session ends, or without one the boot.
    package static func once(_ now: GrantContext) -> Validity { Validity(boot: now.boot, session: now.session) }

    /// Whether it has not ended; without a boot identifier that is unknown, so it does not count.
    package func lasts(_ now: GrantContext) -> Bool {
        !boot.isEmpty && boot == now.boot && session.map(now.sessions.contains) ?? true
            && until.map { now.uptime < $0 } ?? true
    }
}

/// The login session of a process, as systemd-logind records it.
///
/// A session that logind does not list, for example in a container that inherited the variable, does not count. Source:
/// sd-login(3); `/run/systemd/sessions` contains one file of `KEY=VALUE` lines per session.
package struct LoginSession: Sendable, Equatable {
    /// The folder of the sessions.
    package var folder: FilePath
    /// The session's name; nil for a process without one, such as a service or a build job.
    package var name: String?

    /// Names a session.
    package init(_ name: String?, in folder: FilePath = "/run/systemd/sessions") {
        self.name = name
        self.folder = folder
    }

    /// The session of this process, from XDG_SESSION_ID.
    package static var current: LoginSession {
        LoginSession(Environment.value("XDG_SESSION_ID"))
    }

    /// The names of the existing sessions.
    package var names: Set<String> { Set(entries ?? []) }

    /// Whether this session is in use: it is the active one of its seat, or it has no seat, such as a remote one.
    ///
    /// Without session management nothing is in the background; with it, a process without a session is. The folder
    /// alone is no sign of session management, since packages create it: sessions in it are, or systemd, which
    /// sd_booted(3) detects by `/run/systemd/system`.
    package var isActive: Bool {
        let isBooted = unsafe access(folder.removingLastComponent().appending("system").string, F_OK) == 0
        guard let entries, isBooted || !entries.isEmpty else { return true }
        guard let name, !name.utf8.contains(UInt8(ascii: "/")), entries.contains(name) else { return false }
        let bytes = (try? BoundedFile.read(folder.appending(name), limit: 4096)) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").contains("ACTIVE=1")
    }

    /// The names in the folder; nil if it does not exist.
    private var entries: [String]? {
        guard let stream = unsafe opendir(folder.string) else { return nil }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        // A bound for a hostile folder, above any real number of sessions.
        while names.count < 10_000, let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
                unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            // Neither `.` and `..`, nor a temporary file of logind.
            if !name.contains(".") { names.append(name) }
        }
        return names
    }
}
