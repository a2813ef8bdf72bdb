internal import Glibc

/// Degrees of latitude or longitude.
public typealias CLLocationDegrees = Double
/// A distance in metres.
public typealias CLLocationDistance = Double
/// A radius in metres.
public typealias CLLocationAccuracy = Double
/// A speed in metres per second.
public typealias CLLocationSpeed = Double
/// An accuracy in metres per second.
public typealias CLLocationSpeedAccuracy = Double
/// Degrees from true north.
public typealias CLLocationDirection = Double
/// An accuracy in degrees.
public typealias CLLocationDirectionAccuracy = Double

/// The receiver's best accuracy, which no further sensors improve on Linux.
public let kCLLocationAccuracyBestForNavigation = -2.0, kCLLocationAccuracyBest = -1.0
/// Accuracies in metres.
public let kCLLocationAccuracyNearestTenMeters = 10.0, kCLLocationAccuracyHundredMeters = 100.0,
    kCLLocationAccuracyKilometer = 1000.0, kCLLocationAccuracyThreeKilometers = 3000.0
/// Accuracy as with reduced accuracy.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = .greatestFiniteMagnitude
/// Distances that report every movement, and that set no limit.
public let kCLDistanceFilterNone = -1.0, CLLocationDistanceMax = Double.greatestFiniteMagnitude

/// A coordinate on Earth, WGS 84.
public struct CLLocationCoordinate2D: Sendable {
    /// Degrees north of the equator, and east of the zero meridian.
    public var latitude, longitude: CLLocationDegrees

    /// Creates a coordinate; 0, 0 by default.
    public init(latitude: CLLocationDegrees = 0, longitude: CLLocationDegrees = 0) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Metres along a great circle of a sphere of the Earth's mean radius; off by half a percent at most.
    func distance(to other: CLLocationCoordinate2D) -> CLLocationDistance {
        let radians = Double.pi / 180
        let rise = sin((other.latitude - latitude) * radians / 2)
        let turn = sin((other.longitude - longitude) * radians / 2)
        let square = rise * rise + cos(latitude * radians) * cos(other.latitude * radians) * turn * turn
        return 2 * 6_371_008.8 * asin(min(1, square.squareRoot()))
    }
}

/// Creates a coordinate.
public func CLLocationCoordinate2DMake(_ latitude: Double, _ longitude: Double) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Whether a coordinate is valid.
public func CLLocationCoordinate2DIsValid(_ place: CLLocationCoordinate2D) -> Bool {
    abs(place.latitude) <= 90 && abs(place.longitude) <= 180
}

/// An invalid coordinate.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)
