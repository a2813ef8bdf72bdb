import Foundation
import Testing

/// The benchmark rows of the runs in the machine: that they exist, not their times.
@Suite struct BenchmarkTests {
    private struct Table: Decodable {
        struct Row: Decodable {
            let id: String
            let ratio: Double?
        }
        let rows: [Row]
    }

    @Test func `the runs in the machine make a table`() throws {
        _ = try Bench.cases.get()
        let process = Process()
        process.executableURL = Bench.root.appending(path: "Benchmarks/run")
        process.arguments = ["--json", "--kept", Bench.results.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let text = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let ratios = try JSONDecoder().decode(Table.self, from: text).rows.reduce(into: [:]) { $0[$1.id] = $1.ratio }
        for row in [
            "check.wall.floor", "check.cpu.peers", "device.wall.floor", "device.cpu.libiio", "slow.probe.12",
            "slow.wall.1", "slow.event", "end.stuck",
        ] {
            #expect((ratios[row] ?? 0) > 0, "\(row)")
        }
        // A size, which the emulator does not change.
        #expect((ratios["memory.check"] ?? 2) < 1)
    }
}
