internal import DriverKit
internal import Readiness

extension Receiver {
    /// Metres beyond which a horizontal error is worth a notice: that of a receiver without any correction is some ten.
    static let lowAccuracy = 100.0

    /// The verdict where gpsd lists a node that is no longer there.
    func gone(_ error: DriverError) -> ReceiverStatus {
        ReceiverStatus(
            .absent, "gpsd lists \(device.path), and the node is gone", remedy: "plug the receiver in again",
            evidence: error.evidence())
    }

    /// The sensor with the verdict, the reading and what is said of the rig.
    func finding(_ sensor: Sensor, _ verdict: ReceiverStatus, at now: Instant) -> Finding {
        var sensor = sensor
        sensor.name = driver ?? sensor.name
        sensor.availability = verdict.availability
        sensor.detail = verdict.detail
        sensor.remedy = verdict.remedy
        let words = latest.map(\.report.words) ?? "no TPV; \(device.words)"
        sensor.evidence = [Evidence(path: device.path, said: words), verdict.evidence].compactMap { evidence in
            guard var evidence else { return nil }
            evidence.sensor = sensor.key
            return evidence
        }
        sensor.reading = reading(at: now).map(Reading.position)
        var notices: [Notice] = []
        if verdict.availability == .available, let report = latest?.report {
            if report.isSimulated {
                notices.append(
                    Notice(.simulated, sensor: sensor.key, detail: "\(device.path) says that its fix is simulated"))
            }
            if let error = report.error, error > Self.lowAccuracy, report.fix != .none {
                notices.append(
                    Notice(
                        .lowAccuracy, sensor: sensor.key,
                        detail: "\(device.path) expects to be \(rounded(error)) m off"))
            }
        }
        return Finding(sensor, notices: notices)
    }

    /// The last report, or else what gpsd remembers of a receiver that has gone quiet.
    private func reading(at now: Instant) -> PositionReading? {
        guard let report = latest?.report ?? remembered, report.fault == nil else { return nil }
        guard report.fix != .none else {
            return PositionReading(fix: .none, satellitesUsed: satellites, simulated: report.isSimulated)
        }
        let age = latest.map { (isFrozen ? clockSince ?? $0.at : $0.at).seconds(to: now) } ?? idleSeconds(at: now)
        return PositionReading(
            fix: report.fix, latitude: report.latitude, longitude: report.longitude, altitude: report.altitude,
            horizontalError: report.error, satellitesUsed: satellites, ageSeconds: age.map { max(0, $0) },
            simulated: report.isSimulated)
    }
}
