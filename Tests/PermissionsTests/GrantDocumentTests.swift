import LocalRig
import Readiness
import Support
import Testing

/// The grant file and the policy file, as people write them.
@Suite struct GrantDocumentTests {
    private func grants(_ text: String) throws(ConfigurationError) -> Grants {
        try Grants(parsing: Array(text.utf8), file: "g.yaml")
    }

    private func policy(_ text: String) throws(ConfigurationError) -> Policy {
        try Policy(parsing: Array(text.utf8), file: "p.yaml")
    }

    @Test func `a file may be YAML or JSON`() throws {
        let expected = Grants(
            file: "g.yaml", location: LocationGrant(.always), motion: .allowed, bluetooth: .denied,
            health: .notDetermined)
        #expect(
            try grants("location: always\nmotion: allowed\nbluetooth: denied\nhealth: not-determined\n") == expected)
        #expect(
            try grants(
                #"{"location": "always", "motion": "allowed", "bluetooth": "denied", "health": "not-determined"}"#)
                == expected)
        let limits = Policy(file: "p.yaml", restricted: [.motion], isWhenInUseAtMost: true, isReduced: true)
        #expect(try policy("motion: restricted\nlocation: {maximum: when-in-use, accuracy: reduced}\n") == limits)
        #expect(
            try policy(#"{"location":{"accuracy":"reduced","maximum":"when-in-use"},"motion":"restricted"}"#) == limits)
    }

    @Test(arguments: ["", "# nothing\n", "~", "null", "{}"])
    func `an empty file decides nothing`(text: String) throws {
        #expect(try grants(text) == Grants(file: "g.yaml"))
        #expect(try policy(text) == Policy(file: "p.yaml"))
    }

    @Test func `every word of a policy is read`() throws {
        #expect(try policy("location: restricted").restricted == [.location])
        #expect(try policy("location: allowed") == Policy(file: "p.yaml"))
        #expect(try policy("location: {}") == Policy(file: "p.yaml"))
        #expect(try policy("location: {maximum: always, accuracy: full}") == Policy(file: "p.yaml"))
        let all = try policy("location: restricted\nmotion: restricted\nbluetooth: restricted\nhealth: restricted\n")
        #expect(all.restricted == Set(Permission.allCases))
        #expect(try policy("motion: allowed\nbluetooth: allowed\nhealth: allowed\n") == Policy(file: "p.yaml"))
    }

    @Test func `everything that dialogs leave behind is read`() throws {
        let read = try grants(
            """
            location:
              status: always
              accuracy: reduced
              once: {boot: b, session: "3"}
              provisional: {boot: c}
              usedOutside: true
              askedForAlways: true
              fullAccuracy: {purpose: way, boot: d, until: 12.5}
            """)
        var expected = LocationGrant(.always, isReduced: true, once: Validity(boot: "b", session: "3"))
        expected.provisional = Validity(boot: "c")
        expected.wasUsedOutside = true
        expected.wasAskedForAlways = true
        expected.fullAccuracy = .init(purpose: "way", lifetime: Validity(boot: "d", until: 12.5))
        #expect(read.location == expected)
    }

