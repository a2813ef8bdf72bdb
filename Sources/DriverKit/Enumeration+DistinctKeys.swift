internal import Readiness

extension Enumeration {
    /// Gives every sensor a key that no other of its kind has: the second with a key gets `#2`, with a notice.
    public mutating func makeKeysDistinct() {
        struct KeyIdentity: Hashable {
            var kind: SensorKind
            var key: String
        }
        var counts: [KeyIdentity: Int] = [:]
        var taken: Set<KeyIdentity> = []
        for index in candidates.indices {
            let sensor = candidates[index].sensor
            var count = counts[KeyIdentity(kind: sensor.kind, key: sensor.key), default: 0] + 1
            var key = count == 1 ? sensor.key : "\(sensor.key)#\(count)"
            while !taken.insert(KeyIdentity(kind: sensor.kind, key: key)).inserted {
                count += 1
                key = "\(sensor.key)#\(count)"
            }
            counts[KeyIdentity(kind: sensor.kind, key: sensor.key)] = count
            guard key != sensor.key else { continue }
            candidates[index].sensor.key = key
            for place in sensor.evidence.indices where sensor.evidence[place].sensor != nil {
                candidates[index].sensor.evidence[place].sensor = key
            }
            notices.append(
                Notice(
                    .duplicateKey, sensor: key,
                    detail:
                        "\(count) \(sensor.kind.title)s have the key \(sensor.key); only their order distinguishes them"
                ))
        }
    }
}
