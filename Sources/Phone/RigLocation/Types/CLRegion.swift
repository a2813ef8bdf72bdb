public import Foundation

/// Whether the device is within a region.
@nonexhaustive(warn)
public enum CLRegionState: Int, Sendable {
    case unknown, inside, outside
}

/// An area to be monitored; on Linux regions can be described but not monitored.
open class CLRegion: NSObject, @unchecked Sendable {
    /// The name that the app gave it.
    public let identifier: String

    init(identifier: String) { self.identifier = identifier }
}

/// A circle on the ground.
open class CLCircularRegion: CLRegion, @unchecked Sendable {
    /// Its centre.
    public let center: CLLocationCoordinate2D
    /// Its radius in metres.
    public let radius: CLLocationDistance

    /// Creates a circle.
    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
        self.center = center
        self.radius = radius
        super.init(identifier: identifier)
    }

    /// Whether a coordinate is inside.
    open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool { center.distance(to: coordinate) <= radius }
}

/// The major number of a beacon.
public typealias CLBeaconMajorValue = UInt16
/// The minor number of a beacon.
public typealias CLBeaconMinorValue = UInt16

/// The beacons to match.
open class CLBeaconIdentityConstraint: NSObject, @unchecked Sendable {
    /// The beacons' identifier.
    public let uuid: UUID
    /// The major number and the minor one; nil for any.
    public let major: CLBeaconMajorValue?, minor: CLBeaconMinorValue?

    /// Makes a constraint.
    public init(uuid: UUID, major: CLBeaconMajorValue? = nil, minor: CLBeaconMinorValue? = nil) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
    }
}

/// The area around some beacons.
open class CLBeaconRegion: CLRegion, @unchecked Sendable {
    /// The beacons to match.
    public let beaconIdentityConstraint: CLBeaconIdentityConstraint

    /// Creates a region of the matching beacons.
    public init(beaconIdentityConstraint: CLBeaconIdentityConstraint, identifier: String) {
        self.beaconIdentityConstraint = beaconIdentityConstraint
        super.init(identifier: identifier)
    }

    /// Creates a region of all beacons of an identifier.
    public convenience init(uuid: UUID, identifier: String) {
        self.init(beaconIdentityConstraint: CLBeaconIdentityConstraint(uuid: uuid), identifier: identifier)
    }
}
