/// The grid of cells, a tenth of a degree wide, to which a reduced location is rounded.
///
/// It returns the centre of a cell and never an average, so that many reports reveal no more than one. A position must
/// leave its cell by a margin before the next one is returned; otherwise alternation at a border would reveal the
/// border.
package struct CoarseGrid: Sendable, Equatable {
    /// The distance in degrees from the centre within which a position stays in its cell.
    private static let reach = 0.06

    private var cell: Cell?

    package struct Cell: Sendable, Hashable {
        package var latitude: Double
        package var longitude: Double
    }

    package init() {}

    /// Returns the nearest cell centre along one axis.
    static func nearest(_ degrees: Double) -> Double { (degrees * 10).rounded() / 10 }

    package mutating func cell(latitude: Double, longitude: Double) -> Cell {
        if let cell, abs(latitude - cell.latitude) <= Self.reach,
            abs((longitude - cell.longitude).remainder(dividingBy: 360)) <= Self.reach
        {
            return cell
        }
        let found = Cell(latitude: Self.nearest(latitude), longitude: Self.nearest(longitude))
        cell = found
        return found
    }

    /// The radius in metres that contains the true position, at a latitude of the given cosine.
    package static func radius(cosine: Double) -> Double {
        let degree = 111_320.0
        return (reach * degree) * (1 + cosine * cosine).squareRoot()
    }
}
