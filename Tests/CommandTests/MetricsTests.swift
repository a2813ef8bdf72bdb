import Foundation
import LocalRig
import Readiness
import Rendering
import Support
import Testing
@testable import rigready

/// The metrics for Prometheus, read by its own tools.
@Suite struct MetricsTests {
    private static let names = [
        "rigready_changes_total", "rigready_info", "rigready_report_timestamp_seconds", "rigready_requirement_status",
        "rigready_sensor_available", "rigready_service_verdict",
    ]

    /// The samples of a text, by series.
    private func samples(_ text: String) -> [Substring: Substring] {
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let pairs = lines.compactMap { line in
            line.lastIndex(of: " ").map { (line[..<$0], line[line.index(after: $0)...]) }
        }
        return Dictionary(pairs) { first, _ in
            Issue.record("a series is there twice")
            return first
        }
    }

    private func promtool(_ words: String..., input: String = "", in folder: URL? = nil) throws -> Tool.Run {
        let program = try Tool.path("promtool", package: "prometheus")
        return try Tool.run(program, words, input: input, in: folder)
    }

    @Test(arguments: ["demo", "field-kit", "prototype-board"])
    func `promtool finds nothing wrong with the metrics of a rig`(rig: String) throws {
        for changes in [nil, 7] {
            let text = PrometheusMetrics(try LocalRig(recording: rig).assess(), changes: changes).text
            let run = try promtool("check", "metrics", input: text)
            #expect(run.status == 0)
            #expect(run.complaints + run.output == "")
        }
    }

    @Test func `promtool would find a name that is against the conventions`() throws {
        let text = PrometheusMetrics(try LocalRig(recording: "demo").assess(), changes: 7).text
        for wrong in [text.replacing("_changes_total", with: "_changes"), text.replacing("\"} 1", with: "} 1")] {
            #expect(try promtool("check", "metrics", input: wrong).status != 0)
        }
    }

    @Test func `each service has one verdict, each requirement one status, each sensor its cause`() throws {
        let assessment = try LocalRig(recording: "field-kit").assess()
        let samples = samples(PrometheusMetrics(assessment).text)
        for service in assessment.services {
            for verdict in Verdict.allCases {
                let series = "rigready_service_verdict{service=\"\(service.id)\",verdict=\"\(verdict.id)\"}"
                #expect(samples[series[...]] == (service.verdict == verdict ? "1" : "0"))
            }
        }
        for result in assessment.requirements {
            let of = samples.filter { $0.key.contains("requirement=\"\(result.id)\"") }
            #expect(of.count == 4)
            let status = "status=\"\(result.status.rawValue)\""
            #expect(of.filter { $0.key.contains(status) }.map(\.value) == ["1"])
        }
        #expect(samples["rigready_sensor_available{kind=\"accelerometer\",key=\"i2c-0/0-0019\",cause=\"\"}"] == "1")
        let controller = "kind=\"bluetoothAdapter\",key=\"00:AA:01:00:00:00\",cause=\"softBlocked\""
        #expect(samples["rigready_sensor_available{\(controller)}"] == "0")
        #expect(samples["rigready_info{version=\"\(Release.version)\",rules=\"2.14\"}"] == "1")
        // 2026-11-28T10:33:55.090Z
        #expect(samples["rigready_report_timestamp_seconds"] == "1795862035.090")
        #expect(samples["rigready_changes_total"] == nil)
        let watched = PrometheusMetrics(assessment, changes: 3).text
        #expect(watched.hasSuffix("\nrigready_changes_total 3\n"))
        #expect(!watched.contains("latitude") && !watched.contains("52."))
    }

