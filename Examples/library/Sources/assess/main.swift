import LocalRig

let rig = try LocalRig()                                  // this machine; LocalRig(recording: "rig.jsonl") replays one
let assessment = try rig.assess([.impactDetection], depth: .sample, timeout: .seconds(2))
for service in assessment.services { print(service.id, service.verdict) }
for requirement in assessment.requirements where requirement.status != .met {
    print(requirement.id, requirement.cause as Any, requirement.remedies)
}
for sensor in assessment.sensors { print(sensor.kind, sensor.key, sensor.availability) }
for try await change in rig.changes(for: .seconds(1)) { print(change.assessment.exitStatus) }
