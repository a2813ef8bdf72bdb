import Foundation
import Readiness
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
        #expect(report["version"] as? String == Release.version)
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
            "bluetoothAdapter": ["state", "address", "softBlocked", "hardBlocked", "lowEnergy"],
            "locationReceiver": [
                "fix", "fixKind", "latitude", "longitude", "altitude", "horizontalError", "satellitesUsed",
                "satellitesSeen", "strongestSignal", "antenna", "ageSeconds", "simulated",
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

    @Test func `the session's state is the SDK's`() throws {
        func session(_ words: String...) throws -> [String: Any] {
            let report = try Program.run(["--rig", "demo", "--format", "json"] + words).document()
            let session = try #require(report["session"] as? [String: Any])
            #expect(
                Set(session.keys) == ["state", "reason", "error", "missing", "reach", "failures", "warnings"])
            return session
        }
        func problems(_ session: [String: Any], _ list: String) throws -> [String] {
            try self.list(session[list]).map {
                "\($0["service"] ?? "") \($0["reason"] ?? "") \($0["permissions"] as? [String] ?? [])"
            }
        }
        let all = try session()
        #expect(all["state"] as? String == "running" && all["reach"] as? String == "full")
        #expect(all["reason"] is NSNull && all["error"] is NSNull)
        #expect(try problems(all, "failures") == [] && problems(all, "warnings") == [])

        let some = try session("--sensor", "gyroscope=nowhere", "--service", "dfd", "--licence", "driving")
        #expect(some["state"] as? String == "running")
        #expect(try problems(some, "failures") == ["driving.distractionFreeDriving unauthorized []"])

        try Program.withFile("motion: denied\nbluetooth: denied\n") { grants in
            let words = ["--permissions", grants, "--service", "discovery", "--service", "cycling"]
            let report = try Program.run(["--rig", "demo", "--format", "json"] + words).document()
            let denied = try #require(report["session"] as? [String: Any])
            #expect(try problems(denied, "failures") == ["cycling missingPermission [\"motionActivity\"]"])
            #expect(
                try problems(denied, "warnings") == [
                    "driving missingPermission [\"motionActivity\"]",
                    "driving.deviceDiscovery missingPermission [\"bluetoothScan\"]",
                ])
        }

        // In 1.x one missing requirement puts the session itself into an error.
        let fine = try session("--rules", "1.x")
        #expect(fine["state"] as? String == "running" && fine["reason"] is NSNull)
        let sensors = try session("--rules", "1.x", "--sensor", "gyroscope=nowhere")
        #expect(sensors["state"] as? String == "error" && sensors["reason"] as? String == "sensorsInvalid")
        #expect(sensors["error"] is NSNull && sensors["missing"] as? [String] == ["gyroscope"])
        let unlicensed = try session("--rules", "1.x", "--licence", "driving")
        #expect(unlicensed["state"] as? String == "uninitialized")
        #expect(unlicensed["reason"] as? String == "configMismatch" && unlicensed["reach"] as? String == "off")
        try Program.withFile("location: denied\n") { grants in
            let words = ["--rig", "demo", "--permissions", grants, "--rules", "1.x", "--service", "driving"]
            let report = try Program.run(words + ["--format", "json"]).document()
            let denied = try #require(report["session"] as? [String: Any])
            #expect(denied["error"] as? String == "permissionMissing")
            #expect(denied["reason"] as? String == "locationPermissionMissing")
            let notices = try list(report["notices"]).compactMap { $0["detail"] as? String }
            let error = "the session is in the error permissionMissing, locationPermissionMissing"
            #expect(notices.contains { $0.hasSuffix(error) })
        }
    }

    @Test func `while in use the services run, and a notice names those that do not start by themselves`() throws {
        func check(_ grants: String, _ words: String...) throws -> (notices: [String], verdicts: Set<String>, Int32) {
            try Program.withFile(grants) { grants in
                let run = try Program.run(
                    ["--rig", "demo", "--permissions", grants, "--format", "json"] + words)
                let report = try run.document()
                let notices = try list(report["notices"]).filter { $0["id"] as? String == "noBackgroundStart" }
                return (
                    notices.compactMap { $0["detail"] as? String },
                    Set(try list(report["services"]).compactMap { $0["verdict"] as? String }), run.status
                )
            }
        }
        let use = try check("location: when-in-use\n")
        #expect(use.2 == 0 && use.verdicts == ["runs", "degraded"])
        #expect(use.notices.count == 1)
        #expect(use.notices.first?.contains("only while in use: driving, ") == true)
        #expect(use.notices.first?.contains("places") == true)
        #expect(use.notices.first?.contains("assistance call") == false)
        #expect(try check("location: always\n").notices == [])
        #expect(try check("location: when-in-use\n", "--service", "health").notices == [])
        // What fails anyway is not named.
        let flagged = try check(
            "location: when-in-use\n", "--background-location-mandatory", "--service", "driving", "--service", "places")
        #expect(flagged.2 == 1)
        #expect(flagged.notices.first?.hasSuffix("only while in use: places") == true)
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
