import DriverKit
import Foundation
import Support
import Testing
@testable import LocalRig
@testable import rigready

/// What a wait that takes longer than usual shows.
@Suite struct CountdownTests {
    @Test func `what is waited for is counted down, with what is known meanwhile`() {
        let now = Instant.now
        let waiting = [
            PendingReading(name: "u-blox", reason: "no fix, 9 seen", deadline: now.advanced(bySeconds: 56.2)),
            PendingReading(name: "gpsd", deadline: now.advanced(bySeconds: -1)),
        ]
        #expect(ProgressLine.words(for: waiting, at: now) == "waiting 57 s for u-blox (no fix, 9 seen), 0 s for gpsd")
        #expect(ProgressLine.words(for: [], at: now) == "")
    }

    /// A gpsd whose receiver sees more satellites with each report, and never has a fix.
    private static let gpsd = """
        import json, socketserver, time
        class Peer(socketserver.StreamRequestHandler):
            def say(self, kind, **message):
                self.wfile.write(json.dumps({"class": kind, **message}).encode() + b"\\r\\n")
            def handle(self):
                device = {"class": "DEVICE", "path": "/dev/gps0", "driver": "u-blox", "activated": "2026-01-01T00:00:00Z"}
                self.say("VERSION", release="3.22", rev="3.22", proto_major=3, proto_minor=14)
                for line in self.rfile:
                    if not line.startswith(b"?DEVICES") and b'"enable":true' not in line: continue
                    self.say("DEVICES", devices=[device])
                    seen = 0
                    while line.startswith(b"?WATCH"):
                        seen = min(seen + 1, 9)
                        self.say("SKY", device="/dev/gps0", nSat=seen, uSat=min(seen, 2),
                                 satellites=[{"PRN": n, "ss": 21.0, "used": n < 2} for n in range(seen)])
                        self.say("TPV", device="/dev/gps0", mode=1)
                        time.sleep(0.2)
        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = daemon_threads = True
        with Server(("127.0.0.1", 0), Peer) as server:
            print(server.server_address[1], flush=True)
            server.serve_forever()
        """

    @Test(.waits) func `waiting for a fix shows the seconds left and the satellites, and leaves no line behind`() throws
    {
        try Tool.withPeer(Self.gpsd) { port in
            try Screen.run(100, 60, "--service places --gpsd 127.0.0.1:\(port) --wait-fix 8") { screen in
                func seconds(_ lines: [String]) -> Int? {
                    let waiting = lines.last { $0.contains("waiting ") && $0.contains("s for ") }
                    return waiting?.firstMatch(of: /waiting (\d+) s for/).flatMap { Int($0.1) }
                }
                let first = try screen.wait("the countdown") { seconds($0) != nil }
                let sky = try screen.wait("the satellites") { lines in
                    lines.contains { $0.contains("no fix, 9 seen, 2 used") }
                }
                let begin = try #require(seconds(first)), later = try #require(seconds(sky))
                #expect(begin <= 11 && later <= begin)
                try screen.wait("fewer seconds") { seconds($0).map { $0 < later } ?? false }
                let last = try screen.wait("the end") { $0.contains("status 1") }
                #expect(!last.contains { $0.contains("waiting ") })
            }
        }
    }
}
