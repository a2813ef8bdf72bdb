public import Measurement
internal import Readiness
public import Rendering

/// A measurement as one self-contained HTML file: figures, findings and pictures of each sensor.
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
        HTMLDocument.html(
            title: "\(report.rig.host): sensor quality", main: main,
            footer: "rigready measure \(Release.version), \(MeasurementReport.schema), \(report.takenAt)",
            style: Self.style + Chart.style)
    }

    private var main: Markup {
        let sensors = zip(measurement.sensors, series).enumerated().map { section($0, $1.0, $1.1) }
        let none: Markup? =
            measurement.sensors.isEmpty
            ? "<p>No sensor, controller or receiver was found that can be measured.</p>" : nil
        return """
            <main>
            <header>
            <h1>Sensor quality of \(report.rig.host)</h1>
            <p class="meta">Measured \(report.takenAt), \(report.seconds.significant(3)) s. \
            Intervals (±) hold the true value in 95 of 100 measurements.</p>
            </header>
            \(none)\(overview)
            \(sensors)</main>
            """
    }

    /// A row for each sensor, with its verdict.
    private var overview: Markup? {
        let rows = measurement.sensors.enumerated().map { index, sensor in
            Markup.Row(
                "<a href=\"#s\(index)\">\(sensor.kind.title)</a>", ["\(sensor.name)", Self.verdict(of: sensor)])
        }
        guard !rows.isEmpty else { return nil }
        let table = Markup.table("Every sensor that was measured", ["Kind", "Name", "Verdict"], rows)
        return .section("verdicts", "Verdicts", table)
    }

    private static func verdict(of sensor: SensorMeasurement) -> Markup {
        "<span class=\"verdict \(sensor.verdict.rawValue)\">\(sensor.verdict.sign) \(sensor.outcome)</span>"
    }

    private func section(_ index: Int, _ sensor: SensorMeasurement, _ series: SensorSeries) -> Markup {
        let figures = sensor.figureLines.map { Markup.Row("\($0.name)", ["\($0.value)"]) }
        let table = Markup.table("What was captured", ["Figure", "Value"], figures)
        let (charts, notes) = Chart.charts(of: series, sensor)
        let pictures = charts.map { chart -> Markup in
            """
            <figure><h3>\(chart.title)</h3>\(Markup(of: chart.element))<figcaption>\(chart.caption)</figcaption></figure>

            """
        }
        let remarks = notes.map { note -> Markup in "<p class=\"note\">\(note)</p>" }
        return """
            <section aria-labelledby="s\(index)">
            <h2 id="s\(index)">\("\(sensor.kind.title) \(sensor.name)") \(Self.verdict(of: sensor))</h2>
            <p class="key">\(sensor.key)</p>
            \(figures.isEmpty ? nil : table)
            \(findings(of: sensor))
            <div class="charts">\(pictures)</div>
            \(remarks)
            </section>

            """
    }

    private func findings(of sensor: SensorMeasurement) -> Markup? {
        let items = sensor.distinctFindings.map { finding -> Markup in
            let source = finding.source.map { source -> Markup in " <small>(\(source))</small>" }
            let remedy = finding.remedies.commandLine.map { remedy -> Markup in "<br/>→ \(remedy)" }
            return "<li class=\"\(finding.severity.rawValue)\">\(finding.detail)\(source)\(remedy)</li>\n"
        }
        return items.isEmpty ? nil : "<ul class=\"findings\">\n\(items)</ul>"
    }

    private static let style = """
        .findings{list-style:disc;padding-left:1.1em;margin:.6em 0}.findings li{font-weight:400;color:inherit}\
        .findings li::marker{content:"· "}.findings .bad::marker{content:"✗ ";color:var(--bad)}\
        .findings .undetermined::marker{content:"? "}.findings .warning::marker{content:"! "}\
        .charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,20.5rem),1fr));gap:16px;margin-top:.8rem}\
        figure{margin:0;break-inside:avoid}figure h3{font-size:.95rem}svg.chart{width:100%;height:auto;display:block}\
        @media print{.charts{display:block;columns:2}figure{margin-bottom:8px}.key,caption{break-after:avoid}\
        th,td{padding:.12rem .9rem .12rem 0}}
        """
}
