public import Foundation

/// A position as gpsd reported it.
///
/// A negative accuracy, speed or course means that the corresponding value, or the value itself, is unknown.
open class CLLocation: NSObject, @unchecked Sendable {
    /// The coordinate.
    public let coordinate: CLLocationCoordinate2D
    /// Metres above mean sea level, or above the ellipsoid if the receiver knows only that.
    public let altitude: CLLocationDistance
    /// Metres above the ellipsoid.
    public let ellipsoidalAltitude: CLLocationDistance
    /// The error of the coordinate in metres.
    public let horizontalAccuracy: CLLocationAccuracy
    /// The error of the altitude in metres; not positive if the altitude is unknown.
    public let verticalAccuracy: CLLocationAccuracy
    /// Degrees from true north.
    public let course: CLLocationDirection
    /// The error of the course in degrees.
    public let courseAccuracy: CLLocationDirectionAccuracy
    /// Metres per second over ground.
    public let speed: CLLocationSpeed
    /// The error of the speed in metres per second.
    public let speedAccuracy: CLLocationSpeedAccuracy
    /// The receiver's own time of the position; that of the report if the receiver gives none.
    public let timestamp: Date
    /// The origin of the position; nil if it is unknown.
    public let sourceInformation: CLLocationSourceInformation?

    init(
        _ coordinate: CLLocationCoordinate2D, altitude: Double = 0, ellipsoidalAltitude: Double? = nil,
        horizontalAccuracy: Double, verticalAccuracy: Double = -1, course: Double = -1, courseAccuracy: Double = -1,
        speed: Double = -1, speedAccuracy: Double = -1, timestamp: Date, source: CLLocationSourceInformation? = nil
    ) {
        self.coordinate = coordinate
        self.altitude = altitude
        self.ellipsoidalAltitude = ellipsoidalAltitude ?? altitude
        self.horizontalAccuracy = horizontalAccuracy
        self.verticalAccuracy = verticalAccuracy
        self.course = course
        self.courseAccuracy = courseAccuracy
        self.speed = speed
        self.speedAccuracy = speedAccuracy
        self.timestamp = timestamp
        sourceInformation = source
    }

    /// Creates a position from a coordinate, at the current time.
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.init(
            CLLocationCoordinate2D(latitude: latitude, longitude: longitude), horizontalAccuracy: 0,
            timestamp: Date())
    }

    /// Creates a stationary position.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, timestamp: Date
    ) {
        self.init(
            coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, timestamp: timestamp)
    }

    /// Creates a moving position.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
    ) {
        self.init(
            coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, course: course, speed: speed, timestamp: timestamp)
    }

    /// Creates a moving position, with its errors and its source.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection, courseAccuracy: CLLocationDirectionAccuracy,
        speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date,
        sourceInfo: CLLocationSourceInformation
    ) {
        self.init(
            coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, course: course, courseAccuracy: courseAccuracy, speed: speed,
            speedAccuracy: speedAccuracy, timestamp: timestamp, source: sourceInfo)
    }

    /// Metres to another position, along a great circle of a sphere; half a percent off at most.
    open func distance(from location: CLLocation) -> CLLocationDistance {
        coordinate.distance(to: location.coordinate)
    }

    /// Coordinate, accuracies, movement and time on one line.
    open override var description: String {
        "<\(coordinate.latitude),\(coordinate.longitude)> +/- \(horizontalAccuracy)m (speed \(speed) mps / "
            + "course \(course)) @ \(timestamp)"
    }
}

/// The origin of a position.
public final class CLLocationSourceInformation: NSObject, Sendable {
    /// Whether the receiver reports that it simulates.
    public let isSimulatedBySoftware: Bool
    /// Whether an accessory produced it; always false, since a receiver is part of its rig.
    public let isProducedByAccessory: Bool

    /// Stores both flags.
    public init(softwareSimulationState isSimulated: Bool, andExternalAccessoryState isAccessory: Bool) {
        isSimulatedBySoftware = isSimulated
        isProducedByAccessory = isAccessory
    }
}
