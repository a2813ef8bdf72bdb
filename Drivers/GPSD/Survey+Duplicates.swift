internal import DriverKit
internal import Readiness

extension Survey {
    /// The survey with its receivers told apart: of those with one key the second in order gets `#2`, with a notice.
    var withDistinctKeys: Survey {
        var survey = self
        var counts: [String: Int] = [:]
        for index in leads.indices {
            let place = leads[index].sensor.key
            let count = counts[place, default: 0] + 1
            counts[place] = count
            guard count > 1 else { continue }
            let key = "\(place)#\(count)"
            survey.leads[index].sensor.key = key
            for piece in leads[index].sensor.evidence.indices {
                survey.leads[index].sensor.evidence[piece].sensor = key
            }
            survey.notices.append(
                Notice(
                    .duplicateKey, sensor: key,
                    detail: "\(count) receivers sit at \(place); they are told apart by their order alone"))
        }
        return survey
    }
}
