internal import DriverKit
internal import Readiness

extension Finding {
    /// A sensor with its sample; `place` is where the commands that fix it are typed.
    init(_ sample: Sample, of listed: Sensor, at place: DeviceHost) {
        var sensor = listed
        sensor.availability = sample.availability
        sensor.reading = sample.reading
        if !sample.remarks.isEmpty {
            sensor.detail = (sample.remarks + [sensor.detail].compactMap(\.self)).joined(separator: "; ")
        }
        sensor.evidence += sample.evidence.map { evidence in
            var evidence = evidence
            evidence.sensor = sensor.key
            return evidence
        }
        if sample.isDenied {
            sensor.access = .denied
            sensor.isValueDenied = true
            let value = sample.attribute.flatMap(place.accessRemedies)
            // A node that is denied too keeps its remedy, after that of the value.
            let remedies = (value ?? []) + listed.accessRemedies.filter { value?.contains($0) != true }
            sensor.accessRemedies = remedies.isEmpty ? [.option(.asRoot)] : remedies
        }
        if sample.availability != .available { sensor.remedies = place.remedies(for: sample, of: sensor) }
        var notices: [Notice] = []
        if sample.isCaptured {
            notices.append(
                Notice(.inUse, sensor: sensor.key, detail: "\(sensor.name) is in use: another program captures from it")
            )
        }
        self.init(sensor, notices: notices)
    }
}
