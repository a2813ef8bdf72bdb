public import Foundation
internal import Glibc

/// A position as gpsd reported it; a negative speed or course is unknown, as is a value of negative accuracy.
open class CLLocation: NSObject, @unchecked Sendable {
    /// The coordinate.
    public let coordinate: CLLocationCoordinate2D
    /// Metres above mean sea level, or above the ellipsoid if the receiver knows only that.
    public let altitude: CLLocationDistance
    /// Metres above the ellipsoid.
    public internal(set) var ellipsoidalAltitude: CLLocationDistance
    /// The errors of coordinate and altitude in metres; the latter is not positive if the altitude is unknown.
    public let horizontalAccuracy, verticalAccuracy: CLLocationAccuracy
    /// Degrees from true north, and their error.
    public let course: CLLocationDirection, courseAccuracy: CLLocationDirectionAccuracy
    /// Metres per second over ground, and their error.
    public let speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy
    /// The receiver's own time of the position; that of the report if the receiver gives none.
    public let timestamp: Date
    /// The origin of the position; nil if it is unknown.
    public let sourceInformation: CLLocationSourceInformation?

    /// Creates a position; without course and speed, a stationary one.
    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection = -1,
        courseAccuracy: CLLocationDirectionAccuracy = -1, speed: CLLocationSpeed = -1,
        speedAccuracy: CLLocationSpeedAccuracy = -1, timestamp: Date, sourceInfo: CLLocationSourceInformation? = nil
    ) {
        self.coordinate = coordinate
        self.altitude = altitude
        ellipsoidalAltitude = altitude
        self.horizontalAccuracy = horizontalAccuracy
        self.verticalAccuracy = verticalAccuracy
        self.course = course
        self.courseAccuracy = courseAccuracy
        self.speed = speed
        self.speedAccuracy = speedAccuracy
        self.timestamp = timestamp
        sourceInformation = sourceInfo
    }

    /// Creates a position from a coordinate, at the current time.
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
            horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
    }

    /// Metres to another position, along a great circle of a sphere; half a percent off at most.
    open func distance(from location: CLLocation) -> CLLocationDistance { coordinate.distance(to: location.coordinate) }

    /// Coordinate, accuracies, movement and time on one line.
    open override var description: String {
        "<\(coordinate.latitude),\(coordinate.longitude)> +/- \(horizontalAccuracy)m (speed \(speed) mps / "
            + "course \(course)) @ \(timestamp)"
    }
}

/// The origin of a position.
public final class CLLocationSourceInformation: NSObject, Sendable {
    /// Whether the receiver simulates, and whether an accessory produced it: never, since it is part of its rig.
    public let isSimulatedBySoftware, isProducedByAccessory: Bool

    /// Stores both flags.
    public init(softwareSimulationState isSimulated: Bool, andExternalAccessoryState isAccessory: Bool) {
        isSimulatedBySoftware = isSimulated
        isProducedByAccessory = isAccessory
    }
}

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
