internal import Readiness
internal import Measurement

/// A drawing as SVG, in units of a CSS pixel at its natural size.
///
/// Its shapes have classes, whose style `Chart.style` gives. Source: SVG 2.
struct Drawing {
    /// A place in the drawing: to the right and down.
    struct Point {
        var x, y: Double

        init(_ x: Double, _ y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// Where a text is anchored.
    enum Anchor: String { case start, middle, end }

    let width, height: Double
    private(set) var shapes = ""

    /// Draws lines from point to point; a nil point interrupts them.
    mutating func lines(_ points: [Point?], _ style: String) {
        var path = ""
        var isDrawing = false
        for point in points {
            guard let point else {
                isDrawing = false
                continue
            }
            path += (isDrawing ? "L" : "M") + point.words
            isDrawing = true
        }
        if !path.isEmpty { shapes += "<path class=\"\(style)\" d=\"\(path)\"/>" }
    }

    mutating func box(_ corner: Point, width: Double, height: Double, _ style: String) {
        shapes +=
            "<rect class=\"\(style)\" x=\"\(corner.x.place)\" y=\"\(corner.y.place)\" width=\"\(max(width, 0).place)\""
            + " height=\"\(max(height, 0).place)\"/>"
    }

    mutating func circle(_ centre: Point, radius: Double, _ style: String) {
        shapes +=
            "<circle class=\"\(style)\" cx=\"\(centre.x.place)\" cy=\"\(centre.y.place)\" r=\"\(radius.place)\"/>"
    }

    /// Draws small filled dots, all in one shape.
    mutating func dots(_ points: [Point], _ style: String) {
        guard !points.isEmpty else { return }
        shapes += "<path class=\"\(style)\" d=\"\(points.map { "M\($0.words)h0" }.joined())\"/>"
    }

    mutating func text(_ text: String, _ place: Point, _ anchor: Anchor = .start, _ style: String = "") {
        let attributes =
            (anchor == .start ? "" : " text-anchor=\"\(anchor.rawValue)\"")
            + (style.isEmpty ? "" : " class=\"\(style)\"")
        shapes += "<text x=\"\(place.x.place)\" y=\"\(place.y.place)\"\(attributes)>\(text.xml)</text>"
    }
}

extension Drawing.Point {
    fileprivate var words: String { "\(x.place) \(y.place)" }
}

extension Double {
    /// A coordinate with at most one decimal, in bounds that every viewer takes.
    fileprivate var place: String {
        guard isFinite else { return "0" }
        let tenths = Int64((Swift.min(Swift.max(self, -9999), 9999) * 10).rounded())
        return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : tenths.decimal(1)
    }
}
