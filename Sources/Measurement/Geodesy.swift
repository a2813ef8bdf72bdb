internal import Glibc
internal import Readiness

/// The distance between two places on the WGS 84 ellipsoid, in metres, rounded to micrometres.
///
/// Vincenty's inverse formula. Latitudes and longitudes are in degrees. Source: gpsd, `gps/misc.py.in`,
/// `EarthDistance`, which it follows step by step so that the figures are those of gpsprof.
func distance(_ a: GeographicPlace, _ b: GeographicPlace) -> Double {
    guard a != b else { return 0 }
    let equator = 6378137.0
    let flattening = 1 / 298.257223563
    let pole = 6356752.314245
    let reduced1 = atan((1 - flattening) * tan(a.latitude * degree))
    let reduced2 = atan((1 - flattening) * tan(b.latitude * degree))
    let length = (a.longitude - b.longitude) * degree
    let (sin1, cos1, sin2, cos2) = (sin(reduced1), cos(reduced1), sin(reduced2), cos(reduced2))
    var lambda = length
    for _ in 0..<200 {
        let sinLambda = sin(lambda)
        let cosLambda = cos(lambda)
        let across = cos2 * sinLambda
        let along = cos1 * sin2 - sin1 * cos2 * cosLambda
        let sinSigma = (across * across + along * along).squareRoot()
        guard sinSigma != 0 else { return 0 }
        let cosSigma = sin1 * sin2 + cos1 * cos2 * cosLambda
        let sigma = atan2(sinSigma, cosSigma)
        let sinAlpha = cos1 * cos2 * sinLambda / sinSigma
        let cosSquareAlpha = 1 - sinAlpha * sinAlpha
        let cosMiddle = cosSquareAlpha == 0 ? 0 : cosSigma - 2 * sin1 * sin2 / cosSquareAlpha
        let correction = flattening / 16 * cosSquareAlpha * (4 + flattening * (4 - 3 * cosSquareAlpha))
        let previous = lambda
        let inner = cosMiddle + correction * cosSigma * (-1 + 2 * cosMiddle * cosMiddle)
        lambda = length + (1 - correction) * flattening * sinAlpha * (sigma + correction * sinSigma * inner)
        guard abs(lambda - previous) < 1e-12 else { continue }
        let u = cosSquareAlpha * (equator * equator - pole * pole) / (pole * pole)
        let factorA = 1 + u / 16384 * (4096 + u * (-768 + u * (320 - 175 * u)))
        let factorB = u / 1024 * (256 + u * (-128 + u * (74 - 47 * u)))
        let third = factorB / 6 * cosMiddle * (-3 + 4 * sinSigma * sinSigma) * (-3 + 4 * cosMiddle * cosMiddle)
        let second = factorB / 4 * (cosSigma * (-1 + 2 * cosMiddle * cosMiddle) - third)
        let metres = pole * factorA * (sigma - factorB * sinSigma * (cosMiddle + second))
        return (metres * 1e6).rounded(.toNearestOrEven) / 1e6
    }
    return shortDistance(a, b)
}

/// The distance between two places where Vincenty's formula does not converge, in metres.
///
/// Source: gpsd, `gps/misc.py.in`, `EarthDistanceSmall`.
private func shortDistance(_ a: GeographicPlace, _ b: GeographicPlace) -> Double {
    let middle = (a.latitude + b.latitude) / 2 * degree
    let metresPerDegree = 111132.954 - 559.822 * cos(2 * middle) + 1.175 * cos(4 * middle)
    let north = (a.latitude - b.latitude) * metresPerDegree
    let east = (a.longitude - b.longitude) * metresPerDegree * cos(middle)
    return (north * north + east * east).squareRoot()
}

/// A place on the ellipsoid, in degrees.
struct GeographicPlace: Equatable {
    var latitude, longitude: Double
}

