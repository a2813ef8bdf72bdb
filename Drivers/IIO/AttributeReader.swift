package import DriverKit
package import Readiness

/// Reads the attributes of one device, wherever it is.
package protocol AttributeReader {
    /// The bytes of an attribute; one read is one transfer on the sensor's bus.
    func read(_ attribute: String) throws(DriverError) -> [UInt8]
    /// The attribute as evidence names it.
    func place(of attribute: String) -> String
    /// The bits of a value's channel, where they are known.
    func format(of value: String) -> SampleFormat?
    /// Whether somebody captures from the device; asked where a read was answered EBUSY.
    func isCaptured() -> Bool
    /// A mount matrix that stands above the device's own, with its name.
    func overridingMatrix(for kind: SensorKind) -> (place: String, bytes: [UInt8])?
}
