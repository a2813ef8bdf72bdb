import Foundation
import Testing

/// The driver of `Examples/driver`, built and run as a package of its own.
@Suite(.serialized) struct DriverExampleTests {
    /// A step counter that is switched off a second after it is watched.
    private static let peer = """
        import socketserver, sys, time
        class Peer(socketserver.StreamRequestHandler):
            count = b"4711\\n"
            def handle(self):
                for line in self.rfile:
                    if line == b"WHO\\n": self.wfile.write(b"PEDOMETER serial=SN998877 owner=Anna Example\\n")
                    if line == b"COUNT\\n": self.wfile.write(Peer.count)
                    if line == b"WATCH\\n":
                        time.sleep(1)
                        Peer.count = b"OFF\\n"
                        self.wfile.write(b"OFF\\n")
        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = daemon_threads = True
        with Server(("127.0.0.1", 0), Peer) as server:
            print(server.server_address[1], flush=True)
            server.serve_forever()
        """

    @Test func `a driver made of public declarations probes, watches, and is anonymous in recordings`() throws {
        let program = try Tool.build(example: "driver").appending(
            path: "pedometer-check"
        ).path
        let contract = try Tool.run(program, [])
        #expect(contract.output == "the contract is kept\n", "\(contract.complaints)")
        try Tool.withPeer(Self.peer) { port in
            let run = try Tool.run(program, ["127.0.0.1:\(port)"])
            #expect(run.status == 0, "\(run.complaints)")
            let lines = run.output.split(separator: "\n")
            #expect(lines.first == "found: SN998877 4711 steps")
            #expect(lines.contains("watched: poweredOff it is switched off"))
            #expect(lines.contains("replayed: xxxxxxxx 4711 steps"))
            let recording = lines.filter { $0.hasPrefix("{") }
            #expect(recording.contains { $0.contains("pedometer at 127.0.0.1:\(port)") })
            #expect(!recording.contains { $0.contains("SN998877") || $0.contains("Anna") })
        }
    }
}
