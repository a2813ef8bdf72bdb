internal import DriverKit
internal import Readiness

extension Enumeration {
    /// The survey with its receivers told apart: of those with one key the second in order gets `#2`, with a notice.
    var withDistinctKeys: Enumeration {
        var enumeration = self
        var counts: [String: Int] = [:]
        for index in candidates.indices {
            let place = candidates[index].sensor.key
            let count = counts[place, default: 0] + 1
            counts[place] = count
            guard count > 1 else { continue }
            let key = "\(place)#\(count)"
            enumeration.candidates[index].sensor.key = key
            for piece in candidates[index].sensor.evidence.indices {
                enumeration.candidates[index].sensor.evidence[piece].sensor = key
            }
            enumeration.notices.append(
                Notice(
                    .duplicateKey, sensor: key,
                    detail: "\(count) receivers sit at \(place); they are told apart by their order alone"))
        }
        return enumeration
    }
}
