import Glibc
import Support

/// A name server on a loopback address of its own, since the resolver knows only port 53.
final class NameServer: Sendable {
    let address: String
    private let socket: CInt

    /// Answers each datagram with another, or with none; throws without leave to bind port 53.
    init(_ answer: @escaping @Sendable ([UInt8]) -> [UInt8]?) throws {
        let bytes: [UInt8] = [127, 53, .random(in: 0...255), .random(in: 1...254)]
        self.address = bytes.map(String.init).joined(separator: ".")
        let socket = Glibc.socket(AF_INET, CInt(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(53).bigEndian
        address.sin_addr.s_addr = bytes.reduce(0) { $0 << 8 | UInt32($1) }.bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(socket, $0, size) }
        }
        guard status == 0 else {
            close(socket)
            throw Program.CommandFailure(description: "cannot bind port 53")
        }
        self.socket = socket
        detach {
            while Self.answer(on: socket, answer) {}
            close(socket)
        }
    }

    /// The thread that answers owns the socket.
    deinit { shutdown(socket, CInt(SHUT_RDWR)) }

    /// Answers one datagram; false at the end.
    private static func answer(on socket: CInt, _ answer: ([UInt8]) -> [UInt8]?) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        var peer = sockaddr()
        var size = socklen_t(MemoryLayout<sockaddr>.size)
        let count = unsafe recvfrom(socket, &bytes, bytes.count, 0, &peer, &size)
        guard count > 0 else { return false }
        guard let reply = answer(Array(bytes[..<count])) else { return true }
        _ = unsafe sendto(socket, reply, reply.count, CInt(MSG_NOSIGNAL), &peer, size)
        return true
    }
}
