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

    @Test func `an offset is to the north and to the east`() throws {
        let reports = [(52.0, 13.0), (52.00002, 13.00002)].map {
            PositionReport(time: 0, fix: .twoDimensional, latitude: $0, longitude: $1)
        }
        let offsets = try #require(PositionScatter(reports)).offsets
        #expect(zip(offsets.map(\.north), [-1.11, 1.11]).allSatisfy { abs($0 - $1) < 0.01 })
        #expect(zip(offsets.map(\.east), [-0.69, 0.69]).allSatisfy { abs($0 - $1) < 0.01 })
    }
}
