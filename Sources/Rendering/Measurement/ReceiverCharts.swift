internal import Readiness
internal import Glibc
internal import Measurement

extension Chart {
    private static let side = 300.0

    static func receiverCharts(of series: PositionSeries, _ measurement: SensorMeasurement) -> [Chart] {
        var charts: [Chart] = []
        let scatter = PositionScatter(series.positions)
        let isMoving = measurement.receiver?.isMoving == true
        if let scatter { charts.append(self.scatter(scatter, isMoving: isMoving)) }
        // Beside the scatter, which is as high; the lower picture fits below both on paper.
        if series.satellites.contains(where: { $0.elevation != nil && $0.azimuth != nil }) {
            charts.append(sky(series.satellites))
        }
        if let scatter { charts.append(distances(series, measurement, scatter)) }
        return charts
    }

    /// The positions around their mean, with the circles of CEP, 95 % and 2DRMS of a receiver that stands still.
    private static func scatter(_ scatter: PositionScatter, isMoving: Bool) -> Chart {
        let farthest = scatter.offsets.reduce(0) { max($0, abs($1.north), abs($1.east)) }
        let radius = max(farthest, scatter.twoDRMS.value, scatter.radius95.value, 0.5) * 1.1
        var drawing = Drawing(width: side + 52, height: side + 66)
        let plot = Plot(
            corner: Drawing.Point(44, 18), width: side, height: side, x: Scale(from: -radius, to: radius),
            y: Scale(from: -radius, to: radius))
        plot.frame(in: &drawing, title: "Metres to the north", xUnit: "metres to the east", yTicks: 5)
        // A dot a pixel is enough, however many positions there are.
        var places: Set<[Int]> = []
        let points = scatter.offsets.map { plot.point($0.east, $0.north) }
        drawing.dots(points.filter { places.insert([Int($0.x * 2), Int($0.y * 2)]).inserted }, "points")
        let circles = [
            ("CEP", scatter.cep50.value, "ring"), ("95 %", scatter.radius95.value, "ring dash"),
            ("2DRMS", scatter.twoDRMS.value, "ring dot"),
        ]
        let unit = PrefixedUnit("m", for: circles.map(\.1))
        for ((name, radius, style), left) in zip(isMoving ? [] : circles, [4.0, 110, 222]) {
            let centre = plot.point(0, 0)
            drawing.circle(centre, radius: plot.point(radius, 0).x - centre.x, style)
            let place = Drawing.Point(left, side + 58)
            drawing.lines([place, Drawing.Point(place.x + 18, place.y)], style)
            drawing.text("\(name) \(unit.number(radius)) \(unit.name)", Drawing.Point(place.x + 22, place.y + 4))
        }
        return Chart(
            name: "scatter", title: isMoving ? "The positions of the moving receiver" : "Scatter of the positions",
            caption: "Each position relative to the mean"
                + (isMoving ? "." : "; half of them are expected within the CEP."), drawing: drawing)
    }

    /// The distance from the mean position over time.
    private static func distances(
        _ series: PositionSeries, _ measurement: SensorMeasurement, _ scatter: PositionScatter
    ) -> Chart {
        func seconds(_ time: Int64) -> Double { Double(time &- series.began) * 1e-9 }
        let places = series.positions.filter(\.hasPlace).map { seconds($0.time) }
        let values = scatter.offsets.map { ($0.north * $0.north + $0.east * $0.east).squareRoot() }
        let end = series.ended.map(seconds) ?? places.last ?? 0
        let least = 0.1
        let unit = PrefixedUnit("m", for: values + [least])
        var drawing = Drawing(width: 352, height: 200)
        let plot = Plot(
            corner: Drawing.Point(54, 18), width: 290, height: 148, x: Scale(from: 0, to: max(end, places.last ?? 0)),
            y: Scale(values, in: unit, least: least, includesZero: true))
        plot.frame(in: &drawing, title: "\(unit.name) from the mean position", xUnit: "seconds", yTicks: 4)
        for gap in measurement.gaps ?? [] {
            let time = gap.index.map { seconds(series.positions[$0].time) } ?? end
            plot.shade(from: time - gap.seconds, to: time, in: &drawing, "gap")
        }
        for jump in (measurement.receiver?.jumps ?? []).prefix(SampleGap.listLimit) {
            let times = series.positions[...jump.index].suffix(2).map { seconds($0.time) }
            plot.shade(from: times.first ?? 0, to: times.last ?? 0, in: &drawing, "gap")
        }
        plot.curve(places, values, in: &drawing, "z")
        return Chart(
            name: "distance", title: "Distance from the mean position",
            caption: "Reflections or a changing sky cause a slow drift; a lost satellite causes a jump.",
            drawing: drawing)
    }

