/// A frame with two scales inside a drawing.
struct Plot {
    typealias Point = Drawing.Point

    let corner: Point
    let width, height: Double
    let x, y: Scale

    /// Where a pair of values is in the drawing.
    func point(_ x: Double, _ y: Double) -> Point {
        Point(corner.x + self.x.share(x) * width, corner.y + (1 - self.y.share(y)) * height)
    }

    /// Draws frame, grid and labels; `xUnit` is nil where another plot below has the labels.
    func frame(in drawing: inout Drawing, title: String, xUnit: String?, yTicks: Int = 3, xTicks: Int = 5) {
        for tick in y.ticks(yTicks) {
            let place = point(x.low, tick.value)
            drawing.lines([place, Point(corner.x + width, place.y)], "grid")
            drawing.text(tick.label, Point(corner.x - 4, place.y + 4), .end)
        }
        for tick in x.ticks(xTicks) {
            let place = point(tick.value, y.low)
            drawing.lines([Point(place.x, corner.y), Point(place.x, corner.y + height)], "grid")
            if xUnit != nil { drawing.text(tick.label, Point(place.x, corner.y + height + 14), .middle) }
        }
        drawing.box(corner, width: width, height: height, "frame")
        drawing.text(title, Point(corner.x, corner.y - 4), .start, "strong")
        if let xUnit { drawing.text(xUnit, Point(corner.x + width, corner.y + height + 27), .end) }
    }

    /// Draws values over places that grow, with the least and greatest value of each step of a pixel and a half.
    ///
    /// `breaks` are the indices before which the line is interrupted.
    func curve(
        _ places: [Double], _ values: [Double], breaks: Set<Int> = [], in drawing: inout Drawing, _ style: String
    ) {
        let columns = max(Int(width / 1.5), 1)
        var points: [Point?] = []
        var column = Int.min
        var (low, high, place, isRising) = (0.0, 0.0, 0.0, true)
        func flush() {
            guard column != Int.min else { return }
            points.append(point(place, isRising ? low : high))
            if low != high { points.append(point(place, isRising ? high : low)) }
        }
        var last = values.first ?? 0
        for index in values.indices {
            let share = min(max(x.share(places[index]), 0), 1)
            let now = Int(share * Double(columns))
            if breaks.contains(index) {
                flush()
                points.append(nil)
                column = Int.min
            }
            if now != column {
                flush()
                (column, low, high, place) = (now, values[index], values[index], places[index])
                isRising = values[index] >= last
            } else {
                low = min(low, values[index])
                high = max(high, values[index])
            }
            last = values[index]
        }
        flush()
        drawing.lines(points, style)
    }

    /// Shades the plot from one place to another, at least a pixel wide.
    func shade(from first: Double, to last: Double, in drawing: inout Drawing, _ style: String) {
        let from = min(max(x.share(first), 0), 1) * width
        let to = min(max(x.share(last), 0), 1) * width
        drawing.box(Point(corner.x + from, corner.y), width: max(to - from, 1.5), height: height, style)
    }
}
