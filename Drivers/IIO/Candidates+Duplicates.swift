internal import DriverKit
internal import Readiness

/// Tells sensors of one kind and key apart: the second in the given order gets `#2`, with a notice.
func distinguish(_ candidates: inout [SensorCandidate]) -> [Notice] {
    struct ChipIdentity: Hashable {
        var kind: SensorKind
        var key: String
    }
    var seen: [ChipIdentity: Int] = [:]
    var notices: [Notice] = []
    for index in candidates.indices {
        let sensor = candidates[index].sensor
        let count = seen[ChipIdentity(kind: sensor.kind, key: sensor.key), default: 0] + 1
        seen[ChipIdentity(kind: sensor.kind, key: sensor.key)] = count
        guard count > 1 else { continue }
        let key = "\(sensor.key)#\(count)"
        candidates[index].sensor.key = key
        candidates[index].sensor.evidence = sensor.evidence.map { evidence in
            var evidence = evidence
            if evidence.sensor != nil { evidence.sensor = key }
            return evidence
        }
        notices.append(
            Notice(
                .duplicateKey, sensor: key,
                detail: "\(count) \(sensor.kind.title)s sit at \(sensor.key); they are told apart by their order alone")
        )
    }
    return notices
}
