import LocalRig
import DriverKit
import Foundation
import Readiness

/// The embedded demo, a recording of real kernel drivers.
enum Demo {
    static let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/LocalRig/Rigs/demo.jsonl")

    static func bytes() throws -> [UInt8] { Array(try Data(contentsOf: url)) }
    static func recording() throws -> Recording { try Recording(parsing: bytes(), file: "demo") }
}

extension Recording {
    /// An anonymous copy by the drivers of this build.
    func anonymized() -> Recording { anonymized(by: BundledDrivers.anonymizers) }

    /// The results of this build's drivers, as `rigready --rig` runs them.
    func inventory(depth: Depth? = nil, recorder: Recorder? = nil) throws -> Inventory {
        let drivers = BundledDrivers.drivers(
            gpsd: HostPort(header.gpsd, defaultPort: 2947) ?? BundledDrivers.gpsd, criteria: header.criteria,
            waitForFix: header.waitFix, iio: header.iio)
        let posts = drivers.map { driver in
            let world = ReplayWorld(self, of: driver.name)
            return DriverBinding(driver, in: recorder.map { RecordingWorld(world, of: driver.name, to: $0) } ?? world)
        }
        return try Probe(posts).inventory(depth: depth ?? header.depth, limit: ProbeLimit(.seconds(header.timeout)))
    }
}

extension Inventory {
    var requirementResults: [RequirementResult] {
        RequirementEvaluator(self, Authorizations(access: self), pins: [:]).results()
    }

    /// Requirements, verdicts and exit status, as text.
    var verdicts: [String] {
        get throws {
            let requirementResults = requirementResults
            let results = try Evaluator(rules: .newest).results(for: RequirementStatuses(requirementResults))
            return requirementResults.map { "\($0.requirement.id) \($0.status) \($0.causes.map(\.id))" }
                + results.map { "\($0.service.id) \($0.verdict.id)" } + ["\(results.status(strict: false).rawValue)"]
        }
    }
}
