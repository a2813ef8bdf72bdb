import DriverKit
import Glibc
import Synchronization

/// A peer on this machine that speaks iiod's text protocol, until a request that its script handles differently.
final class ScriptedServer: Sendable {
    /// The answer to a request.
    enum Reply: Sendable {
        /// These bytes.
        case text(String)
        /// No answer; the connection stays open.
        case hang
        /// Closes the connection.
        case close
    }

    let port: UInt16
    private let listener: Listener
    private let requests = Mutex<[String]>([])

    /// Listens; `script` takes precedence over the usual answers.
    init?(_ script: @escaping @Sendable (String) -> Reply?) {
        guard let listener = Listener() else { return nil }
        self.listener = listener
        port = listener.port
        // The thread owns the socket: closed earlier, its number could be that of another test's socket.
        _ = Worker.start { [weak self] in
            while true {
                let peer = accept(listener.descriptor, nil, nil)
                guard peer >= 0 else { return }
                _ = Worker.start { [weak self] in
                    while let request = Self.line(from: peer) {
                        self?.requests.withLock { $0.append(request) }
                        switch script(request) ?? Self.usual(request) {
                        case .text(let text):
                            let bytes = Array(text.utf8)
                            unsafe send(peer, bytes, bytes.count, CInt(MSG_NOSIGNAL))
                        case .hang: continue
                        case .close:
                            shutdown(peer, CInt(SHUT_RDWR))
                            break
                        }
                    }
                    close(peer)
                }
            }
        }
    }

    deinit { shutdown(listener.descriptor, CInt(SHUT_RDWR)) }

    /// The requests so far.
    var asked: [String] { requests.withLock { $0 } }

    var uri: String { "ip:127.0.0.1:\(port)" }

    /// A value, or another text with its length.
    static func answer(_ text: String) -> String { "\(text.utf8.count)\n\(text)\n" }

    private static func usual(_ request: String) -> Reply {
        let words = request.split(separator: " ")
        return switch words.first {
        case "VERSION": .text("0.24.v0.24\n")
        case "PRINT": .text(answer(RemoteTests.xml))
        case "TIMEOUT": .text("0\n")
        case "READ" where words.last == "in_mount_matrix": .text(answer("1, 0, 0; 0, 1, 0; 0, 0, 1\0"))
        case "READ": .text(answer("2\0"))
        default: .text("-22\n")
        }
    }

    private static func line(from peer: CInt) -> String? {
        var line: [UInt8] = []
        while line.count < 1024 {
            var byte: UInt8 = 0
            guard unsafe read(peer, &byte, 1) == 1 else { return nil }
            if byte == UInt8(ascii: "\n") { return String(decoding: line.filter { $0 != 13 }, as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }
}
