import Foundation
import FoundationXML
import Measurement
import Readiness
@testable import Rendering
import Testing

/// The pictures, the page and the tables of measurements.
@Suite struct ExportTests {
    /// What an XML parser finds in a text.
    private final class Document: NSObject, XMLParserDelegate {
        var elements: [(name: String, attributes: [String: String])] = []
        var text = ""
        private(set) var error: String?

        init(_ text: String) {
            super.init()
            let parser = XMLParser(data: Data(text.utf8))
            parser.delegate = self
            if !parser.parse() { error = parser.parserError.map { "\($0)" } ?? "unknown" }
        }

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) { elements.append((name, attributes)) }
        func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

        func classes(_ name: String) -> [String] {
            elements.filter { $0.name == name }.compactMap { $0.attributes["class"] }
        }

        /// The places of the path of a class.
        func points(_ style: String) -> [(x: Double, y: Double)] {
            let paths = elements.filter { $0.attributes["class"] == style }.compactMap { $0.attributes["d"] }
            return paths.flatMap { path in
                path.split { "ML".contains($0) }.compactMap { pair in
                    let numbers = pair.split { " h".contains($0) }.compactMap { Double($0) }
                    return numbers.count >= 2 ? (numbers[0], numbers[1]) : nil
                }
            }
        }
    }

    private static let chip = Chip.bmi160

    private func charts(_ series: MotionSeries) throws -> [String: Document] {
        let (charts, _) = Chart.charts(of: .motion(series), series.measured())
        return try charts.reduce(into: [:]) { documents, chart in
            let document = Document(chart.element)
            #expect(document.error == nil)
            try #require(document.elements.first?.name == "svg")
            documents[chart.name] = document
        }
    }

    @Test func `a healthy chip has a time series, a histogram and a spectrum`() throws {
        let series = Self.chip.series(Self.chip.atRest, rate: 100, seconds: 10, seed: 1)
        let charts = try charts(series)
        #expect(charts.keys.sorted() == ["histogram", "spectrum", "time"])
        let time = try #require(charts["time"])
        #expect(!time.classes("rect").contains { ["gap", "fault", "mark"].contains($0) })
        // All of the plot's width, and nothing outside of it.
        let points = time.points("x")
        #expect(points.map(\.x).min() == 54 && points.map(\.x).max() == 344 && points.count > 300)
        #expect(points.allSatisfy { 18...110 ~= $0.y })
        // The bars hold all samples: their height is that of the counts.
        #expect(charts["histogram"]?.classes("rect").count { $0 == "bar" } ?? 0 > 60)
    }

    @Test func `a minute has an Allan deviation too, whose line falls with the square root of the time`() throws {
        let series = Self.chip.series(Self.chip.atRest, rate: 100, seconds: 70, seed: 2)
        let points = try #require(try charts(series)["allan"]).points("x")
        // The line, and its sample in the legend, which is level.
        let line = points.dropLast(2)
        #expect(line.count >= 10)
        #expect(zip(line, line.dropFirst()).prefix(6).allSatisfy { $0.x < $1.x && $0.y < $1.y })
        // A bar of uncertainty at each point, which becomes longer.
        let bars = try #require(try charts(series)["allan"]).points("x bar-line")
        #expect(bars.count == 2 * line.count)
        let lengths = stride(from: 0, to: bars.count, by: 2).map { bars[$0].y - bars[$0 + 1].y }
        #expect(lengths.first ?? 0 > 0 && lengths.last ?? 0 > 5 * (lengths.first ?? 0))
    }

    @Test func `the level line of the noise density is where the spectrum of white noise is`() throws {
        let series = Self.chip.series(Self.chip.atRest, rate: 100, seconds: 60, seed: 12)
        let chart = try #require(try charts(series)["spectrum"])
        let level = chart.points("x level")
        #expect(level.count == 2 && level[0].y == level[1].y)
        // The line of the spectrum, without its sample in the legend, in the middle half of the frequencies.
        let line = chart.points("x").dropLast(2).map(\.y).sorted()
        let median = try #require(line.dropFirst(line.count / 2).first)
        // A decade is 196 px at most: √2 would make 14 px or more of two decades.
        #expect(abs(median - level[0].y) < 5, "\(median), \(level[0].y)")
    }

    @Test func `each gap is shaded, and no line is drawn through it`() throws {
        var signal = Self.chip.atRest
        signal.lost = Set(300..<340).union(600..<605)
        let series = Self.chip.series(signal, rate: 100, seconds: 10, seed: 3)
        let time = try #require(try charts(series)["time"])
        let gaps = time.elements.filter { $0.attributes["class"] == "gap" }
        // Two gaps on three axes, the first 0.41 s of 290 px for 9.99 s.
        #expect(gaps.count == 6)
        let width = try #require(gaps[0].attributes["width"].flatMap(Double.init))
        #expect(abs(width - 0.41 / 9.99 * 290) < 0.5)
        let path = try #require(time.elements.first { $0.attributes["class"] == "x" }?.attributes["d"])
        #expect(path.split(separator: "M").count == 3)
    }

    @Test func `stuck, clipped and swapped samples are marked at their axis`() throws {
        var signal = Self.chip.atRest
        signal.stuck = (axis: 1, at: 200, count: 300)
        signal.swapped = [700]
        let time = try #require(
            try charts(Self.chip.series(signal, rate: 100, seconds: 10, seed: 4))["time"])
        #expect(time.classes("rect").count { $0 == "fault" } == 1)
        #expect(time.classes("rect").count { $0 == "mark" } == 3)
        let faulty = Self.chip.series(signal, rate: 100, seconds: 10, seed: 4)
        let caption = try #require(Chart.charts(of: .motion(faulty), faulty.measured()).charts.first).caption
        #expect(caption.contains("a thick line marks a sample out of order"))
        #expect(caption.contains("equal counts are in a dashed frame"))
        // A telephone of 320 px shows a picture of 352 px in 268 px: text of 10 px at least.
        #expect(Chart.style.contains("@media(max-width:400px){.chart text{font-size:13.5px}}") && 13.5 * 268 / 352 > 10)
        // On paper without colours they differ by their frame.
        let rules = Chart.style.split(separator: "}")
        #expect(rules.contains { $0.hasPrefix(".chart .fault{") && $0.contains("stroke-dasharray") })
        #expect(rules.contains { $0.hasPrefix(".chart .gap{") && !$0.contains("stroke") })
        signal = Self.chip.atRest
        signal.mean[0] = 2 * Chip.g
        let clipped = try #require(
            try charts(Self.chip.series(signal, rate: 100, seconds: 10, seed: 5))["time"])
        #expect(clipped.classes("circle") == ["mark"])
    }

    private func receiver() -> PositionSeries {
        var generator = Generator(seed: 6)
        var series = PositionSeries(key: "gps", name: "u-blox", began: 0)
        for index in 0..<200 {
            series.append(
                PositionReport(
                    time: Int64(index) * 1_000_000_000, fix: .threeDimensional,
                    latitude: 48.2 + 1e-5 * generator.bell(),
                    longitude: 16.37 + 1e-5 * generator.bell()))
        }
        series.satellites = [
            Satellite(number: 5, elevation: 90, azimuth: 0, signal: 44, isUsed: true),
            Satellite(number: 12, elevation: 0, azimuth: 90, signal: nil, isUsed: false),
        ]
        return series
    }

    @Test func `the circles of a scatter are as far apart as its figures`() throws {
        let series = receiver()
        let measurement = RigMeasurement([.position(series)]).sensors[0]
        let charts = Chart.charts(of: .position(series), measurement).charts
        #expect(charts.map(\.name) == ["scatter", "sky", "distance"])
        let scatter = Document(charts[0].element)
        let radii = scatter.elements.filter { $0.name == "circle" }.compactMap {
            $0.attributes["r"].flatMap(Double.init)
        }
        let figures = try #require(measurement.receiver)
        let expected = try [#require(figures.cep50), #require(figures.radius95), #require(figures.twoDRMS)].map(\.value)
        #expect(radii.count == 3)
        for (radius, figure) in zip(radii, expected) { #expect(abs(radius / radii[0] - figure / expected[0]) < 0.01) }
        // The zenith is the middle, the horizon in the east the rightmost place.
        let sky = Document(charts[1].element)
        let used = try #require(sky.elements.first { $0.attributes["class"] == "used" }).attributes
        let unused = try #require(sky.elements.first { $0.attributes["class"] == "unused" }).attributes
        #expect(used["cx"] == "176" && used["cy"] == "170" && unused["cx"] == "314" && unused["cy"] == "170")
    }

    @Test func `a page is whole, escapes what devices say and needs no other host`() throws {
        let name = "<script>alert(1)</script>\u{202e}&\""
        var chip = Self.chip
        chip.name = name
        var series: [SensorSeries] = [
            .motion(chip.series(chip.atRest, rate: 100, seconds: 2, seed: 7, key: name)), .position(receiver()),
            .controller(ControllerSeries(key: "hci0", name: "hci0", seconds: 1, answers: [0.001, 0.002, 0.001])),
        ]
        var measurement = RigMeasurement(series)
        let header = """
            {"schema":"rigready.measurement/1","takenAt":"2026-11-24T00:00:00.000Z","seconds":10,"sensors":[],
            "rig":{"host":"a<b","kernel":"6","boot":"","source":"live","user":{"name":"root","uid":0}},"exitStatus":0}
            """
        let report = try JSONDecoder().decode(MeasurementReport.self, from: Data(header.utf8))
        let page = measurement.page(report, series)
        let document = Document(page)
        #expect(document.error == nil, "\(document.error ?? "")")
        #expect(document.elements.count { $0.name == "svg" } == 7)
        #expect(!page.contains("<script") && !page.contains("\u{202e}") && document.text.contains("<script>alert(1)"))
        // The one address is the name of the format.
        #expect(
            page.components(separatedBy: "http").count - 1 == page.components(separatedBy: "http-equiv").count - 1
                + page.components(separatedBy: "xmlns=\"http://www.w3.org/2000/svg\"").count - 1)
        #expect(!page.contains("url(") && !page.contains("src="))
        let links = document.elements.compactMap { $0.attributes["href"] }
        #expect(links == ["#s0", "#s1", "#s2"])
        #expect(Set(document.elements.compactMap { $0.attributes["id"] }).isSuperset(of: ["s0", "s1", "s2"]))

        series = []
        measurement = RigMeasurement(series)
        #expect(Document(measurement.page(report, series)).error == nil)
    }

    @Test func `a picture of its own is well-formed, with title and style`() throws {
        let series = Self.chip.series(Self.chip.atRest, rate: 100, seconds: 2, seed: 8)
        for chart in Chart.charts(of: .motion(series), series.measured()).charts {
            let document = Document(chart.file(of: "a & b"))
            #expect(document.error == nil && document.text.contains("a & b: \(chart.title)"))
            #expect(document.elements.contains { $0.name == "style" })
        }
    }

    @Test func `a table has each sample with its time, on the axes of the rig`() throws {
        let mounting = Mounting(matrix: [0, 1, 0, 1, 0, 0, 0, 0, -1], origin: "test")
        let series = Self.chip.series(Self.chip.atRest, rate: 100, seconds: 1, seed: 9, mounting: mounting)
        let table = try #require(SensorSeries.motion(series).csv)
        let lines = String(decoding: table, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first == "time_s,x,y,z" && lines.last == "" && lines.count == 102)
        for (index, line) in lines.dropFirst().dropLast().enumerated() {
            let fields = line.split(separator: ",").map(String.init)
            #expect(Int64(fields[0].replacing(".", with: "")) == series.times[index])
            let values = fields.dropFirst().compactMap(Double.init)
            for (value, (axis, sign)) in zip(values, [(1, 1.0), (0, 1), (2, -1)]) {
                #expect(value == sign * series.axes[axis].value(Double(series.counts[axis][index])))
            }
        }
        #expect(
            SensorSeries.position(receiver()).csv.map { String(decoding: $0.prefix(90), as: UTF8.self) }?.hasPrefix(
                "time_s,fix,latitude,longitude,altitude_m,error_m,receiver_time_s\n0.000000000,3D,") == true)
        let missing = Mounting(matrix: [1, 0, 0, 0, 1, 0, 0, 0, 1], origin: "test")
        var flat = MotionSeries(
            key: "k", kind: .accelerometer, name: "two axes", method: .buffer,
            axes: [ChipAxis("x", scale: 1), ChipAxis("z", scale: 2)], mounting: missing)
        flat.append(time: -1_500_000_000, counts: [3, 4])
        #expect(
            SensorSeries.motion(flat).csv.map { String(decoding: $0, as: UTF8.self) }
                == "time_s,x,y,z\n-1.500000000,3.0,,8.0\n")
    }

    @Test(arguments: [0.0, 1, -1, 1e-9, 1e9, .greatestFiniteMagnitude, .infinity, .nan])
    func `every value has a place and labels`(value: Double) {
        for scale in [Scale([value]), Scale([value, 0]), Scale(logarithmic: [value]), Scale(from: 0, to: value)] {
            #expect(scale.ticks(5).count < 100)
            for tick in scale.ticks(5) { #expect(scale.share(tick.value).isFinite) }
        }
        let histogram = Histogram([value.drawable, 1], step: value)
        #expect(1...48 ~= histogram.counts.count)
    }
}
