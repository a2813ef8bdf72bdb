import Foundation
import Testing

/// What other processes may use, evaluated from outside: the answers are those of a program that opens the same in their place.
@Suite struct SubjectBenchTests {
    /// The layer that refuses the node, in the words of the report; nil where it opens.
    private static let subjects: [(name: String, layer: String?)] = [
        ("root", nil), ("stranger", "is not in that group"), ("member", nil), ("root-without-capabilities", nil),
        ("reader", nil), ("earlier", "but was not when it started"),
        ("without-nodes", "this machine has the node, but"),
        ("without-network", nil),
        ("own-users", "that is not mapped"), ("without-device", "the device control group"),
        ("apparmor", "the kernel logged: "),
    ]

    /// Units of systemd, each running and not running; the layers that refuse the node, gpsd and bluetoothd.
    private static let units: [(name: String, layer: String?, location: String?, bluetooth: String?)] = [
        ("plain", nil, nil, nil), ("member", nil, nil, nil), ("stranger", "is not in that group", nil, nil),
        ("private", "this machine has the node, but", nil, nil), ("allowed", nil, nil, nil),
        ("closed", "the device control group", nil, nil),
        ("input-only", "the device control group", nil, nil), ("no-capabilities", nil, nil, nil),
        ("unix-only", nil, "a filter of system calls", nil), ("inet-only", nil, nil, "a filter of system calls"),
        ("own-network", nil, "ECONNREFUSED", nil), ("no-bus", nil, nil, "has the socket of the bus, but"),
        ("stubborn", "this machine has the node, but", nil, nil),
    ]

    @Test(arguments: subjects)
    func `the answer is that of the opening, and names the layer that refuses`(name: String, layer: String?) throws {
        let bench = try evaluate("subject-\(name)", layer: layer)
        #expect(bench.report.rig.subject?.hasPrefix("process ") == true)
        if name == "apparmor" {
            let evidence = bench.report.authorizations.motion.evidence
            #expect(evidence.contains("AppArmor denies it (EACCES)"), "\(evidence)")
            for part in ["apparmor=\"DENIED\"", "profile=\"bench\"", "name=\"/dev/iio:device0\""] {
                #expect(evidence.contains(part), "\(evidence)")
            }
        }
    }

    @Test(arguments: units, ["", "-idle"])
    func `a unit may use what its sandbox permits, whether it runs or not`(
        unit: (name: String, layer: String?, location: String?, bluetooth: String?), kind: String
    ) throws {
        let bench = try evaluate("unit-\(unit.name)\(kind)", layer: unit.layer)
        #expect(bench.report.rig.subject == "the unit \(unit.name)\(kind).service")
        let rights = bench.report.authorizations
        for (layer, line) in [(unit.location, rights.location), (unit.bluetooth, rights.bluetooth)] {
            if let layer { #expect(line.evidence.contains(layer), "\(line)") }
        }
    }

    @Test func `all running units are listed, and those that do not run are not`() throws {
        struct Document: Decodable {
            struct Subject: Decodable { var kind, name, user: String? }
            var subjects: [Subject]
        }
        let subjects = try JSONDecoder().decode(Document.self, from: Data(Bench.text("all-units-document.txt").utf8))
            .subjects
        let names = subjects.compactMap(\.name)
        #expect(Set(Self.units.map { "\($0.name).service" }).isSubset(of: names))
        #expect(!names.contains { $0.contains("-idle") || $0.hasPrefix("rigready-") })
        let table = try Bench.text("all-units.txt").split(separator: "\n")
        let stranger = try #require(table.first { $0.contains("stranger.service") })
        #expect(stranger.contains(" stranger ") && stranger.contains("denied"))
    }

    @Test func `fix sets what a unit needs, and takes back what does not help`() throws {
        let text = try Bench.text("fix-closed.txt")
        #expect(try Bench.case("unit-closed-fixed").standing("motion") == "met", "\(text)")
        let files = try Bench.text("fix-files.txt")
        #expect(files.contains("rigready-DeviceAllow.conf"), "\(files)")
        #expect(try Bench.text("fix-stubborn.txt").contains("fix takes it back: "))
        #expect(!files.contains("rigready-PrivateDevices.conf"), "\(files)")
    }

    private func evaluate(_ name: String, layer: String?) throws -> Bench.Case {
        let lines = try Bench.text("\(name).txt").split(separator: "\n").map { $0.split(separator: " ") }
        let opened = Dictionary(uniqueKeysWithValues: lines.map { (String($0[0]), $0[1] == "ok") })
        let bench = try Bench.case(name)
        let rights = bench.report.authorizations
        let mayReadMotion = opened["node"] == true || opened["input"] == true
        #expect(bench.standing("motion") == (mayReadMotion ? "met" : "unmet denied"), "\(rights.motion)")
        for sensor in bench.sensors("gyroscope") {
            let node = sensor.name == "bmi160" ? "node" : "input"
            #expect(sensor.access == (opened[node] == true ? "readable" : "denied"), "\(sensor)")
        }
        #expect((rights.location.status == "authorizedAlways") == opened["gpsd"], "\(rights.location)")
        #expect((rights.bluetooth.status == "allowedAlways") == opened["bus"], "\(rights.bluetooth)")
        #expect((layer == nil) == opened["node"])
        if let layer, !mayReadMotion {
            #expect(rights.motion.evidence.contains(layer), "\(rights.motion)")
            #expect(bench.requirement("motion")?.remedy?.isEmpty == false)
        }
        // What the machine has does not depend on who asks.
        #expect(bench.sensors("gyroscope").map(\.availability) == ["available", "available"])
        return bench
    }
}
