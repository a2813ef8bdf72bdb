import Foundation
import Testing

/// Attacks by what answers as iiod.
@Suite(.timeLimit(.minutes(10))) struct HostileIIODTests {
    /// A device with an accelerometer and a gyroscope, so that no attack in it is a complete list without them.
    private static func device(_ id: String, name: String = "chip", besides body: String = "") -> String {
        let channels = ["accel", "anglvel"].map { family in
            #"<channel id="\#(family)_x" type="input"><attribute name="raw" filename="in_\#(family)_x_raw" />"#
                + #"<attribute name="scale" filename="in_\#(family)_scale" /></channel>"#
        }
        return #"<device id="\#(id)" name="\#(name)">\#(channels.joined())\#(body)</device>"#
    }
    private static func context(_ body: String) -> String { #"<context name="network">\#(body)</context>"# }
    private static func counted(_ text: String) -> String { "\(text.utf8.count)\n\(text)\n" }

    /// An iiod that answers its version and its description, and each reading with what `rest` gives.
    private static func iiod(
        _ description: String = usual,
        _ reading: @escaping @Sendable (HostileServer.Connection) -> Void = { $0.send(counted("1\0")) }
    ) -> HostileServer.Script {
        { peer in
            while let request = peer.line() {
                if request == "VERSION" {
                    peer.send("0.24.v0.24\n")
                } else if request == "PRINT" {
                    peer.send(description)
                } else {
                    reading(peer)
                }
            }
        }
    }

    private static let iiodAttacks: [Attack] = {
        let many = counted(context((0..<100).map { device("iio:device\($0)") }.joined()))
        let numbered = (0..<50_000).map { #"<attribute name="in_accel_x\#($0)_raw"/>"# }.joined()
        func holding(_ body: String) -> String { device("iio:device0", besides: body) }
        func named(_ entity: String, _ type: String) -> String {
            counted(#"<!DOCTYPE context [\#(type)]>"# + context(device("iio:device0", name: entity)))
        }
        let entities = (1...9).map { level in
            #"<!ENTITY e\#(level) "\#(String(repeating: "&e\(level - 1);", count: 10))">"#
        }
        let bomb = #"<!ENTITY e0 "lol">"# + entities.joined()
        let descriptions: [(String, String)] = [
            ("announces four gigabytes", "4294967296\n"),
            ("announces two gigabytes", "2147483647\n"),
            ("announces all that is allowed and sends little", "\(4 << 20)\n<context"),
            ("announces less than nothing", "-2147483648\n"),
            ("announces a number beyond all", "-99999999999999999999\n"),
            ("announces in words", "many\n"),
            ("sends another description than it announced", "5\n" + context(device("iio:device0")) + "\n"),
            ("sends entities of entities", named("&e9;", bomb)),
            ("sends an entity of itself", named("&e;", #"<!ENTITY e "&e;">"#)),
            ("sends an entity of a file", named("&e;", #"<!ENTITY e SYSTEM "file:///etc/passwd">"#)),
            ("nests a million elements", counted(String(repeating: "<a>", count: 1_000_000))),
            ("opens a million elements", counted(String(repeating: "<", count: 4_000_000))),
            (
                "sends a hundred thousand devices",
                counted(
                    context(device("iio:device1") + String(repeating: #"<device id="iio:device0"/>"#, count: 100_000)))
            ),
            (
                "sends a hundred thousand attributes",
                counted(context(holding(String(repeating: #"<attribute name="a"/>"#, count: 100_000))))
            ),
            ("sends fifty thousand attributes", counted(context(holding(numbered)))),
            (
                "sends a value of a megabyte",
                counted(context(device("iio:device0", name: String(repeating: "x", count: 1 << 20))))
            ),
            ("never ends a comment", counted("<!--" + String(repeating: "-", count: 1 << 20))),
            ("never ends a declaration", counted("<!" + String(repeating: "<", count: 1 << 20))),
            ("sends no XML", counted("garbage")),
            ("sends controls", counted("<\u{1b}[2J>")),
            ("repeats a device", counted(context(String(repeating: device("iio:device0"), count: 500)))),
            ("smuggles a request", counted(context(device("iio:device0&#13;&#10;EXIT")))),
        ]
        let readings: [(String, @Sendable (HostileServer.Connection) -> Void)] = [
            ("never answers a reading", { _ in }),
            (
                "closes at a reading",
                {
                    $0.limit(to: 0); $0.send("x")
                }
            ),
            (
                "resets at a reading",
                {
                    $0.reset(); $0.limit(to: 0); $0.send("x")
                }
            ),
            (
                "reads four gigabytes",
                {
                    $0.send("4294967296\n"); $0.flood("1")
                }
            ),
            ("reads more than a page", { $0.send(counted(String(repeating: "1", count: 4097))) }),
            ("reads a page of digits", { $0.send(counted(String(repeating: "1", count: 4096))) }),
            ("reads controls", { $0.send(counted("\u{1b}[2J\u{9b}")) }),
            ("reads nothing", { $0.send(counted("")) }),
            ("reads an endless length", { $0.flood("1") }),
            ("reads empty lines", { $0.flood("\n") }),
            ("refuses every reading", { $0.send("-1\n") }),
            ("refuses with an unknown number", { $0.send("-2147483647\n") }),
            ("answers every reading twice", { $0.send(counted("1\0") + counted("2\0")) }),
            ("reads a byte a second", { $0.trickle(counted("1\0")) }),
            ("reads words", { $0.send(counted("nan\0")) }),
        ]
        let scripts: [(String, HostileServer.Script)] = [
            ("says nothing", { $0.wait() }),
            ("closes at once", { _ in }),
            ("resets the connection", { $0.reset() }),
            ("sends a byte a second", { $0.trickle("0.24.v0.24\n") }),
            ("sends zeros", { $0.flood("\0") }),
            ("sends empty lines", { $0.flood("\n") }),
            ("sends an endless version", { $0.flood("1") }),
            (
                "is another server",
                {
                    $0.send("SSH-2.0-\u{1b}[2J\r\n"); $0.wait()
                }
            ),
            (
                "sends an endless length",
                {
                    _ = $0.line(); $0.send("0.24.v0.24\n"); $0.flood("1")
                }
            ),
            ("sends versions without end", { $0.flood("0.24.v0.24\n") }),
            (
                "announces four megabytes and sends more",
                {
                    _ = $0.line(); $0.send("0.24.v0.24\n\(4 << 20)\n"); $0.flood("<a>")
                }
            ),
        ]
        let length = conversation.utf8.count
        func cuts(from first: Int) -> [HostileServer.Script] {
            stride(from: first, to: length, by: length / 16).map { count in
                { peer in
                    peer.limit(to: count)
                    iiod()(peer)
                }
            }
        }
        var attacks: [Attack] = []
        for (name, script) in scripts { attacks.append(Attack(name: name, target: .iiod([script]))) }
        for (name, description) in descriptions {
            attacks.append(Attack(name: name, target: .iiod([iiod(description)])))
        }
        for (name, reading) in readings {
            attacks.append(Attack(name: name, target: .iiod([iiod(usual, reading)])))
            attacks.append(Attack(name: "\(name), of a hundred devices", target: .iiod([iiod(many, reading)])))
        }
        for first in [0, 3, 7, 11, 17] {
            attacks.append(Attack(name: "closes at places from \(first)", target: .iiod(cuts(from: first))))
        }
        return attacks
    }()

    private static let usual = counted(context(device("iio:device0")))

    /// All that is said in one conversation.
    private static let conversation =
        "0.24.v0.24\n" + usual + String(repeating: counted("1\0"), count: 8)

    @Test func `a hostile iiod is withstood`() throws { try Attack.withstand(Self.iiodAttacks) }

    @Test func `an iiod with hostile words is withstood in every format`() throws {
        let name = Attack.evil.unicodeScalars.map { "&#\($0.value);" }.joined()
        let description = Self.counted(Self.context(Self.device("iio:device0", name: name)))
        try Attack.withstand(
            Attack.inAllFormats(Attack(name: "hostile words", target: .iiod([Self.iiod(description)])))
                + Attack.inAllFormats(
                    Attack(
                        name: "hostile greeting",
                        target: .iiod([
                            {
                                $0.send(Attack.evil + "\n"); $0.wait()
                            }
                        ]))))
    }
}
