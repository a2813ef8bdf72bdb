import Foundation
import Testing

/// Attacks by what answers as gpsd.
@Suite(.timeLimit(.minutes(10))) struct HostileGPSDTests {
    private static let greeting = #"{"class":"VERSION","release":"3.25","rev":"3.25","proto_major":3,"proto_minor":15}"#
    /// A listing of receivers; the first one's node exists, so that it is never absent.
    private static func listing(_ paths: [String] = ["/dev/null"]) -> String {
        let devices = paths.map { path in
            #"{"class":"DEVICE","path":"\#(path)","driver":"u-blox","activated":"2026-11-21T11:21:54.542Z","flags":1}"#
        }
        return #"{"class":"DEVICES","devices":[\#(devices.joined(separator: ","))]}"#
    }
    private static func report(_ fields: String) -> String { #"{"class":"TPV","device":"/dev/null",\#(fields)}"# }
    private static let fix = report(#""mode":3,"time":"2026-11-21T11:21:55.000Z","lat":52.5,"lon":13.4"#)

    /// A gpsd that greets and lists its devices, and then does what `rest` says.
    private static func gpsd(
        _ listing: String = listing(), _ rest: @escaping HostileServer.Script = { $0.wait() }
    ) -> HostileServer.Script {
        { peer in
            peer.send(greeting + "\r\n")
            guard peer.line() != nil, peer.send(listing + "\r\n"), peer.line() != nil else { return }
            rest(peer)
        }
    }

    private static let gpsdAttacks: [Attack] = {
        let values = String(repeating: "1,", count: 30_000)
        let digits = String(repeating: "1", count: 1000)
        let satellites = Array(repeating: #"{"ss":1}"#, count: 6000).joined(separator: ",")
        let fixes = Array(repeating: fix, count: 600).joined(separator: ",")
        let lines: [(String, String)] = [
            ("nests arrays", String(repeating: "[", count: 60_000)),
            ("nests objects", String(repeating: #"{"a":"#, count: 12_000)),
            ("lists thirty thousand values", #"{"class":"DEVICES","devices":[\#(values)1]}"#),
            ("lists ten thousand receivers", listing((0..<10_000).map { "/dev/ttyS\($0)" })),
            ("lists five hundred receivers", listing((0..<500).map { "/dev/ttyS\($0)" })),
            ("lists one receiver five hundred times", listing(Array(repeating: "/dev/null", count: 500))),
            ("lists a path of a thousand folders", listing([String(repeating: "/x", count: 1000)])),
            ("refuses with controls", #"{"class":"ERROR","message":"\u001b[2J\u009b\u202e"}"#),
            ("sends half a surrogate pair", listing([#"/dev/\ud800"#])),
            ("sends a zero in a path", listing([#"/dev/tty\u0000S0"#])),
            ("sends raw controls", listing(["/dev/\u{1b}[2J"])),
        ]
        let reports: [(String, String)] = [
            ("reports an infinite place", report(#""mode":3,"lat":1e400,"lon":-1e400"#)),
            ("reports a number of a thousand digits", report(#""mode":3,"lat":\#(digits),"lon":0"#)),
            ("reports words for numbers", report(#""mode":"3","lat":"52","lon":null,"eph":{},"time":-1e300"#)),
            ("reports six thousand satellites", #"{"class":"SKY","device":"/dev/null","satellites":[\#(satellites)]}"#),
            ("remembers six hundred reports", #"{"class":"POLL","time":"2026-11-21T11:21:55.100Z","tpv":[\#(fixes)]}"#),
            ("announces receivers", #"{"class":"DEVICE","path":"/dev/ttyS1","activated":1}"#),
            ("withdraws its receivers", #"{"class":"DEVICES","devices":[]}"#),
            ("closes its receiver", #"{"class":"DEVICE","path":"/dev/null","activated":0}"#),
        ]
        let scripts: [(String, HostileServer.Script)] = [
            ("says nothing", { $0.wait() }),
            ("closes at once", { _ in }),
            ("resets the connection", { $0.reset() }),
            ("sends a byte a second", { $0.trickle(greeting + "\n") }),
            (
                "sends a byte every ten milliseconds",
                { $0.trickle(greeting + "\n" + listing() + "\n" + fix + "\n", every: 10_000) }
            ),
            ("never ends a line", { $0.flood("x") }),
            ("sends empty lines", { $0.flood("\n") }),
            ("sends zeros", { $0.flood("\0") }),
            ("sends lines that are no JSON", { $0.flood("garbage\n") }),
            (
                "sends bytes that are no text",
                { peer in while peer.send([UInt8](repeating: 0xff, count: 4000) + [10]) {} }
            ),
            (
                "sends an endless number",
                {
                    $0.send(#"{"class":"VERSION","release":1"#); $0.flood("1")
                }
            ),
            (
                "sends an endless string",
                {
                    $0.send(#"{"class":"VERSION","release":""#); $0.flood("a")
                }
            ),
            ("greets without end", { $0.flood(greeting + "\n") }),
            (
                "is a web server",
                {
                    _ = $0.line(); $0.send("HTTP/1.1 400 Bad Request\r\nServer: x\r\n\r\n<html>\r\n")
                }
            ),
            ("lists its devices without end", { $0.flood(listing() + "\n") }),
            (
                "lists other devices each time",
                { peer in
                    var number = 0
                    while peer.send(listing(["/dev/ttyS\(number)"]) + "\n") { number += 1 }
                }
            ),
            ("says nothing once watched", gpsd()),
            ("closes once watched", gpsd { _ in }),
            ("resets once watched", gpsd { $0.reset() }),
            ("reports a byte a second", gpsd { $0.trickle(fix) }),
            ("reports no fix without end", gpsd { $0.flood(report(#""mode":1"#) + "\n") }),
            (
                "reports without a line end",
                gpsd {
                    $0.send(fix.dropLast() + #","x":""#); $0.flood("y")
                }
            ),
        ]
        var attacks: [Attack] = []
        for (name, script) in scripts { attacks.append(Attack(name: name, target: .gpsd(script))) }
        for (name, line) in lines { attacks.append(Attack(name: name, target: .gpsd(gpsd(line)))) }
        for (name, line) in reports {
            let once = gpsd {
                $0.send(line + "\n")
                $0.wait()
            }
            attacks.append(Attack(name: name, target: .gpsd(once)))
            attacks.append(Attack(name: "\(name), without end", target: .gpsd(gpsd { $0.flood(line + "\n") })))
        }
        for count in stride(from: 0, to: conversation.utf8.count, by: 11) {
            let script: HostileServer.Script = { peer in
                peer.limit(to: count)
                gpsd { $0.send(fix + "\r\n") }(peer)
            }
            attacks.append(Attack(name: "closes after \(count) bytes", target: .gpsd(script)))
        }
        for words in [["check", "--format", "json"], ["watch", "--for", "1", "--format", "json"], ["record", "-"]] {
            attacks.append(
                Attack(
                    name: "has a fix, and has none, without end",
                    target: .gpsd(gpsd { $0.flood(fix + "\n" + noFix + "\n") }), words: words))
        }
        return attacks
    }()

    private static let noFix = report(#""mode":1"#)
    private static let conversation = greeting + "\r\n" + listing() + "\r\n" + fix + "\r\n"

    @Test func `a hostile gpsd is withstood`() throws { try Attack.withstand(Self.gpsdAttacks) }

    @Test func `a gpsd with hostile words is withstood in every format`() throws {
        let words = String(decoding: try JSONEncoder().encode(Attack.evil), as: UTF8.self).dropFirst().dropLast()
        let listing = Self.listing(["/dev/\(words)"]).replacing("u-blox", with: words)
        let report = Self.fix.replacing("/dev/null", with: "/dev/\(words)")
        try Attack.withstand(
            Attack.inAllFormats(
                Attack(
                    name: "hostile words",
                    target: .gpsd(
                        Self.gpsd(listing) {
                            $0.send(report + "\n"); $0.wait()
                        })))
                + Attack.inAllFormats(
                    Attack(
                        name: "hostile refusal",
                        target: .gpsd { peer in
                            peer.send(#"{"class":"VERSION","release":"\#(words)"}"# + "\n")
                            peer.send(#"{"class":"ERROR","message":"\#(words)"}"# + "\n")
                            peer.wait()
                        })))
    }
}
