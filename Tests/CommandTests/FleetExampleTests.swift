import Foundation
import Support
import Rendering
import Testing

/// Examples/fleet with real brokers, and what Home Assistant is told.
@Suite struct FleetExampleTests {
    /// Runs the example, and gives what it left of its processes and files.
    private func fleet(_ words: String...) throws -> (run: Tool.Run, left: [String]) {
        let bash = try Tool.path("bash", package: "bash")
        let nats = words.contains("--nats")
        let broker = nats ? "/usr/sbin/nats-server" : "/usr/sbin/mosquitto"
        if !FileManager.default.isExecutableFile(atPath: broker) { try Test.cancel("needs \(broker)") }
        return try Tool.withFolder { folder in
            // A mark in the environment of everything that it starts.
            let script = Tool.repository.appending(path: "Examples/fleet/fleet").path
            let run = try Tool.run(
                bash, [script] + words,
                environment: [
                    "RIGREADY": Program.url.path, "TMPDIR": folder.path, "RIGREADY_EXAMPLE": folder.lastPathComponent,
                ], limit: 300)
            var left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            for process in try FileManager.default.contentsOfDirectory(atPath: "/proc") where Int(process) != nil {
                let environment = try? Data(contentsOf: URL(filePath: "/proc/\(process)/environ"))
                if let environment, environment.range(of: Data(folder.lastPathComponent.utf8)) != nil {
                    left.append("process \(process)")
                }
            }
            return (run, left)
        }
    }

