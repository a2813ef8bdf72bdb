import Foundation
import Support
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
        let table = Bench.results.appending(path: "benchmarks.table")
        let run = Bench.root.appending(path: "Benchmarks/run").path
        let process = try ChildProcess(
            [run, "--json", "--kept", Bench.results.path], output: .file(table.path),
            errors: .descriptor(STDERR_FILENO))
        #expect(process.wait() == .exit(0))
        let ratios = try JSONDecoder().decode(Table.self, from: Data(contentsOf: table)).rows.reduce(into: [:]) {
            $0[$1.id] = $1.ratio
        }
        for row in [
            "check.wall.floor", "check.cpu.peers", "device.wall.floor", "device.cpu.libiio", "slow.probe.12",
            "slow.wall.1", "slow.event", "end.stuck",
        ] {
            #expect((ratios[row] ?? 0) > 0, "\(row)")
        }
        // A size, which the emulator does not change: half as much again as the tools that it replaces.
        #expect((ratios["memory.check"] ?? 2) < 1.6)
    }
}
