internal import DriverKit
internal import LocalRig
internal import Synchronization

/// Who may see the board.
///
/// On loopback, every user of this machine; on other addresses, only clients with the token, which a browser exchanges
/// for a cookie. In both cases a request must use a name of this machine, so that a page of another site whose name
/// resolves to this machine (DNS rebinding) reads nothing.
package final class BoardAccess: Sendable {
    /// The most browsers that can have exchanged the token; the one that did so first is forgotten first.
    private static let sessionLimit = 64

    /// The token; nil if none is needed.
    package let token: String?
    /// Whether a secret, or the permissions of a Unix socket, keep others out.
    package let isGuarded: Bool
    private let names: Set<String>
    private let sessions = Mutex<[String]>([])

    /// Makes the access to a machine of these names; without a token everyone who names it has it, and on a Unix socket
    /// everyone who may open that.
    package init(names: [String], token: String?, isSocket: Bool = false) {
        isGuarded = token != nil || isSocket
        self.names = Set((names + ["localhost"]).map { $0.lowercased() })
        self.token = token
    }

    /// The names of this machine: as it calls itself, with and without its domain, and as multicast DNS knows it.
    package static var machineNames: [String] {
        let whole = RigIdentity.live().host
        let first = String(whole.prefix { $0 != "." })
        return whole.isEmpty ? [] : [whole, first, first + ".local"]
    }

    // MARK: The Host field

    /// Whether the field `Host` of a request names this machine: one of its names, a loopback address, or the address
    /// that the request was sent to.
    package func admits(host: String?, to address: String?) -> Bool {
        guard let host, host.utf8.count <= 255, let place = HostPort(host, defaultPort: 80) else { return false }
        var name = place.host.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        return names.contains(name) || Self.isLoopback(name) || name == address.map(Self.plain)
    }

    /// Whether an address in figures leads to this machine only.
    package static func isLoopback(_ address: String) -> Bool {
        let address = plain(address)
        if address == "::1" { return true }
        let parts = address.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { part in
                1...3 ~= part.utf8.count && part.utf8.allSatisfy { 0x30...0x39 ~= $0 } && UInt8(part) != nil
            }
    }

    /// The address without its zone, an IPv4 address without the prefix that maps it to IPv6.
    private static func plain(_ address: String) -> String {
        let address = address.lowercased().prefix { $0 != "%" }
        return String(address.hasPrefix("::ffff:") && address.contains(".") ? address.dropFirst(7) : address)
    }

    // MARK: The token

    /// Whether a request may see the board, by the value of its cookie or by the token itself.
    package func admits(session: String?, token given: String?) -> Bool {
        guard let token else { return true }
        if let given, BoardToken.isEqual(given, token) { return true }
        guard let session else { return false }
        // All are compared, so that the time tells nothing.
        return sessions.withLock { sessions in
            sessions.reduce(false) { BoardToken.isEqual($1, session) || $0 }
        }
    }

    /// The value of a new cookie, if the token is right.
    package func exchange(_ given: String) -> String? {
        guard let token, BoardToken.isEqual(given, token) else { return nil }
        let session = BoardToken.random()
        sessions.withLock { $0 = ($0 + [session]).suffix(Self.sessionLimit) }
        return session
    }
}
