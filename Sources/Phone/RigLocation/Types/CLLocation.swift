public import Foundation

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
