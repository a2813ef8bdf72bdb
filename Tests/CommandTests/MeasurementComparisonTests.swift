import Foundation
import Testing

/// `compare` of two measurements: documents of `measure --format json`, and recordings that hold a capture.
@Suite struct MeasurementComparisonTests {
    /// The measurement of the recorded rig.
    private func document() throws -> String {
        try Program.run("measure", "--rig", MeasureCommandTests.recording, "--format", "json").output
    }

    /// The measurement with other values: each sensor is passed to a closure, and left out where it returns nil.
    private func changed(_ change: (inout [String: Any]) -> Bool) throws -> String {
        var document = try #require(JSONSerialization.jsonObject(with: Data(document().utf8)) as? [String: Any])
        let sensors = try #require(document["sensors"] as? [[String: Any]])
        document["sensors"] = sensors.compactMap { sensor in
            var sensor = sensor
            return change(&sensor) ? sensor : nil
        }
        return String(decoding: try JSONSerialization.data(withJSONObject: document), as: UTF8.self)
    }

    private func isHub(_ sensor: [String: Any]) -> Bool { sensor["name"] as? String == "accel_3d" }

    /// The findings of one measurement since another one, as `id kind property`, and the status.
    private func compare(_ before: String, _ after: String) throws -> (lines: [String], status: Int32) {
        try Program.withFile(before, ending: "json") { before in
            try Program.withFile(after, ending: "json") { after in
                let run = try Program.run("compare", before, after, "--format", "json")
                #expect(run.complaints == "")
                let document = try run.document()
                #expect(document["schema"] as? String == "rigready.comparison/1")
                #expect(document["exitStatus"] as? Int == Int(run.status))
                let findings = try #require(document["findings"] as? [[String: Any]])
                return (
                    findings.map { finding in
                        ["id", "kind", "property"].compactMap { finding[$0] as? String }.joined(separator: " ")
                    }, run.status
                )
            }
        }
    }

    @Test func `a measurement is as good as itself, its recording and a copy of that`() throws {
        let document = try document()
        let (lines, status) = try compare(document, document)
        #expect(lines == [] && status == 0)
        try Program.withFile(document, ending: "json") { file in
            for words in [
                [file, MeasureCommandTests.recording], [MeasureCommandTests.recording, file],
                [file, "--rig", MeasureCommandTests.recording],
                [MeasureCommandTests.recording, MeasureCommandTests.recording],
            ] {
                let run = try Program.run(["compare"] + words)
                #expect(run.status == 0 && run.output.contains("as expected"), "\(words): \(run.complaints)")
            }
        }
    }

    @Test func `the embedded demo is compared by its capture`() throws {
        let document = try Program.run("measure", "--rig", "demo", "--format", "json").output
        try Program.withFile(document, ending: "json") { file in
            for words in [[file, "demo"], ["demo", file], [file, "--rig", "demo"]] {
                let run = try Program.run(["compare"] + words)
                #expect(run.status == 0 && run.output.contains("as expected"), "\(words): \(run.complaints)")
            }
        }
    }

    /// A document that was written before these keys were added.
    @Test func `an older document is read`() throws {
        let added: Set<String> = [
            "clock", "spreadUncertainty", "relativeUncertainty", "biasInstability", "biasInstabilityUncertainty",
            "magnitudeUncertainty", "rangeSource", "stuckRuns", "clippedRuns", "mountMatrix", "agreement", "hadFix",
            "cep50Uncertainty", "radius95Uncertainty", "twoDRMSUncertainty", "clockDifferenceUncertainty",
            "answer50Uncertainty", "answer99Uncertainty", "speed", "speedUncertainty", "moving", "jumps",
            "horizontalErrorUncertainty", "satellitesUsedUncertainty", "satellitesSeenUncertainty",
            "horizontalDilutionUncertainty", "carrierToNoiseUncertainty", "greatestRange", "greatestRate",
        ]
        var seen: Set<String> = []
        let old = try changed { sensor in
            if let jitter = sensor["jitter"] as? [String: Any] {
                seen.formUnion(jitter.keys)
                sensor["jitter"] = jitter.filter { !added.contains($0.key) }
            }
            seen.formUnion(sensor.keys)
            sensor = sensor.filter { !added.contains($0.key) }
            return true
        }
        #expect(seen.isSuperset(of: added))
        #expect(try compare(old, document()).lines == [])
    }

    @Test(arguments: [(2.0, ["worse accelerometer noise"]), (1.9, [])])
    func `noise is worse from twice on`(factor: Double, lines: [String]) throws {
        let after = try changed { sensor in
            guard isHub(sensor) else { return true }
            for key in ["standardDeviation", "noiseDensity"] {
                sensor[key] = (sensor[key] as? [String: Double] ?? [:]).mapValues { $0 * factor }
            }
            return true
        }
        #expect(try compare(document(), after).lines == lines)
    }

