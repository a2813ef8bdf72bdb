import DriverKit
import Testing

@Suite struct HostPortTests {
    @Test(arguments: [
        ("host", "host:2947"), ("127.0.0.1:99", "127.0.0.1:99"), ("fe80::1", "[fe80::1]:2947"),
        ("[fe80::1]", "[fe80::1]:2947"), ("[fe80::1]:99", "[fe80::1]:99"),
        ("bench-07.local:65535", "bench-07.local:65535"),
    ])
    func `a parsed address is printed as an equal one`(text: String, printed: String) throws {
        let peer = try #require(HostPort(text, defaultPort: 2947))
        #expect(peer.description == printed)
        #expect(HostPort(printed, defaultPort: 1) == peer)
    }

    @Test(arguments: [
        "", ":", ":99", "host:", "host:0", "host:65536", "host:x", "[::1", "[]", "[]:99", "[::1]x", "[::1]:",
    ])
    func `text without host and port is refused`(text: String) { #expect(HostPort(text, defaultPort: 2947) == nil) }
}
