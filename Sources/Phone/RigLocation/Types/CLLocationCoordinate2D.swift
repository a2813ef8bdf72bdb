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

/// The best accuracy, with further sensors; on Linux that of the receiver.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// The receiver's best accuracy.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// Accuracy of ten metres.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// Accuracy of a hundred metres.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// Accuracy of a kilometre.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
/// Accuracy of three kilometres.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3000
/// Accuracy as with reduced accuracy.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = .greatestFiniteMagnitude
/// Reports every movement.
public let kCLDistanceFilterNone: CLLocationDistance = -1
/// Sets no limit of distance.
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude

/// A coordinate on Earth, WGS 84.
public struct CLLocationCoordinate2D: Sendable {
    /// Degrees north of the equator.
    public var latitude: CLLocationDegrees
    /// Degrees east of the zero meridian.
    public var longitude: CLLocationDegrees

    /// Creates a coordinate.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Creates the coordinate 0, 0.
    public init() { self.init(latitude: 0, longitude: 0) }

    /// Metres to another coordinate, along a great circle of a sphere of the Earth's mean radius; off by half a percent
    /// at most.
    func distance(to other: CLLocationCoordinate2D) -> CLLocationDistance {
        let radians = Double.pi / 180
        let rise = sin((other.latitude - latitude) * radians / 2)
        let turn = sin((other.longitude - longitude) * radians / 2)
        let square = rise * rise + cos(latitude * radians) * cos(other.latitude * radians) * turn * turn
        return 2 * 6_371_008.8 * asin(min(1, square.squareRoot()))
    }
}

/// Creates a coordinate.
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Whether a coordinate is valid.
public func CLLocationCoordinate2DIsValid(_ place: CLLocationCoordinate2D) -> Bool {
    abs(place.latitude) <= 90 && abs(place.longitude) <= 180
}

/// An invalid coordinate.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)
