import Glibc
import Support
import Synchronization

/// A TCP peer on this machine that does to each connection what a script says.
final class HostileServer: Sendable {
    typealias Script = @Sendable (Connection) -> Void

    let port: UInt16
    private let listener: CInt

    /// Listens; a thread of its own runs the script for each connection, which is closed at its end.
    init(_ script: @escaping Script) throws {
        let (listener, port) = try RunningGPSD.bound()
        guard listen(listener, 128) == 0 else { throw Program.CommandFailure(description: "cannot listen") }
        (self.listener, self.port) = (listener, port)
        detach {
            while true {
                let peer = accept(listener, nil, nil)
                guard peer >= 0 else { break }
                detach {
                    let connection = Connection(descriptor: peer)
                    script(connection)
                    close(peer)
                }
            }
            close(listener)
        }
    }

    /// The thread that accepts owns the socket.
    deinit { shutdown(listener, CInt(SHUT_RDWR)) }

    /// One connection to it; no call lasts longer than half a minute without a byte.
    final class Connection: Sendable {
        private let descriptor: CInt
        private let room = Mutex(Int.max)

        init(descriptor: CInt) {
            self.descriptor = descriptor
            var patience = timeval(tv_sec: 30, tv_usec: 0)
            for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
                unsafe setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
            }
        }

        /// Closes the connection once so many bytes were sent.
        func limit(to count: Int) { room.withLock { $0 = count } }

        /// Sends all bytes; false if the connection has ended.
        @discardableResult
        func send(_ bytes: [UInt8]) -> Bool {
            let allowed = room.withLock { room in
                defer { room -= min(room, bytes.count) }
                return min(room, bytes.count)
            }
            var rest = bytes.prefix(allowed)
            while !rest.isEmpty {
                let sent = unsafe rest.withUnsafeBytes { bytes in
                    unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
                }
                guard sent > 0 else { return false }
                rest = rest.dropFirst(sent)
            }
            if allowed < bytes.count { shutdown(descriptor, CInt(SHUT_RDWR)) }
            return allowed == bytes.count
        }

        @discardableResult
        func send(_ text: String) -> Bool { send(Array(text.utf8)) }

        /// Sends the same again and again until the peer has gone.
        func flood(_ text: String) {
            let bytes = Array(String(repeating: text, count: max(1, (16 << 10) / max(1, text.utf8.count))).utf8)
            while send(bytes) {}
        }

        /// The next request without its line end; nil once the peer has gone.
        func line() -> String? {
            var line: [UInt8] = []
            var byte: UInt8 = 0
            while line.count < 4096, unsafe read(descriptor, &byte, 1) == 1 {
                if byte == UInt8(ascii: "\n") { return String(decoding: line.filter { $0 != 13 }, as: UTF8.self) }
                line.append(byte)
            }
            return nil
        }

        /// Says nothing more until the peer has gone.
        func wait() { while line() != nil {} }

        /// Sends the bytes one by one, with a pause (microseconds) after each.
        func trickle(_ text: String, every pause: UInt32 = 1_000_000) {
            for byte in text.utf8 {
                guard send([byte]) else { return }
                usleep(pause)
            }
        }

        /// Ends the connection as a peer that was switched off does, so that the kernel reports an error.
        func reset() {
            var linger = linger(l_onoff: 1, l_linger: 0)
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        }
    }
}
