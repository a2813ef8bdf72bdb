internal import Configuration
internal import Glibc
public import SystemPackage

/// The login session of a process, as systemd-logind records it.
///
/// A session that logind does not list, for example in a container that inherited the variable, does not count. Source:
/// sd-login(3); `/run/systemd/sessions` contains one file of `KEY=VALUE` lines per session.
public struct LoginSession: Sendable, Equatable {
    /// The folder of the sessions.
    public var folder: FilePath
    /// The session's name; nil for a process without one, such as a service or a build job.
    public var name: String?

    /// Names a session.
    public init(_ name: String?, in folder: FilePath = "/run/systemd/sessions") {
        self.name = name
        self.folder = folder
    }

    /// The session of this process, from XDG_SESSION_ID.
    public static var current: LoginSession {
        LoginSession(Environment.value("XDG_SESSION_ID"))
    }

    /// The names of the existing sessions.
    public var names: Set<String> { Set(entries ?? []) }

    /// Whether this session is in use: it is the active one of its seat, or it has no seat, such as a remote one.
    ///
    /// Without session management nothing is in the background; with it, a process without a session is. The folder
    /// alone is no sign of session management, since packages create it: sessions in it are, or systemd, which
    /// sd_booted(3) detects by `/run/systemd/system`.
    public var isActive: Bool {
        let isBooted = unsafe access(folder.removingLastComponent().appending("system").string, F_OK) == 0
        guard let entries, isBooted || !entries.isEmpty else { return true }
        guard let name, !name.contains("/"), entries.contains(name) else { return false }
        guard let file = try? FileDescriptor.open(folder.appending(name), .readOnly, options: .closeOnExec) else {
            return false
        }
        defer { try? file.close() }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in unsafe (try? file.read(into: buffer)) ?? 0 }
        return String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n").contains("ACTIVE=1")
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
