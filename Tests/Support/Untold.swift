public import DriverKit
public import Readiness

extension Enumeration {
    /// What a survey and its sensors fail to say: each thing that is not there needs a detail, a remedy and evidence.
    ///
    /// `sensors` are those of the leads unless given as asked.
    public func untold(_ sensors: [Sensor]? = nil) -> [String] {
        func lacks(_ whose: String, _ what: [(String, Bool)]) -> [String] {
            what.filter { !$0.1 }.map { "\(whose): no \($0.0)" }
        }
        func isTold(_ text: String?) -> Bool { text?.isEmpty == false }
        func isShown(_ evidence: [Evidence]) -> Bool { !evidence.isEmpty && evidence.allSatisfy { !$0.said.isEmpty } }
        let found = sensors ?? candidates.map(\.sensor)
        var untold: [String] = []
        for sensor in found {
            let whose = "\(sensor.kind.id) \(sensor.key) \(sensor.availability.id)"
            if sensor.availability != .available {
                untold += lacks(
                    whose,
                    [
                        ("detail", isTold(sensor.detail)), ("remedy", isTold(sensor.remedy)),
                        ("evidence", isShown(sensor.evidence)),
                    ])
            }
            if sensor.access == .denied {
                untold += lacks(
                    whose, [("access remedy", isTold(sensor.accessRemedy)), ("evidence", isShown(sensor.evidence))])
            }
        }
        for obstacle in obstacles {
            untold += lacks(
                "obstacle \(obstacle.kind.id) \(obstacle.cause.id)",
                [
                    ("detail", isTold(obstacle.detail)), ("remedy", isTold(obstacle.remedy)),
                    ("evidence", isShown(obstacle.evidence)),
                ])
        }
        if access == .denied {
            untold += lacks("access", [("remedy", isTold(accessRemedy)), ("evidence", accessEvidence != nil)])
        }
        // An absence rests on what was gone through.
        if found.isEmpty && obstacles.isEmpty { untold += lacks("absence", [("search", isTold(searched?.said))]) }
        return untold
    }
}
