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
    ]

    @Test(arguments: subjects)
    func `the answer is that of the opening, and names the layer that refuses`(name: String, layer: String?) throws {
        let lines = try Bench.text("subject-\(name).txt").split(separator: "\n").map { $0.split(separator: " ") }
        let opened = Dictionary(uniqueKeysWithValues: lines.map { (String($0[0]), $0[1] == "ok") })
        let bench = try Bench.case("subject-\(name)")
        let rights = bench.report.authorizations
        #expect(bench.report.rig.subject?.hasPrefix("process ") == true)
        #expect(bench.standing("motion") == (opened["node"] == true ? "met" : "unmet denied"), "\(rights.motion)")
        #expect((rights.location.status == "authorizedAlways") == opened["gpsd"], "\(rights.location)")
        #expect((rights.bluetooth.status == "allowedAlways") == opened["bus"], "\(rights.bluetooth)")
        #expect((layer == nil) == opened["node"])
        if let layer {
            #expect(rights.motion.evidence.contains(layer), "\(rights.motion)")
            #expect(bench.requirement("motion")?.remedy?.isEmpty == false)
        }
        // What the machine has does not depend on who asks.
        #expect(bench.sensors("gyroscope").map(\.availability) == ["available"])
    }
}
