import Testing

/// What a user may do, step by step, on real nodes with real users, groups and access control lists.
@Suite struct PermissionBenchTests {
    private static let services = ["driving", "walking", "cycling", "impactDetection", "driving.deviceDiscovery"]

    /// The verdicts of five services, in that order, and the status of some requirements.
    private func expect(
        _ step: String, _ verdicts: String, _ standings: [String: String], notice: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let bench = try Bench.case("permissions-\(step)")
        #expect(
            Self.services.map(bench.verdict).joined(separator: " ") == verdicts, sourceLocation: sourceLocation)
        for (requirement, standing) in standings {
            #expect(bench.standing(requirement) == standing, "\(requirement)", sourceLocation: sourceLocation)
        }
        if let notice {
            #expect(bench.report.notices.contains { $0.id == notice }, sourceLocation: sourceLocation)
        } else {
            #expect(!bench.report.notices.contains { $0.id == "foregroundOnly" }, sourceLocation: sourceLocation)
        }
        // Hardware does not become absent because a user may not use it.
        #expect(bench.sensors("gyroscope").map(\.availability) == ["available"], sourceLocation: sourceLocation)
    }

    @Test func `motion follows the nodes`() throws {
        try expect("motion-none", "degraded fails fails degraded runs", ["motion": "unmet denied", "location": "met"])
        try expect("motion-group", "runs runs runs runs runs", ["motion": "met"])
        try expect("motion-seat", "runs runs runs runs runs", ["motion": "met"], notice: "foregroundOnly")
        try expect("motion-revoked", "degraded fails fails degraded runs", ["motion": "unmet denied"])
    }

    @Test func `motion reports who decided`() throws {
        func motion(_ step: String) throws -> Bench.Report.Authorization {
            try Bench.case("permissions-\(step)").report.authorizations.motion
        }
        #expect(try motion("motion-none").from == "access")
        #expect(try motion("motion-none").evidence.contains("/dev/iio:device0: rw------- 0:0"))
        #expect(try motion("motion-group").evidence.contains("rw-rw---- 0:950, readable by group 950"))
        #expect(try motion("motion-seat").evidence.contains("by the access control entry of user 1003 alone"))
        #expect(try motion("motion-revoked").from == "grant")
    }

    @Test(arguments: ["none", "group", "seat"])
    func `root gets the same result for another user`(step: String) throws {
        let own = try Bench.case("permissions-motion-\(step)")
        let told = try Bench.case("permissions-motion-\(step)-by-root")
        #expect(told.report.authorizations.motion.status == own.report.authorizations.motion.status)
        #expect(told.report.authorizations.motion.evidence == own.report.authorizations.motion.evidence)
        #expect(told.sensors("gyroscope").map(\.access) == own.sensors("gyroscope").map(\.access))
        #expect(Self.services.map(told.verdict) == Self.services.map(own.verdict))
    }

    @Test func `a command that root is given is for that user`() throws {
        let own = try #require(try Bench.case("permissions-motion-none").requirement("motion")?.remedy)
        let told = try #require(try Bench.case("permissions-motion-none-by-root").requirement("motion")?.remedy)
        #expect(own.contains("$(id -un)") && told.contains("$(id -un 1003)"))
    }

    @Test func `location follows the decisions`() throws {
        try expect(
            "location-always", "runs runs runs runs runs",
            ["location": "met", "preciseLocation": "met", "backgroundLocation": "met"], notice: "foregroundOnly")
        try expect(
            "location-denied", "fails degraded fails fails blocked",
            ["location": "unmet denied", "preciseLocation": "unmet denied", "backgroundLocation": "unmet denied"],
            notice: "foregroundOnly")
        try expect(
            "location-in-use", "degraded degraded degraded degraded runs",
            ["location": "met", "preciseLocation": "met", "backgroundLocation": "unmet foregroundOnly"],
            notice: "foregroundOnly")
        try expect(
            "location-reduced", "fails runs fails fails blocked",
            ["location": "met", "preciseLocation": "unmet reducedAccuracy", "backgroundLocation": "met"],
            notice: "foregroundOnly")
        try expect(
            "location-restricted", "fails degraded fails fails blocked", ["location": "unmet restricted"],
            notice: "foregroundOnly")
        try expect(
            "location-in-use-at-most", "fails degraded fails fails blocked",
            ["preciseLocation": "unmet reducedAccuracy", "backgroundLocation": "unmet foregroundOnly"],
            notice: "foregroundOnly")
        try expect(
            "location-once", "degraded degraded degraded degraded runs", ["backgroundLocation": "unmet foregroundOnly"],
            notice: "foregroundOnly")
        try expect(
            "location-lapsed", "fails degraded fails fails blocked", ["location": "unmet notDetermined"],
            notice: "foregroundOnly")
    }

    @Test func `access that ends with the seat is reported`() throws {
        #expect(try Bench.case("seat").report.notices.map(\.id) == ["foregroundOnly", "noBackgroundStart"])
        #expect(try Bench.case("mode").report.notices.map(\.id) == ["noBackgroundStart"])
        #expect(try Bench.case("seat-stranger").standing("motion") == "unmet denied")
    }

    @Test func `positions follow the decisions`() throws {
        func reading(_ step: String) throws -> Bench.Report.Reading? {
            try Bench.case("permissions-location-\(step)").sensors("locationReceiver").first?.reading
        }
        let exact = try #require(try reading("always")?.latitude)
        for step in ["denied", "restricted", "lapsed"] { #expect(try reading(step)?.latitude == nil) }
        #expect(try reading("reduced")?.latitude == (exact * 10).rounded() / 10)
    }

    @Test func `undetermined Bluetooth is not probed`() throws {
        try expect(
            "bluetooth-undetermined", "fails degraded fails fails blocked", ["bluetooth": "unchecked notDetermined"],
            notice: "foregroundOnly")
    }
}
