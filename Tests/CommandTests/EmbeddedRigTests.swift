import Foundation
import Testing

/// The recordings that are embedded in the program.
@Suite struct EmbeddedRigTests {
    /// Requirements' status and causes.
    private func standings(_ name: String) throws -> (standings: [String: String], status: Int32) {
        let run = try Program.run("--rig", name, "--format", "json")
        #expect(run.complaints == "")
        let lines = try #require(try run.document()["requirements"] as? [[String: Any]])
        let pairs = lines.map { line in
            let words = [line["standing"], line["cause"]].compactMap { $0 as? String }
            return (line["id"] as? String ?? "", words.joined(separator: " "))
        }
        return (Dictionary(uniqueKeysWithValues: pairs), run.status)
    }

    private func verdicts(_ name: String) throws -> [String: String] {
        let document = try Program.run("--rig", name, "--format", "json").document()
        let lines = try #require(document["services"] as? [[String: Any]])
        return Dictionary(
            uniqueKeysWithValues: lines.map { ($0["id"] as? String ?? "", $0["verdict"] as? String ?? "") })
    }

    @Test func `the demo has everything`() throws {
        let (standings, status) = try standings("demo")
        #expect(status == 0)
        #expect(Set(standings.values) == ["met"])
        #expect(Set(try verdicts("demo").values) == ["runs"])
    }

    @Test func `the field kit lacks a fix, a gyroscope and Bluetooth`() throws {
        let (standings, status) = try standings("field-kit")
        #expect(status == 1)
        #expect(standings["location"] == "unmet noFix")
        #expect(standings["gyroscope"] == "unmet absent")
        #expect(standings["bluetooth"] == "unmet softBlocked")
        #expect(standings["accelerometer"] == "met")
        #expect(standings["motion"] == "met")
        let verdicts = try verdicts("field-kit")
        #expect(verdicts["walking"] == "runs")
        #expect(verdicts["places"] == "fails")
        #expect(verdicts["driving.distractionFreeDriving"] == "blocked")
    }

    @Test func `the prototype board is silent, denied and without driver`() throws {
        let (standings, status) = try standings("prototype-board")
        #expect(status == 1)
        #expect(standings["motion"] == "unmet denied")
        #expect(standings["gyroscope"] == "unmet silent")
        #expect(standings["accelerometer"] == "unmet silent")
        #expect(standings["bluetooth"] == "met")
        #expect(standings["location"] == "unmet unreachable")
        let document = try Program.run("--rig", "prototype-board", "--format", "json").document()
        let sensors = try #require(document["sensors"] as? [[String: Any]])
        let gyroscopes = sensors.filter { $0["kind"] as? String == "gyroscope" }
        #expect(Set(gyroscopes.compactMap { $0["availability"] as? String }) == ["noDriver", "silent"])
        #expect(((document["rig"] as? [String: Any])?["user"] as? [String: Any])?["uid"] as? Int != 0)
        #expect(try verdicts("prototype-board")["walking"] == "fails")
    }

    @Test(arguments: [["help", "check"], ["--generate-completion-script", "bash"]])
    func `help and completion name them`(words: [String]) throws {
        let run = try Program.run(words)
        for name in ["demo", "field-kit", "prototype-board"] { #expect(run.output.contains(name)) }
    }
}
