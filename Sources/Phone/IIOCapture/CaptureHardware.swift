package import DriverKit
package import SystemPackage

/// What a capture does to a rig, beyond what a `World` may read of it.
///
/// A probe never writes; a capture must, from its start to its stop. This seam holds every such write.
package protocol CaptureHardware: Sendable {
    /// Writes an attribute.
    func write(_ value: String, to attribute: FilePath) throws(DriverError)
    /// Whether this user may write an attribute.
    func mayWrite(_ attribute: FilePath) -> Bool
    /// Throws EBUSY where another program holds a device's node, EACCES where this user may not use it.
    func claim(_ node: FilePath) throws(DriverError)
    /// Enables a device's buffer with these channels (`in_accel_x`, `in_timestamp`), with room for so many scans.
    func buffer(of device: String, channels: Set<String>, scans: Int) throws(DriverError) -> any CaptureBuffer
}

/// A buffer that is enabled until it is closed.
package protocol CaptureBuffer: AnyObject {
    /// The bytes of one scan, as whoever enabled the buffer reckons them.
    var scanSize: Int { get }
    /// Whole scans, as many as there are; none at the deadline. Throws `cancelled` when the capture is halted, and ENODEV
    /// when the device has gone.
    func scans(until deadline: Instant, _ halt: Waker) throws(DriverError) -> [UInt8]
    /// Disables it, and its channels.
    func close()
}
