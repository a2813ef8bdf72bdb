public import DriverKit
public import Readiness

extension Enumeration {
    /// What an enumeration and its sensors lack: everything unavailable needs a detail, a remedy and evidence.
    ///
    /// `sensors` are those of the candidates unless given as asked.
    public func omissions(of sensors: [Sensor]? = nil) -> [String] {
        func lacks(_ whose: String, _ what: [(String, Bool)]) -> [String] {
            what.filter { !$0.1 }.map { "\(whose): no \($0.0)" }
        }
        func isSaid(_ text: String?) -> Bool { text?.isEmpty == false }
        func isShown(_ evidence: [Evidence]) -> Bool { !evidence.isEmpty && evidence.allSatisfy { !$0.said.isEmpty } }
        let found = sensors ?? candidates.map(\.sensor)
        var omissions: [String] = []
        for sensor in found {
            let whose = "\(sensor.kind.id) \(sensor.key) \(sensor.availability.id)"
            if sensor.availability != .available {
                omissions += lacks(
                    whose,
                    [
                        ("detail", isSaid(sensor.detail)), ("remedy", !sensor.remedies.isEmpty),
                        ("evidence", isShown(sensor.evidence)),
                    ])
            }
            if sensor.access == .denied {
                omissions += lacks(
                    whose, [("access remedy", !sensor.accessRemedies.isEmpty), ("evidence", isShown(sensor.evidence))])
            }
        }
        for obstacle in obstacles {
            omissions += lacks(
                "obstacle \(obstacle.kind.id) \(obstacle.cause.id)",
                [
                    ("detail", isSaid(obstacle.detail)), ("remedy", !obstacle.remedies.isEmpty),
                    ("evidence", isShown(obstacle.evidence)),
                ])
        }
        if access == .denied {
            omissions += lacks("access", [("remedy", !accessRemedies.isEmpty), ("evidence", accessEvidence != nil)])
        }
        // An absence needs evidence of the search.
        if found.isEmpty && obstacles.isEmpty { omissions += lacks("absence", [("search", isSaid(searched?.said))]) }
        return omissions
    }
}
