internal import DriverKit
internal import Readiness
internal import SystemPackage

extension Finding {
    /// A sensor as asked; `path` is its folder in sysfs, nil for one elsewhere.
    init(_ sample: Sample, of listed: Sensor, path: FilePath?) {
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
        if sample.isDenied { sensor.access = .denied }
        if sample.availability != .available {
            sensor.remedy = Self.remedy(sample, sensor, path)
        }
        var notices: [Notice] = []
        if sample.isCaptured {
            notices.append(
                Notice(.inUse, sensor: sensor.key, detail: "\(sensor.name) is in use: another program captures from it")
            )
        }
        self.init(sensor, notices: notices)
    }

    private static func remedy(_ sample: Sample, _ sensor: Sensor, _ path: FilePath?) -> String? {
        guard let path, let attribute = sample.attribute else { return nil }
        let file = path.appending(attribute).string
        guard file.utf8.allSatisfy({ isPlain($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ":") }) else {
            return nil
        }
        if sample.isDenied { return "sudo chmod a+r \(file)" }
        switch sample.availability {
        case .unavailable(.poweredOff): return "echo 1 | sudo tee \(file)"
        case .unavailable(.absent): return "plug it in again"
        case .unavailable(.faulty), .unavailable(.silent):
            return sensor.name.utf8.allSatisfy(isPlain) && !sensor.name.hasPrefix("-")
                ? "sudo dmesg | grep -i \(sensor.name)" : "sudo dmesg"
        default: return nil
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