    @Test(arguments: [
        (
            "location: allways",
            "1:11: expected not-determined, denied, when-in-use or always, found \"allways\" (did you mean \"always\"?)"
        ),
        (
            "motion: alowed",
            "1:9: expected allowed, denied or not-determined, found \"alowed\" (did you mean \"allowed\"?)"
        ),
        (
            "\nbluetooth:\n  granted",
            "3:3: expected allowed, denied or not-determined, found \"granted\""
        ),
        ("health: yes", "1:9: expected allowed, denied or not-determined, found \"yes\""),
        ("health:", "1:8: expected allowed, denied or not-determined, found nothing"),
        ("health: {status: allowed}", "1:9: expected allowed, denied or not-determined, found a mapping"),
        ("motion: always", "1:9: expected allowed, denied or not-determined, found \"always\""),
        ("locaton: always", "1:1: expected one of the permissions, found \"locaton\" (did you mean \"location\"?)"),
        ("[location]", "1:1: expected a mapping of permissions, found a list"),
        ("always", "1:1: expected a mapping of permissions, found \"always\""),
        ("location: [always]", "1:11: expected not-determined, denied, when-in-use or always, found a list"),
        ("location: {accuracy: full}", "1:11: expected a status"),
        (
            "location: {status: always, acuracy: full}",
            "1:28: expected one of the keys of a location grant, found \"acuracy\" (did you mean \"accuracy\"?)"
        ),
        (
            "location: {status: always, accuracy: coarse}",
            "1:38: expected full or reduced, found \"coarse\""
        ),
        ("location: {status: restricted}", "1:20: expected not-determined, denied, when-in-use or always"),
        (
            "location: {status: always, usedOutside: yes}",
            "1:41: expected true or false, found \"yes\" (did you mean \"true\"?)"
        ),
        ("location: {status: always, askedForAlways: 1}", "1:44: expected true or false, found \"1\""),
        ("location: {status: when-in-use, once: true}", "1:39: expected a mapping of keys of a lifetime"),
        ("location: {status: when-in-use, once: {session: x}}", "1:39: expected a boot"),
        ("location: {status: when-in-use, once: {boot: }}", "1:46: expected a boot's identifier, found nothing"),
        (
            "location: {status: when-in-use, once: {boot: b, untill: 3}}",
            "1:49: expected one of the keys of a lifetime, found \"untill\" (did you mean \"until\"?)"
        ),
        (
            "location: {status: always, provisional: {boot: b, until: .inf}}",
            "1:58: expected seconds since the boot, found \".inf\""
        ),
        ("location: {status: always, fullAccuracy: {boot: b}}", "1:42: expected a purpose"),
        ("location: {status: always, fullAccuracy: {purpose: p}}", "1:42: expected a boot"),
        ("motion: denied\nmotion: denied", "2:1: expected each key once"),
        ("motion: &a denied", "1:9: expected a value, found an anchor"),
        ("motion: denied\n---\nmotion: denied", "2:1: expected one document, found a second"),
    ])
    func `what a grant file may not say is refused`(text: String, expected: String) {
        let error = #expect(throws: ConfigurationError.self) { try grants(text) }
        #expect(error?.description.hasPrefix("g.yaml:" + expected) == true, "\(String(describing: error))")
    }

    @Test(arguments: [
        (
            "motion: restrictd",
            "1:9: expected allowed or restricted, found \"restrictd\" (did you mean \"restricted\"?)"
        ),
        ("motion: denied", "1:9: expected allowed or restricted, found \"denied\""),
        ("health: {maximum: always}", "1:9: expected allowed or restricted, found a mapping"),
        ("location: when-in-use", "1:11: expected allowed or restricted, found \"when-in-use\""),
        (
            "location:\n  maximum: when-in-us",
            "2:12: expected always or when-in-use, found \"when-in-us\" (did you mean \"when-in-use\"?)"
        ),
        (
            "location: {maximun: always}",
            "1:12: expected one of the limits of location, found \"maximun\" (did you mean \"maximum\"?)"
        ),
        ("location: {accuracy: low}", "1:22: expected full or reduced, found \"low\""),
        ("location: {status: always}", "1:12: expected one of the limits of location, found \"status\""),
        ("{motion: restricted, motion: allowed}", "1:22: expected each key once"),
    ])
    func `what a policy may not say is refused`(text: String, expected: String) {
        let error = #expect(throws: ConfigurationError.self) { try policy(text) }
        #expect(error?.description.hasPrefix("p.yaml:" + expected) == true, "\(String(describing: error))")
    }

    // MARK: Round trips

