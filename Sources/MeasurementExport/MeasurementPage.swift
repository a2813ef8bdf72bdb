public import Measurement
internal import Readiness
public import Rendering

/// A measurement as one self-contained HTML file: figures, findings and pictures of each sensor.
///
/// It needs no script and no other host, which its content security policy forbids as well; it follows the colour scheme
/// of the screen, is readable at 320 px, and breaks between sensors on paper.
public struct MeasurementPage {
    private let report: MeasurementReport
    private let measurement: RigMeasurement
    private let series: [SensorSeries]

    /// Makes the page of a report, its measurement and the series that it was made from, in the same order.
    public init(_ report: MeasurementReport, _ measurement: RigMeasurement, _ series: [SensorSeries]) {
        self.report = report
        self.measurement = measurement
        self.series = series
    }

    /// The whole file.
    public var html: String {
        let host = report.rig.host
        let sensors = zip(measurement.sensors, series).enumerated().map { section($0, $1.0, $1.1) }.joined(
            separator: "\n")
        let none =
            measurement.sensors.isEmpty
            ? "<p>No sensor, controller or receiver was found that can be measured.</p>" : ""
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8"/>
            <meta name="viewport" content="width=device-width, initial-scale=1"/>
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
            <meta name="color-scheme" content="light dark"/>
            <title>\("\(host): sensor quality".xml)</title>
            <style>\(Self.style)\(Chart.style)</style>
            </head>
            <body>
            <h1>Sensor quality of \(host.xml)</h1>
            <p>\("Measured \(report.takenAt), \(report.seconds.significant(3)) s.".xml) \
            Intervals (±) hold the true value in 95 of 100 measurements.</p>
            \(none)\(overview)
            \(sensors)
            <footer>rigready measure, <code>\(MeasurementReport.schema)</code></footer>
            </body>
            </html>

            """
    }

    /// A row for each sensor, with its verdict.
    private var overview: String {
        let rows = measurement.sensors.enumerated().map { index, sensor in
            "<tr><td><a href=\"#s\(index)\">\(sensor.kind.title.xml)</a></td><td>\(sensor.name.xml)</td>"
                + "<td class=\"\(sensor.verdict.rawValue)\">\(sensor.verdict.sign) \(sensor.verdict.rawValue)</td></tr>"
        }
        return rows.isEmpty ? "" : "<table class=\"overview\">\(rows.joined())</table>"
    }

    private func section(_ index: Int, _ sensor: SensorMeasurement, _ series: SensorSeries) -> String {
        let figures = sensor.figureLines.map { "<tr><th>\($0.name.xml)</th><td>\($0.value.xml)</td></tr>" }.joined()
        let (charts, notes) = Chart.charts(of: series, sensor)
        let pictures = charts.map { chart in
            "<figure><h3>\(chart.title.xml)</h3>\(chart.element)<figcaption>\(chart.caption.xml)</figcaption></figure>"
        }
        return """
            <section id="s\(index)">
            <h2>\("\(sensor.kind.title) \(sensor.name)".xml) \
            <span class="\(sensor.verdict.rawValue)">\(sensor.verdict.sign) \(sensor.verdict.rawValue)</span></h2>
            <p class="key">\(sensor.key.xml)</p>
            <table>\(figures)</table>
            \(findings(of: sensor))
            <div class="charts">\(pictures.joined(separator: "\n"))</div>
            \(notes.map { "<p class=\"note\">\($0.xml)</p>" }.joined())
            </section>
            """
    }

    private func findings(of sensor: SensorMeasurement) -> String {
        let items = sensor.distinctFindings.map { finding in
            let source = finding.source.map { " <small>(\($0.xml))</small>" } ?? ""
            let remedy = finding.remedies.commandLine.map { "<br/><span class=\"remedy\">→ \($0.xml)</span>" } ?? ""
            return "<li class=\"\(finding.severity.rawValue)\">\(finding.detail.xml)\(source)\(remedy)</li>"
        }
        return items.isEmpty ? "" : "<ul>\(items.joined(separator: "\n"))</ul>"
    }

    private static let style = """
        :root{color-scheme:light dark}\
        body{font:15px/1.45 system-ui,"DejaVu Sans",sans-serif;margin:0 auto;padding:12px;max-width:76rem;color:#222;background:#fff;\
        overflow-wrap:anywhere}\
        h1{font-size:1.4rem;margin:.2em 0}h2{font-size:1.15rem;border-top:2px solid #8888;padding-top:.6em;margin:1.4em 0 .1em}\
        h3{font-size:.95rem;margin:0 0 .2em}table{border-collapse:collapse;font-size:.9rem}\
        th{text-align:left;font-weight:400;opacity:.75;padding:1px 10px 1px 0;vertical-align:top;white-space:nowrap}\
        td{padding:1px 12px 1px 0;vertical-align:top}.key,.note,figcaption,footer,small{font-size:.8rem;opacity:.8}\
        .key{margin:.1em 0 .5em}ul{padding-left:1.1em;margin:.6em 0}li::marker{content:"· "}\
        li.bad::marker{content:"✗ ";color:#c00}li.undetermined::marker{content:"? "}li.warning::marker{content:"! "}\
        .remedy{font-size:.9rem}span.bad,td.bad{color:#c00}span.good,td.good{color:#00795c}\
        span.warning,td.warning,span.undetermined,td.undetermined{color:#945c00}\
        .charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,20.5rem),1fr));gap:16px}\
        figure{margin:0;break-inside:avoid}svg.chart{width:100%;height:auto;display:block}\
        @media screen and (prefers-color-scheme:dark){body{color:#ddd;background:#161616}span.bad,td.bad,li.bad::marker{color:#ff6b6b}\
        span.good,td.good{color:#3fcfa4}span.warning,td.warning,span.undetermined,td.undetermined{color:#ffb454}a{color:#6db8ff}}\
        @media print{body{font-size:10pt;padding:0}h2,h3{break-after:avoid}.charts{grid-template-columns:1fr 1fr}}
        """
}
