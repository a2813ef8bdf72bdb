import Foundation
import Measurement
import Readiness
import Testing
@testable import Rendering

/// What `oracles.py` wrote.
struct Oracles: Decodable {
    struct Allan: Decodable, Sendable, CustomTestStringConvertible {
        var seed: UInt64
        var count: Int
        var rate, noise, walk: Double
        var taus, deviations: [Double]
        var testDescription: String { "\(count) values at \(rate) Hz" }
    }

    struct Scatter: Decodable, Sendable, CustomTestStringConvertible {
        var seed: UInt64
        var count: Int
        var latitude, longitude, north, east: Double
        var cep50, twoDRMS, radius95: Double
        var testDescription: String { "\(count) positions at \(latitude), \(longitude)" }
    }

    struct Spectrum: Decodable, Sendable, CustomTestStringConvertible {
        var seed: UInt64
        var count, length: Int
        var rate, noise, tone: Double
        var indices: [Int]
        var frequencies, densities: [Double]
        var testDescription: String { "\(count) values at \(rate) Hz" }
    }

    var allan: [Allan]
    var spectra: [Spectrum]
    var scatter: [Scatter]

    static let all: Oracles = {
        do {
            return try JSONDecoder().decode(Oracles.self, from: Data(PackageResources.oracles_json))
        } catch {
            fatalError("oracles.json: \(error)")
        }
    }()
}

@Suite("Measurement beside other programs") struct OracleTests {
    private func isClose(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= 1e-9 * abs(b) }

    @Test(arguments: Oracles.all.allan)
    func `the Allan deviation is that of allantools`(oracle: Oracles.Allan) {
        var generator = Generator(seed: oracle.seed)
        var drift = 0.0
        let values = (0..<oracle.count).map { _ in
            drift += oracle.walk * generator.bell()
            return drift + oracle.noise * generator.bell()
        }
        let points = AllanDeviation.overlapping(values, rate: oracle.rate)
        #expect(points.count == oracle.taus.count)
        for (point, (tau, deviation)) in zip(points, zip(oracle.taus, oracle.deviations)) {
            #expect(isClose(point.tau, tau))
            #expect(isClose(point.deviation.value, deviation))
        }
    }

    @Test(arguments: Oracles.all.spectra)
    func `the spectrum is that of scipy`(oracle: Oracles.Spectrum) throws {
        var generator = Generator(seed: oracle.seed)
        let values = (0..<oracle.count).map { index in
            oracle.noise * generator.bell() + 9.8 + oracle.tone * (Double(index * 7 % 16) - 7.5)
        }
        let spectrum = try #require(SpectralDensity(values, rate: oracle.rate))
        #expect(spectrum.densities.count == oracle.length / 2)
        for (index, (frequency, density)) in zip(oracle.indices, zip(oracle.frequencies, oracle.densities)) {
            #expect(isClose(spectrum.frequencies[index], frequency))
            #expect(isClose(spectrum.densities[index], density))
        }
    }

    @Test(arguments: Oracles.all.scatter)
    func `the scatter of positions is that of gpsprof`(oracle: Oracles.Scatter) throws {
        var generator = Generator(seed: oracle.seed)
        let reports = (0..<oracle.count).map { index in
            let latitude = oracle.latitude + oracle.north * generator.bell()
            return PositionReport(
                time: Int64(index) * 1_000_000_000, fix: .threeDimensional, latitude: latitude,
                longitude: oracle.longitude + oracle.east * generator.bell())
        }
        let scatter = try #require(PositionScatter(reports))
        #expect(isClose(scatter.cep50.value, oracle.cep50))
        #expect(isClose(scatter.twoDRMS.value, oracle.twoDRMS))
        #expect(isClose(scatter.radius95.value, oracle.radius95))
    }

    @Test func `positions on both sides of the meridian of 180 degrees are near each other`() throws {
        let reports = [179.99999, -179.99999, 179.99998].map {
            PositionReport(time: 0, fix: .twoDimensional, latitude: -17, longitude: $0)
        }
        #expect(try #require(PositionScatter(reports)).twoDRMS.value < 10)
    }
}
