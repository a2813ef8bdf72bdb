import Foundation
import LocalRig
import Rendering

// assess-recording RECORDING [REPORT]: sensors and verdicts of a recording, then the verdicts of a report of `--format json`.
let arguments = CommandLine.arguments.dropFirst()
let assessment = try LocalRig(recording: arguments.first ?? "demo").assess()
for sensor in assessment.sensors { print(sensor.kind, sensor.key, sensor.availability) }
for service in assessment.services { print(service.id, service.verdict) }
for root in assessment.rootCauses { print(root.id, root.cause, "stops", root.unlocks.count) }
print("status", assessment.exitStatus)
if let file = arguments.dropFirst().first {
    var report = try JSONDecoder().decode(Report.self, from: Data(contentsOf: URL(filePath: file)))
    for service in report.services { print("report", service.id, service.verdict) }
    // Durations differ from run to run.
    let own = Report(assessment)
    report.drivers = own.drivers
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let isEqual = try encoder.encode(report) == encoder.encode(own)
    print("report status", report.exitStatus, isEqual ? "equal" : "different")
}
