public import DriverKit
public import Readiness

extension Enumeration {
    /// What an enumeration and its sensors lack: everything unavailable needs a detail, a remedy and evidence.
    ///
    /// `sensors` are those of the candidates unless given as asked.
    public func omissions(of sensors: [Sensor]? = nil) -> [String] {
        func lacks(_ whose: String, _ what: KeyValuePairs<String, Bool>) -> [String] {
            what.filter { !$0.value }.map { "\(whose): no \($0.key)" }
        }
        func isSaid(_ text: String?) -> Bool { text?.isEmpty == false }
        func isShown(_ evidence: [Evidence]) -> Bool { !evidence.isEmpty && evidence.allSatisfy { !$0.said.isEmpty } }
        func lacks(_ whose: String, _ detail: String?, _ remedies: [Remedy], _ evidence: [Evidence]) -> [String] {
            lacks(whose, ["detail": isSaid(detail), "remedy": !remedies.isEmpty, "evidence": isShown(evidence)])
        }
        let found = sensors ?? candidates.map(\.sensor)
        var omissions: [String] = []
        for sensor in found {
            let whose = "\(sensor.kind.id) \(sensor.key) \(sensor.availability.id)"
            if sensor.availability != .available {
                omissions += lacks(whose, sensor.detail, sensor.remedies, sensor.evidence)
            }
            if sensor.access == .denied {
                omissions += lacks(
                    whose, ["access remedy": !sensor.accessRemedies.isEmpty, "evidence": isShown(sensor.evidence)])
            }
        }
        for obstacle in obstacles {
            let whose = "obstacle \(obstacle.kind.id) \(obstacle.cause.id)"
            omissions += lacks(whose, obstacle.detail, obstacle.remedies, obstacle.evidence)
        }
        if access == .denied {
            omissions += lacks("access", ["remedy": !accessRemedies.isEmpty, "evidence": accessEvidence != nil])
        }
        // An absence needs evidence of the search.
        if found.isEmpty && obstacles.isEmpty { omissions += lacks("absence", ["search": isSaid(searched?.said)]) }
        return omissions
    }
}
