/// The coarse cells that a reduced location is told by: a tenth of a degree wide.
///
/// The middle of a cell is told and never an average, so that many reports tell no more than one. A position must leave its
/// cell by a margin before the next one is told: else the flicker at a border would give the border away.
package struct CoarseGrid: Sendable, Equatable {
    /// Degrees that a position may be off the middle before it is another cell's.
    private static let reach = 0.06

    private var cell: Cell?

    /// The middle of a cell, in degrees.
    package struct Cell: Sendable, Hashable {
        /// Degrees north.
        package var latitude: Double
        /// Degrees east.
        package var longitude: Double
    }

    /// Makes a grid that has told nothing yet.
    package init() {}

    /// The nearest middle of cells along one axis.
    static func nearest(_ degrees: Double) -> Double { (degrees * 10).rounded() / 10 }

    /// The cell that a position is told by.
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

    /// Metres within which the true position lies, at a latitude in degrees whose cosine is given.
    package static func radius(cosine: Double) -> Double {
        let degree = 111_320.0
        return (reach * degree) * (1 + cosine * cosine).squareRoot()
    }
}
