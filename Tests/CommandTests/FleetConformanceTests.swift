import Foundation
import Support
import Testing

/// The short form of `Tests/Fleet/conformance`: the program beside a real mosquitto, and beside three real nats-servers.
@Suite struct FleetConformanceTests {
    @Test(.waits, arguments: ["mosquitto", "nats"])
    func `a fleet is the same on every broker`(broker: String) throws {
        let python = try Tool.path("python3", package: "python3")
        for (program, package) in [("mosquitto", "mosquitto"), ("nats-server", "nats-server")] {
            let places = ["/usr/sbin/\(program)", "/usr/bin/\(program)"]
            if !places.contains(where: FileManager.default.isExecutableFile) { try Test.cancel("needs \(package)") }
        }
        _ = try Tool.path("openssl", package: "openssl")
        _ = try Tool.path("cc", package: "gcc")
        let run = try Tool.run(
            python,
            [
                "-B", Tool.repository.appending(path: "Tests/Fleet/conformance").path, "--short", "--broker", broker,
                "--program", Program.url.path,
            ], limit: 900)
        #expect(run.status == 0, "\(run.output) \(run.complaints)")
        // Every check of the short form says that it is done.
        #expect(run.output.split(separator: "\n").count { $0.lowercased().hasPrefix(broker) } == 12, "\(run.output)")
    }
}