    @Test func `a service whose findings are accepted counts apart, as in the exit status`() throws {
        let accept = "accept: [{id: location.noFix, reason: no sky in the lab, until: 2026-12-31}]\n"
        try Program.withFile(accept) { configuration in
            let file = configuration + ".prom"
            let run = try Program.run(
                "--rig", "field-kit", "--service", "places,impact", "--config", configuration, "--metrics", file)
            #expect(run.status == 1)
            let samples = samples(try String(contentsOfFile: file, encoding: .utf8))
            let verdicts = samples.filter { $0.key.hasPrefix("rigready_service_verdict") && $0.value == "1" }
            #expect(
                Set(verdicts.keys) == [
                    "rigready_service_verdict{service=\"places\",verdict=\"accepted\"}",
                    "rigready_service_verdict{service=\"impactDetection\",verdict=\"fails\"}",
                ])
        }
    }

    @Test func `equal assessments are equal texts, and every family has its help and type`() throws {
        let rig = try LocalRig(recording: "demo")
        let inventory = try rig.assess().inventory
        var turned = inventory
        turned.sensors.reverse()
        let text = PrometheusMetrics(rig.evaluate(inventory), changes: 0).text
        #expect(text == PrometheusMetrics(rig.evaluate(inventory), changes: 0).text)
        let helped = text.matches(of: #/(?m)^# HELP ([a-z_]+) [A-Z1].+[.]\n# TYPE ([a-z_]+) (gauge|counter)$/#)
        #expect(helped.map { String($0.1) }.sorted() == Self.names)
        #expect(helped.allSatisfy { $0.1 == $0.2 })
        #expect(helped.filter { $0.3 == "counter" }.map(\.1) == ["rigready_changes_total"])
    }

    @Test(
        arguments: [
            ("1970-01-01T00:00:00.000Z", 0), ("2000-02-29T12:00:00.500Z", 951_825_600.5),
            ("2026-11-24T21:30:00.007Z", 1_795_555_800.007), ("2100-03-01T00:00:00.000Z", 4_107_542_400),
            ("1969-12-31T23:59:59.000Z", -1), ("2016-12-31T23:59:60.000Z", 1_483_228_800),
            ("2026-02-29T00:00:00.000Z", nil), ("2026-11-24T24:00:00.000Z", nil), ("2026-11-24 21:30:00.007Z", nil),
            ("2026-11-24T21:30:00.007z", nil), ("2026-11-24T21:3٠:0.007Z", nil), ("2026-11-24T21:30:00Z", nil),
            ("", nil),
        ] as [(String, Double?)])
    func `only a time as reports have it is a time`(text: String, seconds: Double?) {
        #expect(text.secondsSinceEpoch == seconds)
    }

    // MARK: node_exporter

    /// The real exporter on a folder, and what it serves of our metrics and of itself.
    private func withExporter(of folder: URL, _ body: (_ scrape: () throws -> String) throws -> Void) throws {
        let exporter = try Tool.path("prometheus-node-exporter", package: "prometheus-node-exporter")
        let python = try Tool.path("python3", package: "python3")
        try Tool.withFolder { scratch in
            let port = try RunningGPSD.freePort()
            let program = try RunningProgram(
                [
                    "--collector.disable-defaults", "--collector.textfile",
                    "--collector.textfile.directory=\(folder.path)", "--web.listen-address=127.0.0.1:\(port)",
                ], program: exporter, named: "exporter", in: scratch)
            defer { program.end(SIGKILL) }
            let get = "import sys, urllib.request as r; print(r.urlopen(sys.argv[1], timeout=30).read().decode())"
            func scrape() throws -> String {
                try Tool.run(python, ["-c", get, "http://127.0.0.1:\(port)/metrics"]).output
            }
            #expect(try RunningProgram.wait { try !scrape().isEmpty || !program.isRunning }, "\(program.text)")
            try body(scrape)
        }
    }

    private func ours(_ text: String) -> Set<String> {
        Set(text.split(separator: "\n").filter { $0.hasPrefix("rigready_") }.map(String.init))
    }

    @Test func `node_exporter serves what a watch keeps, through a link, until the watch ends`() throws {
        try Tool.withFolder { folder in
            let (kept, place) = (folder.appending(path: "run"), folder.appending(path: "node-exporter"))
            for folder in [kept, place] {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            }
            let (file, grants) = (kept.appending(path: "rigready.prom"), kept.appending(path: "grants.yaml"))
            try FileManager.default.createSymbolicLink(
                at: place.appending(path: "rigready.prom"), withDestinationURL: file)
            try Data("motion: allowed\n".utf8).write(to: grants)
            let watch = try RunningProgram(
                ["watch", "--rig", "demo", "--permissions", grants.path, "--metrics", file.path], named: "watch",
                in: folder)
            #expect(RunningProgram.wait { FileManager.default.fileExists(atPath: file.path) }, "\(watch.text)")
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o644)
            try withExporter(of: place) { scrape in
                let first = try scrape()
                #expect(first.contains("node_textfile_scrape_error 0\n"))
                #expect(first.contains("node_textfile_mtime_seconds{file=\"\(place.path)/rigready.prom\"}"))
                let text = try String(contentsOf: file, encoding: .utf8)
                #expect(first.contains("rigready_requirement_status{requirement=\"motion\",status=\"met\"} 1\n"))
                // node_exporter sorts labels and leaves an empty one as it is, so values are compared by their number.
                #expect(ours(first).count == ours(text).count && ours(text).count > 100)
                #expect(first.contains("rigready_changes_total 0\n"))
                try Data("motion: denied\n".utf8).write(to: grants, options: .atomic)
                let changed = "rigready_requirement_status{requirement=\"motion\",status=\"unmet\"} 1\n"
                #expect(try RunningProgram.wait { try scrape().contains(changed) })
                #expect(try scrape().contains("rigready_changes_total 1\n"))
                #expect(try scrape().contains("# TYPE rigready_changes_total counter\n"))
                watch.end(SIGTERM)
                #expect(!FileManager.default.fileExists(atPath: file.path))
                let last = try scrape()
                #expect(ours(last) == [] && last.contains("node_textfile_scrape_error 1\n"))
            }
        }
    }

    @Test func `node_exporter reads the metrics of a rig with hostile names whole`() throws {
        let rig = try LocalRig(recording: "demo")
        var inventory = try rig.assess().inventory
        let keys = [
            "a\"b", "a\\", "\\n", "a\nb", "a b", "\u{1b}[2Ja", "[2Ja", "} 1", "é🛰", "", "\u{202e}",
            String(repeating: "k", count: 5000) + "1", String(repeating: "k", count: 5000) + "2", "x#2", "x", "\u{7}x",
        ]
        inventory.sensors = keys.map { key in
            Sensor(key: key, kind: .gyroscope, name: "n", driver: "iio", availability: .unavailable(.faulty))
        }
        let text = PrometheusMetrics(rig.evaluate(inventory), changes: 1).text
        #expect(text.utf8.count < 32_000)
        #expect(!text.unicodeScalars.contains { $0.actsOnTerminal && $0 != "\n" })
        try Tool.withFolder { folder in
            try Data(text.utf8).write(to: folder.appending(path: "rigready.prom"))
            try withExporter(of: folder) { scrape in
                let served = try scrape()
                #expect(served.contains("node_textfile_scrape_error 0\n"))
                let sensors = served.split(separator: "\n").filter { $0.hasPrefix("rigready_sensor_available") }
                #expect(sensors.count == keys.count)
                for key in ["\"a\\\"b\"", "\"a\\\\\"", "\"\\\\n\"", "\"} 1\"", "\"é🛰\"", "\"x\"", "\"x#2\"", "\"x#3\""]
                {
                    #expect(sensors.contains { $0.contains("key=" + key) }, "\(key)")
                }
            }
        }
    }

    // MARK: The file

    @Test func `a check writes its metrics beside its report`() throws {
        try Tool.withFolder { folder in
            let file = folder.appending(path: "rig.prom")
            let run = try Program.run("--rig", "field-kit", "--metrics", file.path, "--format", "json")
            #expect(run.status == 1)
            #expect(try run.document()["schema"] as? String == "rigready.report/1")
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text == PrometheusMetrics(try LocalRig(recording: "field-kit").assess()).text)
            let failing = try Program.run("--rig", "demo", "--metrics", "/nonexistent/rig.prom")
            #expect(failing.status == 73)
            #expect(failing.complaints.contains("/nonexistent/rig.prom: No such file or directory"))
            #expect(failing.output.contains("all 13 services run"))
        }
    }

    @Test(.waits) func `a watch confirms its file, writes it again if it is gone, and replaces only a regular one`()
        throws
    {
        try Tool.withFolder { folder in
            let file = folder.appending(path: "rig.prom")
            let watch = try RunningProgram(
                ["watch", "--rig", "demo", "--metrics", file.path], named: "watch", in: folder)
            func written() -> Date? {
                (try? FileManager.default.attributesOfItem(atPath: file.path))?[.modificationDate] as? Date
            }
            #expect(RunningProgram.wait { written() != nil })
            let first = try #require(written())
            #expect(RunningProgram.wait { written().map { $0 > first } ?? false })
            try FileManager.default.removeItem(at: file)
            #expect(RunningProgram.wait { written() != nil })
            #expect(watch.end(SIGTERM) == 0)

            let victim = folder.appending(path: "victim")
            let link = folder.appending(path: "link")
            try Data("mine".utf8).write(to: victim)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: victim)
            for place in [link, folder] {
                let run = try Program.run("watch", "--rig", "demo", "--for", "5", "--metrics", place.path)
                #expect(run.status == 73)
                #expect(run.complaints.contains("expected a regular file, or none, to keep metrics in"))
            }
            #expect(try String(contentsOf: victim, encoding: .utf8) == "mine")
        }
    }

    @Test func `another's file in its place is neither confirmed nor removed`() throws {
        try Tool.withFolder { folder in
            let file = folder.appending(path: "rig.prom")
            let kept = KeptFile(file.path, for: "metrics", mode: 0o644)
            #expect(!kept.confirm())
            try kept.replace(with: "ours")
            #expect(kept.confirm())
            try Data("other".utf8).write(to: file, options: .atomic)
            #expect(!kept.confirm())
            kept.remove()
            #expect(try String(contentsOf: file, encoding: .utf8) == "other")
            try kept.replace(with: "ours")
            kept.remove()
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
    }

    // MARK: Examples/prometheus

    private let example = Tool.repository.appending(path: "Examples/prometheus")

    @Test func `the alert rules of the example are valid, and alert on what they say`() throws {
        let checked = try promtool("check", "rules", "rigready.rules.yml", in: example)
        #expect(checked.status == 0, "\(checked.complaints)")
        #expect(checked.output.contains("SUCCESS: 6 rules found"))
        let tested = try promtool("test", "rules", "rigready.test.yml", in: example)
        #expect(tested.status == 0, "\(tested.output)\(tested.complaints)")
        // Every alert is tested.
        let rules = try String(contentsOf: example.appending(path: "rigready.rules.yml"), encoding: .utf8)
        let tests = try String(contentsOf: example.appending(path: "rigready.test.yml"), encoding: .utf8)
        for alert in rules.matches(of: #/alert: (\w+)/#) {
            #expect(tests.contains("alertname: \(alert.1)\n"), "\(alert.1)")
        }
    }

    @Test func `the board asks only for metrics that there are, in valid queries`() throws {
        let data = try Data(contentsOf: example.appending(path: "dashboard.json"))
        let board = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let panels = try #require(board["panels"] as? [[String: Any]])
        #expect(Set(panels.compactMap { $0["id"] as? Int }).count == panels.count && panels.count == 8)
        var rules = "groups:\n- name: board\n  rules:\n"
        for panel in panels {
            for target in panel["targets"] as? [[String: Any]] ?? [] {
                let query = try #require(target["expr"] as? String)
                for name in query.matches(of: #/[a-z]+_[a-z_]+(?=[{ ]|$)/#) {
                    #expect((Self.names + ["node_textfile_mtime_seconds"]).contains(String(name.0)), "\(name.0)")
                }
                let quoted = query.replacing("$instance", with: ".*").replacing("'", with: "''")
                rules += "  - record: board:query:\(rules.utf8.count)\n    expr: '\(quoted)'\n"
            }
        }
        try Program.withFile(rules) { file in
            let run = try promtool("check", "rules", file)
            #expect(run.status == 0, "\(run.complaints)\(run.output)")
        }
    }
}
