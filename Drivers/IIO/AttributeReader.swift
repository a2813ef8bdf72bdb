package import DriverKit
package import Readiness

/// Reads the attributes of one device, local or remote.
package protocol AttributeReader {
    /// The bytes of an attribute; one read is one transfer on the sensor's bus.
    func read(_ attribute: String) throws(DriverError) -> [UInt8]
    /// The attribute's name in evidence.
    func place(of attribute: String) -> String
    /// The bits of a value's channel, if known.
    func format(of value: String) -> SampleFormat?
    /// Whether a program captures from the device; asked after a read failed with EBUSY.
    func isCaptured() -> Bool
    /// A mount matrix that takes precedence over the device's own, with its name.
    func overridingMatrix(for kind: SensorKind) -> (place: String, bytes: [UInt8])?
}
