package import Measurement
internal import Readiness

extension RigMeasurement {
    /// The measurement as one self-contained HTML file: figures, findings and pictures of each sensor.
    ///
    /// `report` is its document, and `series` are those that it was made from, in the same order.
    package func page(_ report: MeasurementReport, _ series: [SensorSeries]) -> String {
        HTMLDocument.html(
            title: "\(report.rig.host): sensor quality", main: main(report, series),
            footer: "rigready measure \(Release.version), \(MeasurementReport.schema), \(report.takenAt)",
            style: Self.style + Chart.style)
    }

    private func main(_ report: MeasurementReport, _ series: [SensorSeries]) -> Markup {
        let sections = zip(sensors, series).enumerated().map { $1.0.section($0, $1.1) }
        let none: Markup? =
            sensors.isEmpty ? "<p>No sensor, controller or receiver was found that can be measured.</p>" : nil
        return """
            <main>
            <header>
            <h1>Sensor quality of \(report.rig.host)</h1>
            <p class="meta">Measured \(report.takenAt.timeWords()), \(report.seconds.stated("s")). \
            Intervals (±) hold the true value in 95 of 100 measurements.</p>
            </header>
            \(none)\(overview)
            \(sections)</main>
            """
    }

    /// A row for each sensor, with its verdict.
    private var overview: Markup? {
        let rows = sensors.enumerated().map { index, sensor in
            Markup.Row("<a href=\"#s\(index)\">\(sensor.kind.title)</a>", ["\(sensor.name)", sensor.verdictMarkup])
        }
        guard !rows.isEmpty else { return nil }
        let table = Markup.table("Every sensor that was measured", ["Kind", "Name", "Verdict"], rows)
        return .section("verdicts", "Verdicts", table)
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

extension SensorMeasurement {
    fileprivate var verdictMarkup: Markup {
        "<span class=\"verdict \(verdict.rawValue)\">\(verdict.mark.sign) \(outcome)</span>"
    }

    fileprivate func section(_ index: Int, _ series: SensorSeries) -> Markup {
        let figures = figureLines.map { Markup.Row("\($0.name)", ["\($0.value)"]) }
        let table = Markup.table("What was captured", ["Figure", "Value"], figures)
        let (charts, notes) = Chart.charts(of: series, self)
        let pictures = charts.map { chart -> Markup in
            """
            <figure><h3>\(chart.title)</h3>\(Markup(of: chart.element))<figcaption>\(chart.caption)</figcaption></figure>

            """
        }
        let remarks = notes.map { note -> Markup in "<p class=\"note\">\(note)</p>" }
        return """
            <section aria-labelledby="s\(index)">
            <h2 id="s\(index)">\("\(kind.title) \(name)") \(verdictMarkup)</h2>
            <p class="key">\(key)</p>
            \(figures.isEmpty ? nil : table)
            \(findingsMarkup)
            <div class="charts">\(pictures)</div>
            \(remarks)
            </section>

            """
    }

    private var findingsMarkup: Markup? {
        let items = distinctFindings.map { finding -> Markup in
            let source = finding.source.map { source -> Markup in " <small>(\(source))</small>" }
            let remedy = finding.remedies.commandLine.map { remedy -> Markup in "<br/>→ \(remedy)" }
            return "<li class=\"\(finding.severity.rawValue)\">\(finding.detail)\(source)\(remedy)</li>\n"
        }
        return items.isEmpty ? nil : "<ul class=\"findings\">\n\(items)</ul>"
    }
}
