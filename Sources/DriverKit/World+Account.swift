package import Readiness
internal import SystemPackage

extension World {
    /// The user whose rights are evaluated, if that is not the user of this process (`--as USER`); nil for a subject, whose
    /// own process asks.
    package var otherUser: UInt32? {
        // Only root evaluates the rights of others, so the user database is not asked for anyone else.
        guard subject == nil, let own = statusField("Uid")?.split(whereSeparator: \.isWhitespace).dropFirst().first,
            own == "0", let user = (try? account())?.user, user != 0
        else { return nil }
        return user
    }

    /// The user whose rights are evaluated, for a shell: `$(id -un)`, or with the number of another user.
    package var userName: ShellCommand {
        let other = subject == nil ? otherUser : (try? account())?.user
        return other.map { "$(id -un \($0))" } ?? "$(id -un)"
    }

    /// A field of `/proc/self/status`; nil if it is missing.
    package func statusField(_ name: String) -> String? {
        let status = (try? contents(of: "/proc/self/status", limit: 64 << 10)) ?? []
        let line = status.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: "\(name):".utf8) }
        return line.flatMap { PeerText.line($0.dropFirst(name.utf8.count + 1).map { $0 == 9 ? 32 : $0 }) }
    }
}
