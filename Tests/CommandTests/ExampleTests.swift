import Foundation
import Testing

/// The recipes of `Examples`, run with the tools that they are written for.
@Suite struct ExampleTests {
    private let examples = Tool.repository.appending(path: "Examples")

    private func pytest(_ rig: String, _ words: String...) throws -> Tool.Run {
        let python = try Tool.python(with: ["pytest": "python3-pytest"])
        return try Tool.run(
            python, ["-B", "-m", "pytest", "-rs", "-p", "no:cacheprovider", "--color=no"] + words,
            environment: [
                "RIGREADY": "\(Program.url.path) \(rig)", "COLUMNS": "400", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            ],
            in: examples.appending(path: "pytest"))
    }

    @Test func `a ready rig skips nothing`() throws {
        let run = try pytest("--rig demo")
        #expect(run.status == 0)
        #expect(run.output.contains("4 passed in"))
    }

    @Test func `what the rig lacks is skipped with the reason`() throws {
        let run = try pytest("--rig demo --sensor gyroscope=nowhere --sensor bluetoothAdapter=none")
        #expect(run.status == 0)
        #expect(run.output.contains("2 passed, 2 skipped in"))
        #expect(
            run.output.contains(
                "impactDetection fails: gyroscope: absent (the pinned gyroscope nowhere was not found) -> pin one that was found"
            ))
        #expect(run.output.contains("driving.deviceDiscovery degraded: bluetooth: absent"))
    }

    @Test func `a required rig fails instead`() throws {
        let run = try pytest("--rig demo --sensor gyroscope=nowhere", "--rig-required")
        #expect(run.status == 1)
        #expect(run.output.contains("3 passed, 1 error in"))
        #expect(run.output.contains("impactDetection fails: gyroscope: absent"))
    }

    @Test func `an indeterminate result is skipped as such`() throws {
        let run = try pytest("--rig demo --gpsd example.org:99")
        #expect(run.status == 0)
        #expect(run.output.contains("impactDetection undetermined: location: indeterminate"))
    }

    @Test func `a name that the report lacks is an error`() throws {
        let run = try pytest("--rig demo --rules 1.x")
        #expect(run.status == 1)
        #expect(run.output.contains("no service or requirement 'impact'"))
    }

    @Test func `a missing report ends the session`() throws {
        let run = try pytest("--rig /no/such/file")
        #expect(run.status == 3)
        #expect(run.output.contains("status 66"))
        #expect(!run.output.contains("skipped"))
    }

    /// The job's lines, run as GitLab's runner does: by one shell, which stops at the first failure.
    private func job(_ name: String, rig: String) throws -> (script: Tool.Run, files: [String], report: String) {
        let python = try Tool.python(with: ["yaml": "python3-yaml"])
        let shell = try Tool.path("bash", package: "bash")
        let file = examples.appending(path: "gitlab-ci/.gitlab-ci.yml").path
        let parsed = try Tool.run(
            python, ["-c", "import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))", file])
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(parsed.output.utf8)) as? [String: Any], "\(parsed.complaints)")
        let job = try #require(document[name] as? [String: Any])
        #expect((document["stages"] as? [String])?.contains(job["stage"] as? String ?? "") == true)
        let known: Set = ["stage", "tags", "script", "artifacts", "needs"]
        #expect(Set(job.keys).subtracting(known) == [])
        let artifacts = try #require(job["artifacts"] as? [String: Any])
        #expect(artifacts["when"] as? String == "always")
        let report = try #require((artifacts["reports"] as? [String: Any])?["junit"] as? String)
        #expect(report.hasSuffix(".xml"))
        return try Tool.withFolder { folder in
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "Examples"), withDestinationURL: examples)
            func run(_ key: String) throws -> Tool.Run? {
                try (job[key] as? [String]).map { lines in
                    try Tool.run(
                        shell, ["-eo", "pipefail", "-c", lines.joined(separator: "\n")],
                        environment: [
                            "RIGREADY": "\(Program.url.path) \(rig)", "PYTHONDONTWRITEBYTECODE": "1",
                            "PYTEST_ADDOPTS": "-p no:cacheprovider",
                        ], in: folder)
                }
            }
            let script = try #require(try run("script"))
            let files = try (artifacts["paths"] as? [String] ?? []).map { name in
                let place = folder.appending(path: name)
                guard name.hasSuffix(".html") else {
                    return try Program.run("--rig", place.path, "--service", "dfd").output
                }
                return try String(contentsOf: place, encoding: .utf8)
            }
            return (script, files, try String(contentsOf: folder.appending(path: report), encoding: .utf8))
        }
    }

    @Test func `the job passes on a ready rig`() throws {
        let job = try job("rig", rig: "--rig demo")
        #expect(job.script.status == 0)
        #expect(try JUnitFile(job.report).counts == ["tests": 13, "failures": 0, "errors": 0, "skipped": 12])
        #expect(job.script.output.contains("distraction-free driving"))
        try #require(job.files.count == 2)
        #expect(job.files[0].contains("</html>") && job.files[0].contains("distraction-free driving"))
        #expect(job.files[1] == job.script.output)
    }

    @Test func `the job fails and reports on another`() throws {
        let job = try job("rig", rig: "--rig demo --sensor gyroscope=nowhere")
        #expect(job.script.status == 1)
        #expect(try JUnitFile(job.report).named("driving.distractionFreeDriving").result == "failure")
        #expect(job.files.first?.contains("distraction-free driving fails") == true)
    }

    @Test func `the second job runs the recipe`() throws {
        _ = try Tool.python(with: ["pytest": "python3-pytest"])
        let job = try job("drive", rig: "--rig demo")
        #expect(job.script.status == 0)
        #expect(job.report.contains("tests=\"4\""))
    }

    private func tags(_ input: String, _ words: String...) throws -> Tool.Run {
        let python = try Tool.path("python3", package: "python3")
        return try Tool.run(python, [examples.appending(path: "labgrid/rig-tags").path] + words, input: input)
    }

    @Test func `tags are valid for labgrid`() throws {
        for rig in [[], ["--sensor", "gyroscope=nowhere"], ["--gpsd", "example.org:99"], ["--licence", "walking"]] {
            let report = try Program.run(["--rig", "demo", "--format", "json"] + rig)
            let run = try tags(report.output)
            #expect(run.status == 0)
            let lines = run.output.split(separator: "\n")
            #expect(lines.count == 23)
            // labgrid requires keys of [a-z][a-z0-9_]+ and values of [a-z0-9_], and splits at the only equals sign.
            for line in lines { #expect(line.wholeMatch(of: #/[a-z][a-z0-9_]+=[a-z0-9_]+/#) != nil, "\(line)") }
            #expect(Set(lines.map { $0.prefix { $0 != "=" } }).count == lines.count)
        }
    }

    @Test func `tags name the services that run`() throws {
        let words = ["--rig", "demo", "--format", "json", "--sensor"]
        let failing = try tags(try Program.run(words + ["gyroscope=nowhere"]).output).output
        #expect(failing.contains("rig_ready=no\n"))
        #expect(failing.contains("rig_driving_distraction_free_driving=fails\n"))
        #expect(failing.contains("rig_driving_device_discovery=runs\n"))
        #expect(failing.contains("rig_gyroscope=unmet\n"))
        let degraded = try Program.run(words + ["bluetoothAdapter=none"]).output
        #expect(try tags(degraded).output.contains("rig_driving_device_discovery=runs\n"))
        #expect(try tags(degraded, "--strict").output.contains("rig_driving_device_discovery=degraded\n"))
    }

    @Test(arguments: ["", "[]", "{}", "{\"schema\": \"rigready.sensors/1\"}", "{\"schema\": \"rigready.report/1\"}"])
    func `an invalid report gives no tag`(input: String) throws {
        let run = try tags(input)
        #expect(run.status == 66)
        #expect(run.output == "")
        #expect(run.complaints.hasPrefix("rig-tags: "))
    }
}