/// How far positions are scattered around their mean.
package struct PositionScatter: Sendable, Hashable {
    /// The mean of the positions, in degrees.
    package var latitude, longitude: Double
    /// Each position's offset from the mean, in metres to the north and to the east.
    package var offsets: [Offset]
    /// The figures, in metres: see `ReceiverFigures`.
    package var cep50, radius95, twoDRMS: Estimate
    /// The number of independent positions with as much information on the scatter as these, which are correlated.
    ///
    /// From the correlation ρ of neighbours: n (1 − ρ²) / (1 + ρ²). Source: Bayley and Hammersley, "The Effective Number
    /// of Independent Observations in an Autocorrelated Time Series", for squares.
    package var independentPositions: Double

    /// An offset from the mean position, in metres.
    package struct Offset: Sendable, Hashable {
        /// Metres to the north and to the east.
        package var north, east: Double
    }

    /// Computes the scatter of the reports that have a position; nil for fewer than two.
    ///
    /// `radius95` is the distance, in metres, at 95 % of the positions in order of distance. gpsprof orders them by
    /// distance in degrees, so that away from the equator it may take a neighbour of it. Its uncertainty is that of
    /// positions along a line, the greatest of all shapes. Source: gpsd, `clients/gpsprof.py.in`, `gps/misc.py.in`,
    /// `MeterOffset`.
    package init?(_ reports: [PositionReport]) {
        var places = reports.compactMap(\.place)
        guard places.count > 1 else { return nil }
        // Across the meridian of 180°.
        for index in places.indices.dropFirst() {
            let difference = places[index].longitude - places[0].longitude
            if difference > 180 { places[index].longitude -= 360 }
            if difference < -180 { places[index].longitude += 360 }
        }
        let count = Double(places.count)
        let centre = GeographicPlace(
            latitude: places.reduce(0) { $0 + $1.latitude } / count,
            longitude: places.reduce(0) { $0 + $1.longitude } / count)
        offsets = places.map { place in
            let north = distance(place, GeographicPlace(latitude: centre.latitude, longitude: place.longitude))
            let east = distance(place, GeographicPlace(latitude: place.latitude, longitude: centre.longitude))
            return Offset(
                north: place.latitude < centre.latitude ? -north : north,
                east: place.longitude < centre.longitude ? -east : east)
        }
        latitude = centre.latitude
        longitude = centre.longitude
        func deviation(_ values: [Double]) -> Double {
            let mean = values.reduce(0, +) / count
            return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)).squareRoot()
        }
        let north = deviation(offsets.map(\.north))
        let east = deviation(offsets.map(\.east))
        let distances = places.map { distance(centre, $0) }.sorted()
        var (squares, products) = (0.0, 0.0)
        for (index, offset) in offsets.enumerated() {
            squares += offset.north * offset.north + offset.east * offset.east
            guard index > 0 else { continue }
            products += offset.north * offsets[index - 1].north + offset.east * offsets[index - 1].east
        }
        let correlation = squares > 0 ? min(max(products / squares, 0), 1) : 0
        let square = correlation * correlation
        independentPositions = max(count * (1 - square) / (1 + square), 1)
        let relative = relativeUncertaintyOfDeviation(freedom: Int(independentPositions) - 1)
        let both = (north * north + east * east).squareRoot()
        cep50 = Estimate(0.5887 * (north + east), relative: both > 0 ? relative * both / (north + east) : 0)
        let ofSquares = (north * north * north * north + east * east * east * east).squareRoot()
        twoDRMS = Estimate(2 * both, relative: both > 0 ? relative * ofSquares / (both * both) : 0)
        radius95 = Estimate(
            distances[Int(count * 0.95)], relative: relativeUncertaintyOfWidth(count: independentPositions))
    }
}

extension PositionScatter {
    /// The least number of positions of which one is expected beyond the radius that holds 95 % of them.
    static let leastPositions = 20

    /// The number of positions, each as dependent on its neighbours as these, that would tell whether `radius95` is above
    /// a limit.
    func positions(toTell limit: Double) -> Double {
        let share = abs(limit - radius95.value) / radius95.value
        let independent = relativeUncertaintyOfWidth(count: 1) / share
        let each = Double(offsets.count) / independentPositions
        return max(independent * independent * each, Double(Self.leastPositions))
    }
}
