import Glibc
import Readiness
import Testing

/// What a coarse cell discloses.
@Suite struct CoarseGridTests {
    private struct Generator: RandomNumberGenerator {
        var state: UInt64 = 0x9e37_79b9_7f4a_7c15
        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }

    /// At the border of two cells, where rounding alone would alternate and its mean disclose the border.
    @Test(arguments: [(52.55, 13.45), (0.05, 179.95), (-33.85, -0.05), (52.5, 13.4)])
    func `the noise of a stationary receiver gives one cell`(latitude: Double, longitude: Double) {
        var generator = Generator()
        var grid = CoarseGrid()
        var cells: Set<CoarseGrid.Cell> = []
        for _ in 0..<10_000 {
            let cell = grid.cell(
                latitude: latitude + .random(in: -0.0005...0.0005, using: &generator),
                longitude: longitude + .random(in: -0.0005...0.0005, using: &generator))
            cells.insert(cell)
        }
        #expect(cells.count == 1)
    }

    @Test func `the position is within the radius everywhere`() {
        var generator = Generator()
        var grid = CoarseGrid()
        var place = (latitude: 0.0, longitude: 0.0)
        for _ in 0..<20_000 {
            place.latitude = min(89, max(-89, place.latitude + .random(in: -0.05...0.05, using: &generator)))
            place.longitude = (place.longitude + .random(in: -0.05...0.05, using: &generator)).remainder(
                dividingBy: 360)
            let cell = grid.cell(latitude: place.latitude, longitude: place.longitude)
            let cosine = cos(place.latitude * .pi / 180)
            let north = (place.latitude - cell.latitude) * 111_320
            let east = (place.longitude - cell.longitude).remainder(dividingBy: 360) * 111_320 * cosine
            let widest = cos(max(0, abs(cell.latitude) - 0.06) * .pi / 180)
            #expect((north * north + east * east).squareRoot() <= CoarseGrid.radius(cosine: widest) * 1.000_001)
            #expect(abs(cell.latitude * 10 - (cell.latitude * 10).rounded()) < 1e-9)
        }
    }

    @Test func `a position that leaves a cell by a margin gets the next one`() {
        var grid = CoarseGrid()
        #expect(grid.cell(latitude: 52.5, longitude: 13.4).latitude == 52.5)
        #expect(grid.cell(latitude: 52.559, longitude: 13.4).latitude == 52.5)
        #expect(grid.cell(latitude: 52.561, longitude: 13.4).latitude == 52.6)
        #expect(grid.cell(latitude: 52.545, longitude: 13.4).latitude == 52.6)
    }
}
