import Readiness
import Testing
@testable import Measurement

/// Distances on the ellipsoid.
@Suite struct GeodesyTests {
    /// Source: Geoscience Australia, "Geocentric Datum of Australia Technical Manual", the worked example of Vincenty's
    /// inverse formula.
    @Test func `from Flinders Peak to Buninyong`() {
        let flindersPeak = GeographicPlace(latitude: -37.951033417, longitude: 144.424867889)
        let buninyong = GeographicPlace(latitude: -37.652821139, longitude: 143.926495528)
        #expect(abs(distance(flindersPeak, buninyong) - 54_972.271) < 0.001)
        #expect(distance(flindersPeak, buninyong) == distance(buninyong, flindersPeak))
    }

    /// Source: GeographicLib 2, which solves the same without Vincenty's series.
    @Test(
        arguments: [
            (40.6, -73.8, 51.6, -0.5, 5_551_759.4003), (45, 0, 45, 60, 4_617_412.5198),
            (10, 0, 35, 140, 13_494_641.5420),
        ] as [(Double, Double, Double, Double, Double)])
    func `across an ocean to half a millimetre`(
        latitude: Double, longitude: Double, latitude2: Double, longitude2: Double, metres: Double
    ) {
        let one = GeographicPlace(latitude: latitude, longitude: longitude)
        let other = GeographicPlace(latitude: latitude2, longitude: longitude2)
        #expect(abs(distance(one, other) - metres) < 0.0005)
    }

    @Test func `an offset is to the north and to the east`() throws {
        let reports = [(52.0, 13.0), (52.00002, 13.00002)].map {
            PositionReport(time: 0, fix: .twoDimensional, latitude: $0, longitude: $1)
        }
        let offsets = try #require(PositionScatter(reports)).offsets
        #expect(zip(offsets.map(\.north), [-1.11, 1.11]).allSatisfy { abs($0 - $1) < 0.01 })
        #expect(zip(offsets.map(\.east), [-0.69, 0.69]).allSatisfy { abs($0 - $1) < 0.01 })
    }
}
