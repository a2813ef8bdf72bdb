import Measurement
import Rendering
import Readiness

/// The files that `measure --save` writes besides recordings: a page, pictures and tables.
struct SavedMeasurement {
    /// What can be written, by the ending of the name.
    enum Kind: String, CaseIterable {
        case recording = ".jsonl"
        case packedRecording = ".jsonl.gz"
        case page = ".html"
        case pictures = ".svg"
        case tables = ".csv"

        init?(_ name: String) {
            guard let kind = Self.allCases.first(where: { name.hasSuffix($0.rawValue) && name != $0.rawValue }) else {
                return nil
            }
            self = kind
        }

        /// Whether it holds the samples as they were captured, for `--rig`.
        var isRecording: Bool { self == .recording || self == .packedRecording }
    }

    let report: MeasurementReport
    let measurement: RigMeasurement
    let series: [SensorSeries]

    /// Writes the file of that name, or several.
    ///
    /// Of pictures and tables it is a file each, with the sensor's kind and name, and the picture's, before the ending,
    /// unless there is only one. `remark` is told what was written.
    func write(_ name: String, as kind: Kind, _ remark: (String) -> Void) throws(CommandFailure) {
        var files: [(part: String, bytes: [UInt8])] = []
        switch kind {
        case .page: files = [("", Array(measurement.page(report, series).utf8))]
        case .pictures:
            for (index, (sensor, series)) in zip(measurement.sensors, series).enumerated() {
                for chart in Chart.charts(of: series, sensor).charts {
                    let subject = "\(sensor.kind.title) \(sensor.name)"
                    files.append(("\(part(index))-\(chart.name)", Array(chart.file(of: subject).utf8)))
                }
            }
        case .tables:
            for (index, series) in series.enumerated() { files += series.csv.map { [(part(index), $0)] } ?? [] }
        case .recording, .packedRecording: return
        }
        if files.isEmpty { return Output.complain("nothing was measured, so \(name) was not written") }
        let stem = name.dropLast(kind.rawValue.count)
        for file in files {
            try OutputFile.replace(files.count == 1 ? name : "\(stem)-\(file.part)\(kind.rawValue)", with: file.bytes)
        }
        let all = files.count == 1 ? name : "\(files.count.counted("file")), \(stem)-*\(kind.rawValue)"
        remark("wrote \(all)")
    }

    /// The kind and name of a sensor as a part of a file's name, numbered where several have the same.
    private func part(_ index: Int) -> String {
        let names = measurement.sensors.map { sensor in
            String(
                "\(sensor.kind.id)-\(sensor.name)".prefix(80).map { character in
                    character.isASCII && (character.isLetter || character.isNumber || "._-".contains(character))
                        ? character : "-"
                })
        }
        let before = names[..<index].count { $0 == names[index] }
        return before == 0 ? names[index] : "\(names[index])-\(before + 1)"
    }
}
