import LocalRig
import Readiness
import Support
import Testing

@Suite("Manifests")
struct ManifestTests {
    static let everything = """
        rules: 2.14
        sensors:
          - key: i2c-1/1-0068
            kind: gyroscope
            name: mpu6050
          - {kind: gyroscope, count: 2}
        services: [driving, dfd]
        """

    private static func read(_ text: String) throws(ConfigurationError) -> Baseline {
        try Baseline(manifest: Array(text.utf8), file: "rig.yaml")
    }

    @Test func `every key is read`() throws {
        let manifest = try Self.read(Self.everything)
        #expect(manifest.origin == .manifest)
        #expect(manifest.sensors == [.init(kind: .gyroscope, key: "i2c-1/1-0068", name: "mpu6050")])
        #expect(manifest.counts == [.gyroscope: 2])
        #expect(manifest.services == [.driving: .runs, .distractionFreeDriving: .runs])
        #expect(manifest.rules == RulesVersion("2.14"))
        // A sub-service needs no parent here.
        #expect(try Self.read("services: [dfd]").asked == ServiceSet(.distractionFreeDriving))
        #expect(try Self.read("services: []").sensors == nil)
        #expect(try Self.read("{\"sensors\": []}").sensors == [])
    }

    @Test(arguments: [
        ("", "1:1: expected a manifest with sensors or services, found nothing"),
        ("rules: 2.14", "1:1: expected sensors or services in a manifest, found neither"),
        ("- a", "1:1: expected a mapping of keys of a manifest, found a list"),
        ("sensor: []", "1:1: expected one of the keys of a manifest, found \"sensor\" (did you mean \"sensors\"?)"),
        ("sensors: {}", "1:10: expected a list of sensors, found a mapping"),
        ("sensors: [a]", "1:11: expected a mapping of keys of a sensor, found \"a\""),
        (
            "sensors:\n  - kind: gyroscop\n    count: 1",
            "2:11: expected a kind of sensor, found \"gyroscop\" (did you mean \"gyroscope\"?)"
        ),
        ("sensors: [{key: a}]", "1:11: expected kind in the entry of a sensor, found none"),
        ("sensors: [{kind: gyroscope}]", "1:11: expected key or count with kind, found neither"),
        (
            "sensors: [{kind: gyroscope, count: 1, key: a}]",
            "1:39: expected either count or key, found \"key\" with count"
        ),
        (
            "sensors: [{kind: gyroscope, count: 1, name: a}]",
            "1:39: expected either count or key, found \"name\" with count"
        ),
        (
            "sensors: [{kind: gyroscope, count: 0}]",
            "1:36: expected a whole number from 1 to 1000, found \"0\""
        ),
        (
            "sensors: [{kind: gyroscope, count: 1.5}]",
            "1:36: expected a whole number from 1 to 1000, found \"1.5\""
        ),
        ("sensors: [{kind: gyroscope, key: }]", "1:34: expected the key of a sensor, found nothing"),
        (
            "sensors:\n- {kind: gyroscope, key: a}\n- {key: a, kind: gyroscope}",
            "3:3: expected each sensor once, found it again (first in line 2)"
        ),
        (
            "sensors:\n- {kind: gyroscope, count: 1}\n- {kind: gyroscope, count: 2}",
            "3:3: expected each sensor once, found it again (first in line 2)"
        ),
        ("services: [drivng]", "1:12: expected a service name, found \"drivng\" (did you mean \"driving\"?)"),
        (
            "rules: 2.0\nservices: [health]",
            "2:12: expected a service of rules 2.0, found \"health\" (since 2.14)"
        ),
        (
            "services: []\nrules: 3",
            "2:8: expected a version such as 1.x or 2.14, found \"3\""
        ),
    ])
    func `an invalid manifest is refused with its place and a suggestion`(text: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) { try Self.read(text) }
        #expect(error?.description == "rig.yaml:" + message)
    }

    @Test(arguments: [
        "bmi160", "00:11:22:33:44:55", "null", "a\"b\\c", "a: b # c", " - x", "tab\tline\nend\u{0}", "\u{7f}\u{85}",
        "µ²", "日本", "📡", "\u{feff}\u{fffe}\u{2028}\u{202e}", "e\u{301}",
    ])
    func `a written manifest reads back equal for any device name`(name: String) throws {
        let manifest = Baseline(
            .manifest, sensors: [.init(kind: .gyroscope, key: name + "/1", name: name)],
            services: [.places: .runs, .walkingLocation: .runs], asked: [.init(.places), .init(.walkingLocation)],
            rules: Rules.newest.profile)
        #expect(try Self.read(manifest.manifest()) == manifest)
    }

    @Test func `an empty manifest reads back equal`() throws {
        let manifest = Baseline(.manifest, sensors: [], asked: [], rules: nil)
        #expect(try Self.read(manifest.manifest()) == manifest)
    }

    @Test func `damage gives a manifest that reads back equal or one line with a place, and never a crash`() throws {
        let seeds = [
            Self.everything, "sensors: [{kind: gyroscope, count: 3}]\n", "sensors: []\nservices: [dfd]\n",
            "{\"sensors\": [{\"key\": \"a\", \"kind\": \"stepCounter\"}], \"services\": [\"places\"], \"rules\": \"2.4\"}",
        ].map { Array($0.utf8) }
        var read = 0
        var refused = 0
        for mutant in Mutations(of: seeds, count: 10_000) {
            let manifest: Baseline
            do throws(ConfigurationError) {
                manifest = try Baseline(manifest: mutant, file: "rig.yaml")
            } catch {
                refused += 1
                #expect(error.description.hasPrefix("rig.yaml:"))
                #expect(!error.description.contains { $0.isNewline })
                #expect((1...mutant.count + 1).contains(error.line ?? 0), "\(mutant)")
                #expect((1...mutant.count + 1).contains(error.column ?? 0), "\(mutant)")
                continue
            }
            read += 1
            #expect(manifest.counts.values.allSatisfy { (1...1000).contains($0) })
            let again = try? Self.read(manifest.manifest())
            #expect(again?.sensors == manifest.sensors ?? [])
            #expect(again?.services == manifest.services)
        }
        #expect(read > 100)
        #expect(refused > 100)
    }
}