    /// The fleet's lines without what differs from run to run: the port, how long ago each was seen, and the spaces for it.
    private func timeless(_ text: String) -> [String] {
        text.split(separator: "\n").map {
            String($0).replacing(/127\.0\.0\.1:\d+/, with: "127.0.0.1:1883").replacing(#/ {2}\d+ s\b/#, with: "  0 s")
                .replacing(#/offline +\d+ s/#, with: "offline").replacing(#/ {2,}/#, with: "  ").replacing(
                    #/ +$/#, with: "")
        }
    }

    @Test func `one command shows a dozen rigs, and leaves nothing; README shows the same`() throws {
        let (run, left) = try fleet("--service", "impact")
        #expect(run.status == 0, "\(run.complaints)")
        #expect(left == [])
        let lines = timeless(run.output)
        #expect(lines.first?.contains("12 rigs, 11 online") == true, "\(run.output)")
        let readme = try String(contentsOf: Tool.repository.appending(path: "README.md"), encoding: .utf8)
        let block = try #require(readme.split(separator: "$ Examples/fleet/fleet --service impact\n").dropFirst().first)
        let shown = timeless(String(block.prefix { $0 != "`" }))
        #expect(shown.count > 5 && ConsoleSample.matches(lines, shown[...]), "\(run.output)")
    }

    @Test(.waits) func `the same on three nodes of NATS, with the fleet's own options`() throws {
        let (run, left) = try fleet("--nats", "--once", "--service", "impact", "--format", "json")
        #expect(run.status == 0, "\(run.complaints)")
        #expect(left == [])
        let rigs = try #require(try run.document()["rigs"] as? [[String: Any]])
        #expect(rigs.count == 12)
        let runs = rigs.filter { rig in
            (rig["services"] as? [[String: String]])?.contains { $0 == ["id": "impactDetection", "verdict": "runs"] }
                == true
        }
        #expect(
            runs.compactMap { $0["name"] as? String } == ["bench-01", "bench-02", "bench-03", "bench-04", "bench-07"])
    }

    @Test func `a word that the fleet does not take ends it in order`() throws {
        let (run, left) = try fleet("--servise", "impact")
        #expect(run.status == 64)
        #expect(left == [])
    }

    // MARK: Home Assistant

    /// What a broker keeps, by topic.
    private func retained(_ filter: String, at broker: String, in folder: URL) throws -> [String: String] {
        let parts = broker.split(separator: ":").map(String.init)
        let place = ["-h", parts[0], "-p", parts[1]]
        // What is kept for one filter comes before what is kept for the next.
        let fence = "fence \(UUID().uuidString)"
        let publish = try Tool.path("mosquitto_pub", package: "mosquitto-clients")
        #expect(try Tool.run(publish, place + ["-r", "-t", "fence", "-m", "\(fence.dropFirst(6))"]).status == 0)
        let subscriber = try RunningProgram(
            place + ["-t", filter, "-t", "fence", "-F", "%t %p"],
            program: try Tool.path("mosquitto_sub", package: "mosquitto-clients"), named: "subscriber", in: folder)
        #expect(RunningProgram.wait { subscriber.text.contains(fence + "\n") })
        subscriber.end(SIGKILL)
        let lines = subscriber.text.split(separator: "\n").prefix { $0 != fence }
        return lines.reduce(into: [:]) { topics, line in
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            topics[words[0]] = words.last
        }
    }

    @Test func `Home Assistant is told of the rig on request, in its own format`() throws {
        try Tool.withFolder { folder in
            let broker = "127.0.0.1:\(try RunningGPSD.freePort())"
            let mosquitto = try RunningProgram.mosquitto(at: broker, in: folder)
            defer { mosquitto.end(SIGKILL) }
            let watch = ["watch", "--rig", "demo", "--publish", "mqtt://\(broker)", "--name", "bench-07"]
            var rig = try RunningProgram(watch, named: "rig", in: folder)
            #expect(RunningProgram.wait { rig.text.contains("publishing as bench-07") }, "\(rig.text)")
            #expect(try retained("homeassistant/#", at: broker, in: folder) == [:])
            rig.end(SIGTERM)
            rig = try RunningProgram(watch + ["--home-assistant"], named: "rig", in: folder)
            #expect(RunningProgram.wait { rig.text.contains("publishing as bench-07") }, "\(rig.text)")
            let told = try retained("homeassistant/#", at: broker, in: folder)
            #expect(told.keys.sorted() == ["homeassistant/device/rigready-bench-07/config"])
            // Home Assistant, MQTT: Discovery topic: <discovery_prefix>/device/<object_id>/config.
            let message = try #require(told.first?.value)
            let payload = try #require(
                try JSONSerialization.jsonObject(with: Data(message.utf8)) as? [String: Any])
            // Device discovery payload: device, components and origin are required, and the origin's name is.
            #expect(payload.keys.sorted() == ["components", "device", "origin"])
            let device = try #require(payload["device"] as? [String: Any])
            #expect(device.keys.sorted() == ["identifiers", "manufacturer", "model", "name", "sw_version"])
            #expect(device["identifiers"] as? [String] == ["rigready-bench-07"])
            let origin = try #require(payload["origin"] as? [String: String])
            #expect(origin.keys.sorted() == ["name", "sw_version"] && origin["name"] == "rigready")
            let components = try #require(payload["components"] as? [String: [String: Any]])
            #expect(components.count == 15)
            let kept = try retained("rigready/bench-07/#", at: broker, in: folder)
            var identifiers: Set<String> = []
            for (key, component) in components {
                #expect(key.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil)
                // Each needs its platform and a unique identifier; keys of the two platforms, with their default words.
                let platform = try #require(component["platform"] as? String)
                let known: Set = [
                    "platform", "name", "unique_id", "state_topic", "device_class", "payload_on", "payload_off",
                    "availability_topic", "expire_after", "entity_category",
                ]
                #expect(Set(component.keys).subtracting(known) == [])
                #expect(identifiers.insert(try #require(component["unique_id"] as? String)).inserted)
                let topic = try #require(component["state_topic"] as? String)
                let value = try #require(kept[topic], "\(topic) is not published")
                if platform == "binary_sensor" {
                    #expect(["connectivity", "running"].contains(component["device_class"] as? String))
                    #expect([component["payload_on"], component["payload_off"]].contains { $0 as? String == value })
                } else {
                    #expect(platform == "sensor" && component["device_class"] as? String == "timestamp")
                    #expect(value.secondsSinceEpoch != nil)
                }
                if let topic = component["availability_topic"] as? String { #expect(kept[topic] == "online") }
            }
            #expect(
                components["driving-deviceDiscovery"]?["state_topic"] as? String
                    == "rigready/bench-07/run/driving/deviceDiscovery")
            // It stays while the rig is offline, and goes with what else is kept of the rig.
            rig.end(SIGTERM)
            #expect(try retained("homeassistant/#", at: broker, in: folder).count == 1)
            let forgotten = try Program.run("fleet", "--broker", "mqtt://\(broker)", "--forget", "bench-07")
            #expect(forgotten.status == 0, "\(forgotten.complaints)")
            #expect(try retained("homeassistant/#", at: broker, in: folder) == [:])
            #expect(try retained("rigready/#", at: broker, in: folder) == [:])
            #expect(try Program.run("watch", "--rig", "demo", "--home-assistant").status == 64)
        }
    }
}
