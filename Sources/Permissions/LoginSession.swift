internal import Configuration
internal import Glibc
public import SystemPackage

/// The login session that a process belongs to, as systemd-logind keeps it.
///
/// A session that logind does not list, as in a container that inherited the variable, is none.
/// Source: sd-login(3); `/run/systemd/sessions` holds one file of `KEY=VALUE` lines a session.
public struct LoginSession: Sendable, Equatable {
    /// The folder of the sessions.
    public var folder: FilePath
    /// The session's name; nil for a process in none, as a service or a build job.
    public var name: String?

    /// Names a session.
    public init(_ name: String?, in folder: FilePath = "/run/systemd/sessions") {
        self.name = name
        self.folder = folder
    }

    /// That of this process, by XDG_SESSION_ID.
    public static var current: LoginSession {
        LoginSession(Environment.value("XDG_SESSION_ID"))
    }

    /// The sessions that there are.
    public var names: Set<String> { Set(entries ?? []) }

    /// Whether somebody uses what runs in this session: it is the active one of its seat, or it has none, as over the net.
    ///
    /// Where nobody keeps sessions there is nothing to be in the background of; where somebody does, what belongs to
    /// none is in the background. The folder alone shows nobody, since packages bring it along: sessions in it do, or
    /// systemd, which sd_booted(3) tells by `/run/systemd/system`.
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

    /// The names in the folder; nil where there is none.
    private var entries: [String]? {
        guard let stream = unsafe opendir(folder.string) else { return nil }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        // More sessions than anyone has: the bound of a hostile folder.
        while names.count < 10_000, let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
                unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            // Neither the folder itself, nor a file that is about to become a session.
            if !name.contains(".") { names.append(name) }
        }
        return names
    }
}
