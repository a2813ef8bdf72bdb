import Foundation
import Measurement
import Readiness
import Support
import Testing
@testable import rigready

/// Damaged baselines of every kind: either something is read, or one line gives the reason.
@Suite struct BaselineMutationTests {
    @Test func `damage gives a baseline or one line, and never a crash`() throws {
        let report = Array(try Program.run("--rig", "demo", "--depth", "presence", "--format", "json").output.utf8)
        let short = Array(
            """
            {"schema":"rigready.report/1","depth":"sample","rules":"2.14","sensors":[{"key":"a","kind":"gyroscope",\
            "name":"b","driver":"iio","label":null,"availability":"available"}],"requirements":[{"id":"motion",\
            "standing":"met"}],"services":[{"id":"driving","verdict":"runs","asked":true}]}
            """.utf8)
        let manifest = Array("sensors:\n  - kind: gyroscope\n    count: 2\nservices: [dfd]\n".utf8)
        let measurement = Array(
            """
            {"schema":"rigready.measurement/1","takenAt":"t","rig":{"host":"h","kernel":"k","boot":"b","source":"live",\
            "user":{"name":"u","uid":1}},"seconds":10,"sensors":[{"key":"a","kind":"bluetoothAdapter","name":"b",\
            "way":"buffer","samples":3,"seconds":1,"rate":{"value":1,"uncertainty":1},"gaps":[{"seconds":1,"missing":2}],\
            "verdict":"good","findings":[],"powerChanges":0}],"exitStatus":0}
            """.utf8)
        var read = 0
        var refused = 0
        for mutant in Mutations(of: [short, short, manifest, measurement, measurement, report], count: 8000) {
            do throws(CommandFailure) {
                let content = try BaselineFile.content(of: mutant, file: "baseline", rules: nil)
                read += 1
                if case .stated(let expectation, _?) = content { #expect(expectation.origin == .probe) }
                if case .measurement(let rig) = content { #expect(rig.measurement.sensors.count <= 1) }
            } catch {
                refused += 1
                #expect(error.description.hasPrefix("baseline:"))
                #expect(!error.description.contains { $0.isNewline })
                #expect(error.description.count < 600)
            }
        }
        #expect(read > 100)
        #expect(refused > 100)
    }

    @Test func `a report is bounded`() throws {
        let open = Array("{\"schema\":\"rigready.report/1\",\"a\":".utf8)
        for filler in [UInt8(ascii: "["), UInt8(ascii: " ")] {
            let bytes = open + [UInt8](repeating: filler, count: EarlierDocument.limit + 1)
            #expect(throws: CommandFailure.self) {
                try BaselineFile.content(of: bytes, file: "baseline", rules: nil)
            }
        }
        let deep = open + [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
        #expect(throws: CommandFailure.self) {
            try BaselineFile.content(of: deep, file: "baseline", rules: nil)
        }
    }
}