    @Test func `every shape reads back equal`() throws {
        for location in [nil] + Sample.locationGrants.map(Optional.init) {
            for decision in [nil] + PermissionDecision.allCases.map(Optional.init) {
                let written = Grants(
                    file: "g.yaml", location: location, motion: decision, bluetooth: decision, health: decision)
                #expect(try grants(written.text) == written)
            }
        }
    }

    @Test func `hostile text reads back equal`() throws {
        var random = Random(state: 7)
        for _ in 0..<3_000 {
            let written = random.grants()
            let read = try grants(written.text)
            guard read == written else {
                Issue.record("\(written.text)")
                return
            }
        }
    }

    // MARK: Damage

    @Test func `damage gives a record or one line with a place, and never a crash`() throws {
        let seeds = [
            "location: always\nmotion: allowed\nbluetooth: denied\nhealth: not-determined\n",
            Grants(location: Sample.locationGrants[7], motion: .denied).text,
            #"{"location": {"status": "when-in-use", "once": {"boot": "b", "session": "3", "until": 1e3}}}"#,
            "motion: restricted\nlocation:\n  maximum: when-in-use\n  accuracy: reduced\n",
        ].map { Array($0.utf8) }
        var read = 0
        var refused = 0
        for mutant in Mutations(of: seeds, count: 6_000) {
            do {
                let grants = try Grants(parsing: mutant, file: "g.yaml")
                read += 1
                let again = try? Grants(parsing: Array(grants.text.utf8), file: "g.yaml")
                #expect(again == grants)
            } catch {
                refused += 1
                #expect(isOnePlace(error, in: mutant))
            }
            do {
                _ = try Policy(parsing: mutant, file: "g.yaml")
            } catch {
                #expect(isOnePlace(error, in: mutant))
            }
        }
        #expect(read > 100 && refused > 100)
    }

    private func isOnePlace(_ error: ConfigurationError, in bytes: [UInt8]) -> Bool {
        let places = 1...bytes.count + 1
        return error.description.hasPrefix("g.yaml:") && !error.description.contains { $0.isNewline }
            && places.contains(error.line ?? 0) && places.contains(error.column ?? 0)
    }
}

/// Seeded grants with unexpected text.
private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }

    mutating func text() -> String {
        let pieces = [
            "", "~", "null", "true", "\"", "'", "\\", "\n", "\r\n", "\t", ": ", "#", " #", "- ", "{", "}", "[", "]",
            ",",
            "&a", "*a", "!!str", "|", ">", "%", "@", "`", "\u{0}", "\u{1b}", "\u{7f}", "\u{85}", "\u{a0}", "\u{2028}",
            "\u{feff}", "\u{fffe}", "\u{ffff}", "\u{10ffff}", "🛰", "e\u{301}", "\u{202e}", "word", "---", "...", "  ",
        ]
        return (0..<Int.random(in: 0...6, using: &self)).map { _ in pieces.randomElement(using: &self) ?? "" }.joined()
    }

    mutating func lifetime() -> Validity {
        Validity(
            boot: text(), session: Bool.random(using: &self) ? text() : nil,
            until: Bool.random(using: &self) ? Double.random(in: -1e12...1e12, using: &self) : nil)
    }

    mutating func grants() -> Grants {
        func maybe<Value>(_ value: Value) -> Value? { Bool.random(using: &self) ? value : nil }
        var location = LocationGrant(
            LocationDecision.allCases.randomElement(using: &self) ?? .always,
            isReduced: Bool.random(using: &self))
        location.once = maybe(lifetime())
        location.provisional = maybe(lifetime())
        location.wasUsedOutside = Bool.random(using: &self)
        location.wasAskedForAlways = Bool.random(using: &self)
        location.fullAccuracy = maybe(.init(purpose: text(), lifetime: lifetime()))
        let decisions = PermissionDecision.allCases
        return Grants(
            file: "g.yaml", location: maybe(location), motion: maybe(decisions.randomElement(using: &self) ?? .denied),
            bluetooth: maybe(.allowed), health: maybe(.notDetermined))
    }
}
