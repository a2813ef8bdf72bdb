package import Measurement
internal import Readiness

extension SensorSeries {
    /// The samples as CSV, in SI units, a line each in order of arrival; nil if there are none.
    ///
    /// - A motion sensor has `time_s,x,y,z`: the time on the clock of its timestamps, and m/s² or rad/s on the rig's axes,
    ///   empty for an axis that the chip lacks.
    /// - A receiver has `time_s,fix,latitude,longitude,altitude_m,error_m,receiver_time_s`: monotonic time, degrees of WGS
    ///   84, and Unix time.
    /// - A controller has `question,answer_s`.
    /// - A step counter has `time_s,steps`: seconds since the walk began, and the count.
    ///
    /// Source: RFC 4180, with a line feed at the end of each line.
    package var csv: [UInt8]? {
        var text: [UInt8] = []
        switch self {
        case .motion(let series):
            guard !series.times.isEmpty else { return nil }
            text += "time_s,x,y,z\n".utf8
            let columns = (0..<3).map(series.values(ofRigAxis:))
            for (index, time) in series.times.enumerated() {
                text += time.decimal(9).utf8
                for column in columns {
                    text.append(UInt8(ascii: ","))
                    if let column { text += column[index].description.utf8 }
                }
                text.append(UInt8(ascii: "\n"))
            }
        case .position(let series):
            guard !series.positions.isEmpty else { return nil }
            text += "time_s,fix,latitude,longitude,altitude_m,error_m,receiver_time_s\n".utf8
            for report in series.positions {
                let values = [
                    report.latitude, report.longitude, report.altitude, report.horizontalError, report.receiverTime,
                ]
                text +=
                    ([report.time.decimal(9), report.fix.rawValue] + values.map { $0?.description ?? "" })
                    .joined(separator: ",").utf8
                text.append(UInt8(ascii: "\n"))
            }
        case .controller(let series):
            guard !series.answers.isEmpty else { return nil }
            text += "question,answer_s\n".utf8
            for (index, answer) in series.answers.enumerated() { text += "\(index + 1),\(answer)\n".utf8 }
        case .steps(let series):
            guard !series.readings.isEmpty else { return nil }
            text += "time_s,steps\n".utf8
            for reading in series.readings { text += "\(reading.seconds),\(reading.count)\n".utf8 }
        }
        return text
    }
}
