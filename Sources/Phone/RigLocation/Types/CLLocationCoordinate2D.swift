internal import Glibc

/// Degrees of latitude or longitude.
public typealias CLLocationDegrees = Double
/// Metres.
public typealias CLLocationDistance = Double
/// Metres of radius.
public typealias CLLocationAccuracy = Double
/// Metres per second.
public typealias CLLocationSpeed = Double
/// Metres per second.
public typealias CLLocationSpeedAccuracy = Double
/// Degrees from true north.
public typealias CLLocationDirection = Double
/// Degrees.
public typealias CLLocationDirectionAccuracy = Double

/// As exactly as can be, with sensors beside the receiver; on Linux the receiver alone.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// As exactly as the receiver does.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// Ten metres.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// A hundred metres.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// A kilometre.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
/// Three kilometres.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3000
/// As coarsely as with reduced accuracy.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = .greatestFiniteMagnitude
/// Every movement counts.
public let kCLDistanceFilterNone: CLLocationDistance = -1
/// No distance is too long.
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude

/// A place on Earth, WGS 84.
public struct CLLocationCoordinate2D: Sendable {
    /// Degrees north of the equator.
    public var latitude: CLLocationDegrees
    /// Degrees east of the zero meridian.
    public var longitude: CLLocationDegrees

    /// Makes a place.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Makes the place of no latitude and longitude.
    public init() { self.init(latitude: 0, longitude: 0) }

    /// Metres to another place, along a great circle of a sphere of the Earth's mean radius; off by half a percent at most.
    func distance(to other: CLLocationCoordinate2D) -> CLLocationDistance {
        let radians = Double.pi / 180
        let rise = sin((other.latitude - latitude) * radians / 2)
        let turn = sin((other.longitude - longitude) * radians / 2)
        let square = rise * rise + cos(latitude * radians) * cos(other.latitude * radians) * turn * turn
        return 2 * 6_371_008.8 * asin(min(1, square.squareRoot()))
    }
}

/// Makes a place.
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Whether a place is one on Earth.
public func CLLocationCoordinate2DIsValid(_ place: CLLocationCoordinate2D) -> Bool {
    abs(place.latitude) <= 90 && abs(place.longitude) <= 180
}

/// No place.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)