    /// The satellites over the rig, the zenith in the middle and north at the top.
    private static func sky(_ satellites: [Satellite]) -> Chart {
        var drawing = Drawing(width: side + 52, height: side + 50)
        let centre = Drawing.Point(side / 2 + 26, side / 2 + 20)
        let radius = side / 2 - 12
        for elevation in [0.0, 30, 60] {
            drawing.circle(centre, radius: radius * (90 - elevation) / 90, elevation == 0 ? "ring" : "grid")
            if elevation > 0 {
                drawing.text(
                    "\(Int(elevation))°", Drawing.Point(centre.x + 2, centre.y - radius * (90 - elevation) / 90 - 2))
            }
        }
        drawing.lines([Drawing.Point(centre.x - radius, centre.y), Drawing.Point(centre.x + radius, centre.y)], "grid")
        drawing.lines([Drawing.Point(centre.x, centre.y - radius), Drawing.Point(centre.x, centre.y + radius)], "grid")
        drawing.text("N", Drawing.Point(centre.x, centre.y - radius - 5), .middle, "strong")
        drawing.text("S", Drawing.Point(centre.x, centre.y + radius + 13), .middle, "strong")
        drawing.text("E", Drawing.Point(centre.x + radius + 5, centre.y + 4), .start, "strong")
        drawing.text("W", Drawing.Point(centre.x - radius - 5, centre.y + 4), .end, "strong")
        for satellite in satellites {
            guard let elevation = satellite.elevation, let azimuth = satellite.azimuth, elevation >= 0 else { continue }
            let angle = azimuth * Double.pi / 180
            let distance = radius * (90 - elevation) / 90
            let place = Drawing.Point(centre.x + distance * sin(angle), centre.y - distance * cos(angle))
            // The stronger, the larger: 10 to 50 dB-Hz.
            let size = satellite.signal.map { 2.5 + min(max($0 - 10, 0), 40) / 10 } ?? 2
            drawing.circle(place, radius: size, satellite.isUsed ? "used" : "unused")
            if let number = satellite.number {
                drawing.text("\(number)", Drawing.Point(place.x + size + 2, place.y + 4))
            }
        }
        drawing.circle(Drawing.Point(10, side + 42), radius: 5, "used")
        drawing.text("used", Drawing.Point(19, side + 46))
        drawing.circle(Drawing.Point(60, side + 42), radius: 5, "unused")
        drawing.text("seen; larger: stronger signal", Drawing.Point(69, side + 46))
        return Chart(
            name: "sky", title: "Satellites in the sky",
            caption: "The satellites of the last report, with their numbers. "
                + "If one side is empty, an obstacle blocks the sky there.",
            drawing: drawing)
    }

    /// The time of each answer of a controller, in order.
    static func controllerCharts(of series: ControllerSeries) -> [Chart] {
        guard series.answers.count > 1 else { return [] }
        let unit = PrefixedUnit("s", for: series.answers)
        var drawing = Drawing(width: 352, height: 170)
        let plot = Plot(
            corner: Drawing.Point(54, 18), width: 290, height: 118,
            x: Scale(from: 1, to: Double(series.answers.count)), y: Scale(series.answers, in: unit, includesZero: true))
        plot.frame(in: &drawing, title: "Answer time in \(unit.name)", xUnit: "question")
        plot.curve(series.answers.indices.map { Double($0 + 1) }, series.answers, in: &drawing, "z")
        return [
            Chart(
                name: "answers", title: "Answers of the controller",
                caption: "How long the management socket took for each answer.", drawing: drawing)
        ]
    }
}