    @Test func `a lost rate, doubled noise and a sensor that is gone are worse, and better the other way round`() throws
    {
        let before = try document()
        let after = try changed { sensor in
            guard isHub(sensor) else { return sensor["kind"] as? String != "gyroscope" }
            sensor["rate"] = ["value": 12.5, "uncertainty": 0.1]
            for key in ["standardDeviation", "noiseDensity"] {
                let axes = sensor[key] as? [String: Double] ?? [:]
                sensor[key] = axes.mapValues { $0 * 2.5 }
            }
            return true
        }
        let (lines, status) = try compare(before, after)
        #expect(
            lines == [
                "missing gyroscope", "missing gyroscope", "worse accelerometer rate", "worse accelerometer noise",
            ])
        #expect(status == 1)
        let back = try compare(after, before)
        #expect(
            back.lines == [
                "new gyroscope", "new gyroscope", "better accelerometer rate", "better accelerometer noise",
            ])
        #expect(back.status == 0)
    }

    @Test func `noise is compared beyond its uncertainty alone`() throws {
        let after = try changed { sensor in
            guard isHub(sensor) else { return true }
            for key in ["standardDeviation", "noiseDensity"] {
                sensor[key] = (sensor[key] as? [String: Double] ?? [:]).mapValues { $0 * 2.5 }
                sensor["\(key)Uncertainty"] = ["x": NSNull(), "y": NSNull(), "z": NSNull()]
            }
            return true
        }
        #expect(try compare(document(), after).lines == [])
    }

    @Test func `a verdict says why it is worse, and what cannot be determined any more is unknown`() throws {
        let bad = try changed { sensor in
            guard isHub(sensor) else { return true }
            sensor["verdict"] = "bad"
            sensor["findings"] = [
                ["id": "gravity", "severity": "bad", "detail": "off by a lot", "source": "a book", "remedies": []]
            ]
            return true
        }
        try Program.withFile(document(), ending: "json") { before in
            try Program.withFile(bad, ending: "json") { after in
                let text = try Program.run("compare", before, after)
                #expect(text.status == 1 && text.output.contains("verdict: undetermined → bad"), "\(text.output)")
                #expect(text.output.contains("off by a lot"))
                for line in text.output.split(separator: "\n") { #expect(line.count <= 100) }
                let file = try JUnitFile(Program.run("compare", before, after, "--format", "junit").output)
                #expect(file.cases.count == 6 && file.cases.count { $0.result == "failure" } == 1)
                #expect(file.cases.allSatisfy { $0.className == "rigready.compare" })
                let tap = try TAPFile(Program.run("compare", before, after, "--format", "tap").output)
                #expect(tap.errors == [] && tap.planned == 6)
            }
        }
        let untold = try changed { sensor in
            guard isHub(sensor) else { return true }
            sensor["rate"] = NSNull()
            sensor["gaps"] = NSNull()
            sensor["way"] = "attributes"
            sensor["wayDetail"] = "it has no trigger"
            return true
        }
        let (lines, status) = try compare(document(), untold)
        #expect(lines == ["unknown accelerometer rate"] && status == 2)
    }

    @Test func `a measurement beside something else is refused with one line`() throws {
        let report = try Program.run("--rig", "demo", "--format", "json").output
        try Program.withFile(document(), ending: "json") { measured in
            try Program.withFile(report, ending: "json") { report in
                try Program.withFile("sensors: []\n") { manifest in
                    let stray = "expected a measurement, because the other file is a measurement; found a report"
                    for (words, status, complaint) in [
                        ([measured, report], 66, stray), ([report, measured], 66, stray),
                        ([manifest, measured], 66, "found a manifest"),
                        ([measured, "field-kit"], 66, "field-kit: expected a recording with a capture"),
                        ([measured], 64, "is a measurement, and compare does not capture: rigready measure"),
                        ([measured, measured, "--rig", "demo"], 64, "not both"),
                        ([measured, measured, "--service", "dfd"], 64, "compared whole"),
                        ([measured, measured, "--write", "/no/such/file"], 64, "compared whole"),
                        ([measured, measured, "--sensor", "gyroscope=a"], 64, "compared whole"),
                    ] {
                        let run = try Program.run(["compare"] + words)
                        #expect(run.status == status && run.output == "", "\(words): \(run.complaints)")
                        #expect(run.complaints.contains(complaint), "\(run.complaints)")
                        #expect(run.complaints.split(separator: "\n").count == 1)
                    }
                }
            }
        }
    }

    @Test(arguments: [
        (
            "kind", "gyroscpe" as any Sendable,
            "sensors[0].kind: expected a kind of sensor, found \"gyroscpe\" (did you mean"
        ),
        ("way", "bufer", "sensors[0].way: expected a way of measuring, found \"bufer\""),
        ("verdict", "splendid", ", as its findings say, found \"splendid\""),
        ("rate", ["uncertainty": 1], "sensors[0].rate: \"value\" is missing"),
        (
            "findings",
            [["id": "x", "severity": "bad", "detail": "", "remedies": [String]()] as [String: any Sendable]],
            "sensors[0].findings[0].id: expected a finding, found \"x\""
        ),
    ])
    func `an invalid measurement exits with 66`(key: String, value: any Sendable, complaint: String) throws {
        var isFirst = true
        let text = try changed { sensor in
            if isFirst { sensor[key] = value }
            isFirst = false
            return true
        }
        try Program.withFile(text, ending: "json") { file in
            let run = try Program.run("compare", file, MeasureCommandTests.recording)
            #expect(run.status == 66 && run.output == "" && run.complaints.contains(complaint), "\(run.complaints)")
            #expect(run.complaints.hasPrefix("rigready: \(file): "))
        }
    }
}
