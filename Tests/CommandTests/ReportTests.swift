import Foundation
import Testing

/// The documents of the contract, as another program parses them.
@Suite struct ReportTests {
    private static let services = [
        "driving", "driving.distractionFreeDriving", "driving.drivingBehaviour", "driving.deviceDiscovery", "cycling",
        "walking", "walking.location", "places", "pointsOfInterest", "publicTransport", "impactDetection",
        "assistanceCall", "health",
    ]
    private static let requirements = [
        "location", "preciseLocation", "backgroundLocation", "motion", "gyroscope", "accelerometer", "bluetooth",
        "healthStore", "stepsRead",
    ]

    private func list(_ value: Any?) throws -> [[String: Any]] { try #require(value as? [[String: Any]]) }

    @Test func `the report has every key`() throws {
        let report = try Program.run("--rig", "demo", "--format", "json").document()
        #expect(
            Set(report.keys) == [
                "schema", "version", "takenAt", "rig", "depth", "rules", "wholeSession", "resample", "drivers",
                "sensors", "authorizations", "requirements", "rootCauses", "session", "services", "notices", "accepted",
                "acceptedServices", "exitStatus",
            ])
        #expect(report["schema"] as? String == "rigready.report/1")
        #expect(report["resample"] is NSNull)
        let rig = try #require(report["rig"] as? [String: Any])
        #expect(Set(rig.keys) == ["host", "kernel", "boot", "source", "user"])
        #expect(rig["source"] as? String == "recording")
        for driver in try list(report["drivers"]) {
            #expect(Set(driver.keys) == ["name", "state", "detail", "elapsedMilliseconds"])
        }
        for sensor in try list(report["sensors"]) {
            #expect(
                Set(sensor.keys) == [
                    "key", "kind", "name", "driver", "path", "label", "availability", "access", "detail", "reading",
                ])
        }
        for requirement in try list(report["requirements"]) {
            #expect(
                Set(requirement.keys) == [
                    "id", "standing", "cause", "causes", "rootCause", "decidedBy", "detail", "remedy", "remedies",
                    "evidence",
                ])
            for evidence in try list(requirement["evidence"]) {
                #expect(Set(evidence.keys) == ["sensor", "path", "errno", "said"])
            }
        }
        for service in try list(report["services"]) {
            #expect(
                Set(service.keys) == [
                    "id", "asked", "verdict", "required", "optional", "failures", "warnings", "unknown", "unchecked",
                    "blockedBy",
                ])
        }
    }

    @Test func `services and requirements are in table order`() throws {
        let report = try Program.run("--rig", "demo", "--format", "json").document()
        #expect(try list(report["services"]).map { $0["id"] as? String } == Self.services)
        #expect(try list(report["requirements"]).map { $0["id"] as? String } == Self.requirements)
    }

    @Test func `readings have the keys of their kind`() throws {
        let report = try Program.run("--rig", "demo", "--format", "json").document()
        let keys: [String: Set<String>] = [
            "accelerometer": ["x", "y", "z", "unit"], "gyroscope": ["x", "y", "z", "unit"], "stepCounter": ["steps"],
            "bluetoothAdapter": ["state", "address", "softBlocked", "hardBlocked"],
            "locationReceiver": [
                "fix", "latitude", "longitude", "altitude", "horizontalError", "satellitesUsed", "ageSeconds",
                "simulated",
            ],
        ]
        var kinds: Set<String> = []
        for sensor in try list(report["sensors"]) {
            let kind = try #require(sensor["kind"] as? String)
            kinds.insert(kind)
            let reading = try #require(sensor["reading"] as? [String: Any])
            #expect(Set(reading.keys) == keys[kind])
        }
        #expect(kinds == Set(keys.keys))
    }

    @Test func `the same recording gives the same bytes`() throws {
        func bytes() throws -> String {
            try Program.run("--rig", "demo", "--format", "json").output
                .replacing(#/"elapsedMilliseconds" : [0-9.]+/#, with: "")
        }
        #expect(try bytes() == bytes())
    }

    @Test func `a sub-service adds its parent`() throws {
        let report = try Program.run("--rig", "demo", "--service", "dfd", "--format", "json").document()
        let services = try list(report["services"])
        #expect(services.map { $0["id"] as? String } == ["driving", "driving.distractionFreeDriving"])
        #expect(services.map { $0["asked"] as? Bool } == [false, true])
    }

    @Test func `explain is the report of one service`() throws {
        let report = try Program.run("explain", "impact", "--rig", "demo", "--format", "json").document()
        #expect(report["schema"] as? String == "rigready.report/1")
        #expect(try list(report["services"]).map { $0["id"] as? String } == ["impactDetection"])
    }

    @Test func `the table comes from the rules`() throws {
        func table(_ version: String) throws -> [[String: Any]] {
            let document = try Program.run("services", "--rules", version, "--format", "json").document()
            #expect(document["schema"] as? String == "rigready.services/1")
            return try list(document["services"])
        }
        #expect(try table("2.20").map { $0["id"] as? String } == Self.services)
        #expect(try table("1.x").count == 6)
        let call = try #require(try table("2.3").first { $0["id"] as? String == "assistanceCall" })
        #expect(call["required"] as? [String] == ["location", "preciseLocation"])
        #expect(Set(call.keys) == ["id", "names", "parent", "required", "optional"])
    }

    @Test func `pinning a missing sensor makes it absent`() throws {
        let report = try Program.run("--rig", "demo", "--sensor", "gyroscope=nowhere", "--format", "json").document()
        let gyroscope = try #require(try list(report["requirements"]).first { $0["id"] as? String == "gyroscope" })
        #expect(gyroscope["cause"] as? String == "absent")
        #expect((gyroscope["detail"] as? String)?.contains("nowhere") == true)
    }

    @Test func `the whole-session rule blocks every other`() throws {
        let report = try Program.run(
            "--rig", "demo", "--rules", "1.x", "--sensor", "gyroscope=nowhere", "--format", "json"
        ).document()
        #expect(report["wholeSession"] as? Bool == true)
        let verdicts = try list(report["services"]).map { $0["verdict"] as? String ?? "" }
        #expect(Set(verdicts) == ["fails", "blocked"])
    }

    @Test func `a lower depth shows no reading`() throws {
        let report = try Program.run("--rig", "demo", "--depth", "presence", "--format", "json").document()
        for sensor in try list(report["sensors"]) { #expect(sensor["reading"] is NSNull) }
    }

    @Test func `text is plain and narrow without a terminal`() throws {
        let run = try Program.run("--rig", "demo")
        #expect(!run.output.contains("\u{1b}"))
        for line in run.output.split(separator: "\n") { #expect(line.count <= 100) }
    }
}
