import DriverKit
import DriverTesting
import Linux
import Pedometer
import LocalRig
import Readiness

/// Probes the step counter of HOST:PORT, waits for its next change, and prints an anonymous recording of the first probe.
func check(_ peer: HostPort) throws {
    let driver = PedometerDriver(at: peer)
    let live = LiveWorld(drivers: [driver])
    let recorder = Recorder()
    let recorded = Probe([DriverBinding(driver, in: RecordingWorld(live, of: driver.name, to: recorder))])
    tell("found", try recorded.inventory(depth: .sample, limit: ProbeLimit(.seconds(2))))

    let watch = try InventoryWatch(
        Probe([DriverBinding(driver, in: live)]), depth: .sample, limit: ProbeLimit(.seconds(2)))
    let deadline = Instant.now.advanced(bySeconds: 4)
    while let inventory = try watch.next(until: deadline) { tell("watched", inventory) }
    watch.end()

    let header = Recording.Header(
        version: "0", takenAt: "", host: "bench", kernel: "", boot: "", user: "root", uid: 0, drivers: [driver.name],
        depth: .sample, gpsd: "", iio: [], timeout: 2, waitFix: 0, criteria: FixCriteria())
    let recording = Recording(header: header, from: recorder)
    let anonymous = recording.anonymized(by: [driver.anonymizer].compactMap(\.self))
    print(String(decoding: anonymous.serialized(), as: UTF8.self))
    let replay = Probe([DriverBinding(driver, in: ReplayWorld(anonymous, of: driver.name))])
    tell("replayed", try replay.inventory(depth: .sample, limit: ProbeLimit(.seconds(2))))
}

func tell(_ what: String, _ inventory: Inventory) {
    for sensor in inventory.sensors {
        if case .steps(let count) = sensor.reading { print("\(what): \(sensor.key) \(count) steps") }
        if sensor.availability != .available { print("\(what): \(sensor.availability.id) \(sensor.detail ?? "")") }
    }
    for obstacle in inventory.obstacles { print("\(what): \(obstacle.cause.id) \(obstacle.detail)") }
}

/// Whether the driver keeps the contract of every driver.
func checkContract() {
    let contract = DriverContract(
        PedometerDriver(at: HostPort(host: "127.0.0.1", port: 7777)),
        in: [
            "a step counter": { ScriptedWorld(["WHO": "PEDOMETER serial=SN1 owner=Anna\n", "COUNT": "4711\n"]) },
            "another peer": { ScriptedWorld(["WHO": "220 mail.example.org\n"]) },
        ])
    let violations = contract.run()
    print(violations.isEmpty ? "the contract is kept" : violations.joined(separator: "\n"))
}

if let peer = CommandLine.arguments.dropFirst().first.flatMap({ HostPort($0, defaultPort: 7777) }) {
    try check(peer)
} else {
    checkContract()
}
